import { availableParallelism } from 'node:os';
import type { Language, PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { PageTools } from './page-tools.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import {
  createWorkerPool,
  TaskTimeout,
  WorkerCrash,
  type TaskOptions,
  type WorkerPool,
} from '../../../platform/kernel/worker-pool.ts';
import type { OcrProvider, Outcome, ReadOutcome } from '../provider.ts';
import { readScan, textOf, type ScanState } from './read-scan.ts';
import type {
  InspectAnswer,
  LayerAnswer,
  PageLimits,
  PageRequest,
  PageThreadData,
  PictureAnswer,
  PrepareAnswer,
} from './requests.ts';

/** A page that takes longer than this to open or draw is considered malicious. */
const PAGE_TIMEOUT_MS = 60_000;
const INSPECT_TIMEOUT_MS = 30_000;
/** Number of pages per request for text layers: few messages, but still frequent progress. */
const LAYER_BATCH = 16;
const PDF = 'application/pdf';
const THUMBNAIL_WIDTH = 320;
/** Memory of each thread: of the WebAssembly modules that decode PDFs and HEIC photos, and of JavaScript. */
const NORMAL_MEMORY = { wasmBytes: 160 * 2 ** 20, heapMegabytes: 192 };
/** Memory of the single thread that gets what failed in another one. */
const LARGE_MEMORY = { wasmBytes: 448 * 2 ** 20, heapMegabytes: 384 };
const MAX_THREADS = 2;
/** Larger images are decoded one at a time. */
const MAX_SHARED_PIXELS = 40e6;

export interface ReadingDeps {
  clock: Clock;
  limits: PageLimits;
  idleMs: number;
  /** Languages of all scans; null detects them on the page. */
  languages?: () => readonly Language[] | null;
}

export interface FileToRead {
  /** Absolute. */
  path: string;
  mime: string;
  /** Clockwise rotations by a user, by page. */
  turns: Record<string, PageTurn>;
}

export interface Reading extends PageTools {
  /** Reads all pages of a file: their text layer if it is reliable, otherwise by OCR. */
  readFile(
    file: FileToRead,
    options: { ocr: OcrProvider; signal: AbortSignal; onPage: (current: number, total: number) => void },
  ): Promise<Outcome<ReadOutcome>>;
  /** Estimates how much a small image looks like a printed page, 0 to 1; null if it can't be decoded. */
  documentLikelihood(data: Uint8Array): Promise<number | null>;
  close(): Promise<void>;
}

type Ask = <T>(request: PageRequest, signal?: AbortSignal, timeoutMs?: number) => Promise<T>;

interface Job extends FileToRead {
  ocr: OcrProvider;
  signal: AbortSignal;
  languages: readonly Language[] | null;
  onPage: (current: number, total: number) => void;
}

