import { availableParallelism } from 'node:os';
import type { Language, PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { PageTools } from './page-tools.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import type { LargeWork } from '../../../platform/kernel/large-work.ts';
import { createWorkerPool, TaskTimeout, WorkerCrash } from '../../../platform/kernel/worker-pool.ts';
import { createNumberReader, type NumberReader } from '../numbers/number-reader.ts';
import type { OcrProvider, Outcome, ReadOutcome } from '../provider.ts';
import { limitOcr } from './limit-ocr.ts';
import { readScan, textOf, toPageText, type ScanState } from './read-scan.ts';
import type {
  InspectAnswer,
  LayerAnswer,
  PageLimits,
  PageRequest,
  PageThreadData,
  PictureAnswer,
  PrepareAnswer,
} from './requests.ts';

/** A page of a PDF that takes longer than this to open or draw is considered malicious. */
const PAGE_TIMEOUT_MS = 30_000;
/** An old computer may need so long for the largest image. */
const IMAGE_TIMEOUT_MS = 60_000;
/** A file with a page that takes longer than this is read after all others. */
const QUICK_PAGE_MS = 10_000;
/** OCR of a page that takes longer is stopped, and the page is read again by a job of its own, with a longer limit. */
const OCR_PAGE_MS = 30_000;
/** Number of pages per request for text layers: few messages, but still frequent progress. */
const LAYER_BATCH = 16;
const PDF = 'application/pdf';
/** A small PDF can show the same text on all its pages, and the core holds the words of all of them. */
const MAX_WORDS = 300_000;
const MAX_LETTERS = 8_000_000;
const THUMBNAIL_WIDTH = 320;
const MEBIBYTE = 2 ** 20;
/** Memory of each thread: of the WebAssembly module that decodes PDFs, and of JavaScript. */
const THREAD_MEMORY = { wasmBytes: 96 * MEBIBYTE, heapMegabytes: 160 };
/** Memory of the process for images and for what failed in a thread; it decodes one file at a time. */
const PROCESS_MEMORY = { wasmBytes: 384 * MEBIBYTE, heapMegabytes: 256 };
const MAX_PROCESS_BYTES = 576 * MEBIBYTE;
/** What may be left of one image when the next one begins; the process takes about 90 MiB by itself. */
const MAX_IDLE_PROCESS_BYTES = 180 * MEBIBYTE;
/** The process for images ends sooner than the threads. */
const PROCESS_IDLE_MS = 15_000;
const MAX_THREADS = 2;
/** Images that take more memory, by their header, wait for other large work. A page of A4 at 600 dpi takes less. */
const MAX_SMALL_IMAGE_BYTES = 16 * MEBIBYTE;
/** What the process may hold while it decodes an image whose header promises a small one. */
const MAX_SMALL_PROCESS_BYTES = 320 * MEBIBYTE;

export interface ReadingDeps {
  clock: Clock;
  limits: PageLimits;
  idleMs: number;
  /** Languages of all scans; null detects them on the page. */
  languages?: () => readonly Language[] | null;
  /** Other work that holds much memory. */
  largeWork: LargeWork;
  /** Called before the process starts with a large image, to free memory elsewhere. */
  beforeLargeImage?: () => Promise<void>;
}

export interface FileToRead {
  /** Absolute. */
  path: string;
  mime: string;
  /** Clockwise rotations by a user, by page. */
  turns: Record<string, PageTurn>;
}

interface ReadOptions {
  ocr: OcrProvider;
  signal: AbortSignal;
  onPage: (current: number, total: number) => void;
  /** Fails with `too_slow` when a page takes a while, so that other files can be read first. */
  mustBeQuick?: boolean;
  /** Time for OCR of a page; 30 s by default. Pages that take longer stay unread. */
  ocrPageMs?: number | undefined;
  /** Pages that were read before and are kept. */
  known?: readonly PageText[];
}

export interface Reading extends PageTools {
  /** Reads all pages of a file: their text layer if it is reliable, otherwise by OCR. */
  readFile(file: FileToRead, options: ReadOptions): Promise<Outcome<ReadOutcome>>;
  /** Estimates how much a small image looks like a printed page, 0 to 1; null if it can't be decoded. */
  documentLikelihood(data: Uint8Array): Promise<number | null>;
  close(): Promise<void>;
}

type Ask = <T>(request: PageRequest, signal?: AbortSignal, maxMs?: number) => Promise<T>;

interface Job extends FileToRead, ReadOptions {
  clock: Clock;
  languages: readonly Language[] | null;
  numbers: NumberReader;
}

/** A page took longer than a quick one may. */
class SlowPage extends Error {}
/** The pages have more text than the core may hold. */
class TooMuchText extends Error {}

/**
 * Opens PDFs in worker threads, whose WebAssembly memory is limited. Images, and PDFs that failed there, are opened in a
 * process: native code has no limits of its own, and it goes on when its thread is ended.
 */
export function createReading(deps: ReadingDeps): Reading {
  const { clock, limits, idleMs, largeWork, languages = () => null, beforeLargeImage } = deps;
  const script = new URL('./page-thread.ts', import.meta.url);
  const threads = createWorkerPool({
    ...{ script, clock, idleMs, size: Math.min(MAX_THREADS, availableParallelism()) },
    workerData: { ...limits, wasmBytes: THREAD_MEMORY.wasmBytes, isLastResort: false } satisfies PageThreadData,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY.heapMegabytes },
  });
  const processPool = createWorkerPool({
    ...{ script, clock, idleMs: Math.min(idleMs, PROCESS_IDLE_MS), size: 1 },
    workerData: { ...limits, wasmBytes: PROCESS_MEMORY.wasmBytes, isLastResort: true } satisfies PageThreadData,
    resourceLimits: { maxOldGenerationSizeMb: PROCESS_MEMORY.heapMegabytes },
    process: { maxBytes: MAX_PROCESS_BYTES, maxIdleBytes: MAX_IDLE_PROCESS_BYTES },
  });
  const numbers = createNumberReader({ clock, idleMs });
  const small = { maxBytes: MAX_SMALL_PROCESS_BYTES };
  const ask: Ask = async (request, signal, maxMs = Infinity) => {
    const isImage = 'mime' in request && request.mime !== PDF;
    const timeoutMs = Math.min(maxMs, isImage ? IMAGE_TIMEOUT_MS : PAGE_TIMEOUT_MS);
    const inThread: Run = (what) => threads.run(what, { signal, timeoutMs });
    const alone: Run = (what) => largeWork.run(() => processPool.run(what, { signal, timeoutMs }), signal);
    if (!isImage) return runWithRetry(inThread, alone, request);
    const asSmall: Run = (what) => processPool.run(what, { ...small, signal, timeoutMs });
    const asLarge: Run = async (what) => {
      threads.endIdle();
      numbers.endIdle();
      await beforeLargeImage?.();
      return alone(what);
    };
    const { path, mime } = request;
    const bytes = await runWithRetry<number>(asSmall, asLarge, { op: 'estimate_memory', path, mime });
    return runWithRetry(bytes <= MAX_SMALL_IMAGE_BYTES ? asSmall : asLarge, asLarge, request);
  };
  return {
    inspect: (path, mime) => ask<InspectAnswer>({ op: 'inspect', path, mime }),
    async pageImage(path, mime, page, width, turn) {
      const data = await ask<PictureAnswer>({ op: 'picture', path, mime, page, width, turn });
      return data && { data, type: 'image/webp' };
    },
    async thumbnail(path, mime, turn) {
      const data = await ask<PictureAnswer>({ op: 'picture', path, mime, page: 1, width: THUMBNAIL_WIDTH, turn });
      if (!data) throw fail('upload.damaged');
      return { data, type: 'image/webp' };
    },
    readFile: (file, options) =>
      readPages(ask, { ...file, ...options, clock, languages: languages(), numbers }).catch(failureOf),
    documentLikelihood: (data) =>
      processPool.run<number>({ op: 'likelihood', data }, { ...small, timeoutMs: PAGE_TIMEOUT_MS }).catch(() => null),
    close: async () => void (await Promise.all([threads.close(), processPool.close(), numbers.close()])),
  };
}

