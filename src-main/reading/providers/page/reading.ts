import { availableParallelism } from 'node:os';
import type { Language, PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { PageTools } from './page-tools.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { createWorkerPool, TaskTimeout, WorkerCrash } from '../../../platform/kernel/worker-pool.ts';
import type { ReadOutcome } from '../../pipeline/ports.ts';
import type { OcrProvider, Outcome } from '../provider.ts';
import { readScan, textOf, type ScanState } from './read-scan.ts';
import type { InspectAnswer, LayerAnswer, PageLimits, PageRequest, PictureAnswer, PrepareAnswer } from './requests.ts';

/** A page that takes longer than this to open or draw is a trap. */
const PAGE_TIMEOUT_MS = 60_000;
const INSPECT_TIMEOUT_MS = 30_000;
/** Text layers are fetched so many pages at a time: few messages, and progress all the same. */
const LAYER_BATCH = 16;
const PDF = 'application/pdf';
const THUMBNAIL_WIDTH = 320;

export interface ReadingDeps {
  clock: Clock;
  limits: PageLimits;
  idleMs: number;
  /** Languages that all scans are in; null tells them by the page. */
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
  /** All pages of a file: their text layer where it is good, else OCR. */
  readFile(
    file: FileToRead,
    options: { ocr: OcrProvider; signal: AbortSignal; onPage: (current: number, total: number) => void },
  ): Promise<Outcome<ReadOutcome>>;
  /** How much a small image looks like a printed page, 0 to 1; null if it cannot be decoded. */
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
  const pool = createWorkerPool({
    script: new URL('./page-thread.ts', import.meta.url),
    size: Math.max(1, Math.min(4, availableParallelism())),
    idleMs,
    clock,
    workerData: limits,
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  const ask: Ask = (request, signal, timeoutMs = PAGE_TIMEOUT_MS) => pool.run(request, { signal, timeoutMs });
  return {
    inspect: (path, mime) => guard(ask<InspectAnswer>({ op: 'inspect', path, mime }, undefined, INSPECT_TIMEOUT_MS)),
    async pageImage(path, mime, page, width, turn) {
      const data = await guard(ask<PictureAnswer>({ op: 'picture', path, mime, page, width, turn }));
      return data && { data, type: 'image/webp' };
    },
    async thumbnail(path, mime, turn) {
      const data = await guard(
        ask<PictureAnswer>({ op: 'picture', path, mime, page: 1, width: THUMBNAIL_WIDTH, turn }),
      );
      if (!data) throw fail('upload.damaged');
      return { data, type: 'image/webp' };
    },
    readFile: (file, options) => guard(readPages(ask, { ...file, ...options, languages: languages() })),
    documentLikelihood: (data) =>
      ask<number>({ op: 'likelihood', data }, undefined, INSPECT_TIMEOUT_MS).catch(() => null),
    close: () => pool.close(),
  };
}

/** A file that crashes its thread or exceeds its time is damaged or malicious. */
const guard = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof TaskTimeout || error instanceof WorkerCrash
      ? fail('upload.damaged', undefined, error)
      : error;
  });

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
 * Passes pages with a good text layer to `onText` and returns the others. A page that a person rotated is read as an
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
 * Reads pages by OCR: the first one tells the language, the others are read side by side. Returns the first failure.
 */
async function readScans(
  ask: Ask,
  { path, mime, turns, ocr, signal, languages }: Job,
  scans: readonly number[],
  onText: (page: PageText) => void,
): Promise<Failure | null> {
  const state: ScanState = { languages: null, wanted: languages };
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