/** Opens and reads files in worker threads. */
export function createReading({ clock, limits, idleMs, languages = () => null }: ReadingDeps): Reading {
  const createPool = (size: number, { wasmBytes, heapMegabytes }: typeof NORMAL_MEMORY): WorkerPool =>
    createWorkerPool({
      script: new URL('./page-thread.ts', import.meta.url),
      size,
      idleMs,
      clock,
      workerData: { ...limits, wasmBytes } satisfies PageThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
  const pool = createPool(Math.min(MAX_THREADS, availableParallelism()), NORMAL_MEMORY);
  const largePool = createPool(1, LARGE_MEMORY);
  const ask: Ask = async (request, signal, timeoutMs = PAGE_TIMEOUT_MS) => {
    const options = { signal, timeoutMs };
    const run = <R>(from: WorkerPool, what: PageRequest): Promise<R> => runWithRetry<R>(from, largePool, what, options);
    if (!('mime' in request) || request.mime === PDF) return run(pool, request);
    const { path, mime } = request;
    const pixels = await run<number>(pool, { op: 'count_pixels', path, mime });
    return run(pixels > MAX_SHARED_PIXELS ? largePool : pool, request);
  };
  return {
    inspect: (path, mime) => ask<InspectAnswer>({ op: 'inspect', path, mime }, undefined, INSPECT_TIMEOUT_MS),
    async pageImage(path, mime, page, width, turn) {
      const data = await ask<PictureAnswer>({ op: 'picture', path, mime, page, width, turn });
      return data && { data, type: 'image/webp' };
    },
    async thumbnail(path, mime, turn) {
      const data = await ask<PictureAnswer>({ op: 'picture', path, mime, page: 1, width: THUMBNAIL_WIDTH, turn });
      if (!data) throw fail('upload.damaged');
      return { data, type: 'image/webp' };
    },
    readFile: (file, options) => readPages(ask, { ...file, ...options, languages: languages() }),
    documentLikelihood: (data) =>
      ask<number>({ op: 'likelihood', data }, undefined, INSPECT_TIMEOUT_MS).catch(() => null),
    close: async () => void (await Promise.all([pool.close(), largePool.close()])),
  };
}

/**
 * Runs a request, and once more in a thread with more memory when the first one failed: a file before may have broken
 * it. Time is not given twice.
 * @throws `reading.file_too_demanding` when the request fails again or takes too long
 */
async function runWithRetry<T>(
  pool: WorkerPool,
  largePool: WorkerPool,
  request: PageRequest,
  options: TaskOptions,
): Promise<T> {
  try {
    return await pool
      .run<T>(request, options)
      .catch((error: unknown) =>
        error instanceof WorkerCrash ? largePool.run<T>(request, options) : Promise.reject(error),
      );
  } catch (error) {
    const isToolFailure = error instanceof TaskTimeout || error instanceof WorkerCrash;
    throw isToolFailure ? fail('reading.file_too_demanding', undefined, error) : error;
  }
}

async function readPages(ask: Ask, job: Job): Promise<Outcome<ReadOutcome>> {
  const { path, mime, ocr, signal, onPage } = job;
  const { pages: total } = await ask<InspectAnswer>({ op: 'inspect', path, mime }, signal);
  const found = new Map<number, PageText>();
  const add = (page: PageText): void => {
    found.set(page.page, page);
    onPage(found.size, total);
  };
  const scans = mime === PDF ? await readLayers(ask, job, total, add) : Array.from({ length: total }, (_, i) => i + 1);
  if (scans.length === total) onPage(0, total);
  const failure = await readScans(ask, job, scans, add);
  if (failure) return failure;
  const pages = [...found.values()].sort((a, b) => a.page - b.page);
  return { ok: true, value: { pages, ocr_engine: scans.length ? ocr.type : null } };
}

/**
 * Passes pages with a reliable text layer to `onText` and returns the others. A page that a user rotated is read as an
 * image.
 */
async function readLayers(
  ask: Ask,
  { path, turns, signal }: Job,
  total: number,
  onText: (page: PageText) => void,
): Promise<number[]> {
  const scans: number[] = [];
  for (let from = 1; from <= total; from += LAYER_BATCH) {
    const to = Math.min(total, from + LAYER_BATCH - 1);
    const layers = await ask<LayerAnswer[]>({ op: 'layers', path, from, to }, signal);
    layers.forEach((layer, i) => {
      const page = from + i;
      if (layer.words === null || turns[String(page)]) scans.push(page);
      else onText(pageOfLayer(page, { ...layer, words: layer.words }));
    });
  }
  return scans;
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
  { path, mime, turns, ocr, signal, languages }: Job,
  scans: readonly number[],
  onText: (page: PageText) => void,
): Promise<Failure | null> {
  const state: ScanState = { languages: null, requestedLanguages: languages };
  const prepare = (page: number, turn: PageTurn | null): Promise<PrepareAnswer> =>
    ask({ op: 'prepare', path, mime, page, turn }, signal);
  const readOne = async (page: number): Promise<Outcome<PageText>> => {
    const answer = await readScan({ ocr, signal, prepare }, page, turns[String(page)] ?? null, state);
    if (answer.ok) onText(answer.value);
    return answer;
  };
  const [first, ...rest] = scans;
  if (first === undefined) return null;
  const answer = await readOne(first);
  return answer.ok ? inParallel(rest, ocr.concurrency, readOne) : answer;
}

type Failure = Outcome<never> & { ok: false };

/** Runs at most `width` at the same time; returns the first failure and starts nothing after it. */
async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<Outcome<R>>,
): Promise<Failure | null> {
  const queue = [...items];
  let failure: Failure | null = null;
  await Promise.all(
    Array.from({ length: Math.min(width, queue.length) }, async () => {
      for (let item = queue.shift(); item !== undefined && !failure; item = queue.shift()) {
        const answer = await work(item);
        if (!answer.ok) failure ??= answer;
      }
    }),
  );
  return failure;
}