/** Runs a request somewhere. */
type Run = <T>(request: PageRequest) => Promise<T>;

/**
 * Runs a request, and once more with the memory of large work when it failed: a file before may have broken the first
 * worker, which is replaced. Time is not given twice.
 * @throws `reading.file_too_demanding` when the request fails again or takes too long
 */
async function runWithRetry<T>(first: Run, second: Run, request: PageRequest): Promise<T> {
  try {
    return await first<T>(request).catch((error: unknown) =>
      error instanceof WorkerCrash ? second<T>(request) : Promise.reject(error),
    );
  } catch (error) {
    const isToolFailure = error instanceof TaskTimeout || error instanceof WorkerCrash;
    throw isToolFailure ? fail('reading.file_too_demanding', undefined, error) : error;
  }
}

function failureOf(error: unknown): FailedOutcome {
  if (error instanceof SlowPage) return { ok: false, reason: 'too_slow', code: 'reading.file_too_demanding' };
  if (error instanceof TooMuchText) return { ok: false, reason: 'too_large', code: 'reading.document_too_large' };
  throw error;
}

/** Asks for a page of a file that may have to be quick. @throws SlowPage */
async function askForPage<T>(ask: Ask, { signal, mustBeQuick }: Job, request: PageRequest): Promise<T> {
  try {
    return await ask<T>(request, signal, mustBeQuick ? QUICK_PAGE_MS : undefined);
  } catch (error) {
    throw mustBeQuick && (error as Error).cause instanceof TaskTimeout ? new SlowPage() : error;
  }
}

async function readPages(ask: Ask, job: Job): Promise<Outcome<ReadOutcome>> {
  const { path, mime, ocr, onPage, known = [] } = job;
  const { pages: total } = await askForPage<InspectAnswer>(ask, job, { op: 'inspect', path, mime });
  const found = new Map<number, PageText>();
  let [words, letters] = [0, 0];
  const add = (page: PageText): void => {
    words += page.words.length;
    letters += page.text.length;
    if (words > MAX_WORDS || letters > MAX_LETTERS) throw new TooMuchText();
    found.set(page.page, page);
    onPage(found.size, total);
  };
  for (const page of known) if (page.page <= total) add(page);
  const isNew = (page: number): boolean => !found.has(page);
  const all = Array.from({ length: total }, (_, i) => i + 1).filter(isNew);
  const scans = mime === PDF && known.length === 0 ? await readLayers(ask, job, total, add) : all;
  if (scans.length === total) onPage(0, total);
  const failure = await readScans(ask, job, scans, add);
  if (failure) return failure;
  const pages = [...found.values()].sort((a, b) => a.page - b.page);
  const hasScans = pages.some(({ source }) => source === 'ocr');
  return { ok: true, value: { pages, ocr_engine: hasScans ? ocr.type : null } };
}

/**
 * Passes pages with a reliable text layer to `onText` and returns the others. A page that a user rotated is read as an
 * image.
 */
async function readLayers(ask: Ask, job: Job, total: number, onText: (page: PageText) => void): Promise<number[]> {
  const scans: number[] = [];
  for (let from = 1; from <= total;) {
    const layers = await layersOf(ask, job, from, Math.min(total, from + LAYER_BATCH - 1));
    layers.forEach((layer, i) => {
      const page = from + i;
      if (layer.words === null || job.turns[String(page)]) scans.push(page);
      else onText(pageOfLayer(page, { ...layer, words: layer.words }));
    });
    from += layers.length;
  }
  return scans;
}

/**
 * Text layers of some pages, fewer if they have many words. Those that are too demanding together are read one by one,
 * each with its own limits.
 */
async function layersOf(ask: Ask, job: Job, from: number, to: number): Promise<LayerAnswer[]> {
  const request = { op: 'layers', path: job.path, from, to } as const;
  try {
    return await askForPage<LayerAnswer[]>(ask, job, request);
  } catch (error) {
    const isTooDemanding = error instanceof Failure && error.code === 'reading.file_too_demanding';
    if (!isTooDemanding || from === to) throw error;
  }
  const layers: LayerAnswer[] = [];
  for (let page = from; page <= to; page += 1)
    layers.push(...(await askForPage<LayerAnswer[]>(ask, job, { ...request, from: page, to: page })));
  return layers;
}

function pageOfLayer(page: number, layer: Omit<LayerAnswer, 'words'> & Pick<PageText, 'words'>): PageText {
  const { width, height, words } = layer;
  const base = { page, width, height, words, turn: 0, toDisplay: null, source: 'text_layer', confidence: 1 } as const;
  return { ...base, text: textOf(base) };
}

/**
 * Reads pages by OCR: the first page determines the language, and the others are read in parallel. Returns the first
 * failure.
 */
async function readScans(
  ask: Ask,
  job: Job,
  scans: readonly number[],
  onText: (page: PageText) => void,
): Promise<FailedOutcome | null> {
  const { path, mime, turns, ocr, numbers, signal, languages } = job;
  const state: ScanState = { languages: null, requestedLanguages: languages };
  const readOne = async (page: number): Promise<Outcome<PageText>> => {
    let prepared: PrepareAnswer | undefined;
    const prepare = async (of: number, turn: PageTurn | null): Promise<PrepareAnswer> => {
      const answer = await askForPage<PrepareAnswer>(ask, job, { op: 'prepare', path, mime, page: of, turn });
      prepared = answer;
      return answer;
    };
    const limited = limitOcr(ocr, job.clock, job.ocrPageMs ?? OCR_PAGE_MS);
    const scan = { ocr: limited.ocr, numbers, signal, prepare };
    let answer = await readScan(scan, page, turns[String(page)] ?? null, state);
    if (!answer.ok && limited.isOver() && !signal.aborted && prepared)
      answer = { ok: true, value: { ...toPageText(page, prepared, []), isUnread: true } };
    if (answer.ok) onText(answer.value);
    return answer;
  };
  const [first, ...rest] = scans;
  if (first === undefined) return null;
  const answer = await readOne(first);
  return answer.ok ? inParallel(rest, ocr.concurrency, readOne) : answer;
}

type FailedOutcome = Outcome<never> & { ok: false };

/** Runs at most `width` at the same time; returns the first failure and starts nothing after it. */
async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<Outcome<R>>,
): Promise<FailedOutcome | null> {
  const queue = [...items];
  let failure: FailedOutcome | null = null;
  await Promise.all(
    Array.from({ length: Math.min(width, queue.length) }, async () => {
      for (let item = queue.shift(); item !== undefined && !failure; item = queue.shift()) {
        const answer = await work(item).catch((error: unknown) => {
          queue.length = 0;
          throw error;
        });
        if (!answer.ok) failure ??= answer;
      }
    }),
  );
  return failure;
}
