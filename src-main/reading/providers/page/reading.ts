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
  /** Clockwise turns that a person asked for, by page. */
  turns: Record<string, PageTurn>;
}

export interface Reading extends PageTools {
  /** All pages of a file: their text layer where it is good, else OCR. */
  readFile(
    file: FileToRead,
    options: { ocr: OcrProvider; signal: AbortSignal; onPage: (current: number, total: number) => void },
  ): Promise<Outcome<ReadOutcome>>;
  /** How much a small picture looks like a page of print, 0 to 1; null of what is no picture. */
  documentLikelihood(data: Uint8Array): Promise<number | null>;
  close(): Promise<void>;
}

/** Opens and reads files in threads of their own. */
export function createReading({ clock, limits, idleMs, languages = () => null }: ReadingDeps): Reading {
  const pool = createWorkerPool({
    script: new URL('./page-thread.ts', import.meta.url),
    size: Math.max(1, Math.min(4, availableParallelism())),
    idleMs,
    clock,
    workerData: limits,
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  const ask = <T>(request: PageRequest, signal?: AbortSignal, timeoutMs: number = PAGE_TIMEOUT_MS): Promise<T> =>
    pool.run<T>(request, { signal, timeoutMs });

  /** A file that ends its thread or takes for ever is damaged, or made to do harm. */
  const guarded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw error instanceof TaskTimeout || error instanceof WorkerCrash
        ? fail('upload.damaged', undefined, error)
        : error;
    });

  async function readPages(
    { path, mime, turns }: FileToRead,
    ocr: OcrProvider,
    signal: AbortSignal,
    onPage: (current: number, total: number) => void,
  ): Promise<Outcome<ReadOutcome>> {
    const { pages: total } = await ask<InspectAnswer>({ op: 'inspect', path, mime }, signal);
    const found = new Map<number, PageText>();
    const tell = (): void => onPage(found.size, total);
    const scans =
      mime === PDF
        ? await readLayers(path, total, turns, signal, (page) => {
            found.set(page.page, page);
            tell();
          })
        : Array.from({ length: total }, (_, i) => i + 1);
    if (scans.length === total) onPage(0, total);

    const state: ScanState = { languages: null, wanted: languages() };
    const deps = {
      ocr,
      signal,
      prepare: (page: number, turn: PageTurn | null) =>
        ask<PrepareAnswer>({ op: 'prepare', path, mime, page, turn }, signal),
    };
    const readOne = async (page: number): Promise<Outcome<PageText>> => {
      const answer = await readScan(deps, page, turns[String(page)] ?? null, state);
      if (answer.ok) {
        found.set(page, answer.value);
        tell();
      }
      return answer;
    };
    // The first page tells the language; the others are read side by side.
    const [first, ...rest] = scans;
    if (first !== undefined) {
      const answer = await readOne(first);
      if (!answer.ok) return answer;
    }
    const failure = await inParallel(rest, ocr.concurrency, readOne);
    if (failure) return failure;
    return {
      ok: true,
      value: { pages: [...found.values()].sort((a, b) => a.page - b.page), ocr_engine: scans.length ? ocr.type : null },
    };
  }

  /** Gives pages with a good text layer; answers the others. A page that a person turned is read as a picture. */
  async function readLayers(
    path: string,
    total: number,
    turns: Record<string, PageTurn>,
    signal: AbortSignal,
    onText: (page: PageText) => void,
  ): Promise<number[]> {
    const scans: number[] = [];
    for (let from = 1; from <= total; from += LAYER_BATCH) {
      const layers = await ask<LayerAnswer[]>(
        { op: 'layers', path, from, to: Math.min(total, from + LAYER_BATCH - 1) },
        signal,
      );
      layers.forEach(({ width, height, words }, i) => {
        const page = from + i;
        if (words === null || turns[String(page)]) return void scans.push(page);
        const base = {
          page,
          width,
          height,
          turn: 0 as const,
          toDisplay: null,
          source: 'text_layer' as const,
          words,
          confidence: 1,
        };
        onText({ ...base, text: textOf(base) });
      });
    }
    return scans;
  }

  return {
    inspect: (path, mime) => guarded(ask<InspectAnswer>({ op: 'inspect', path, mime }, undefined, INSPECT_TIMEOUT_MS)),
    async pageImage(path, mime, page, width, turn) {
      const data = await guarded(ask<PictureAnswer>({ op: 'picture', path, mime, page, width, turn }));
      return data && { data, type: 'image/webp' };
    },
    async thumbnail(path, mime, turn) {
      const data = await guarded(
        ask<PictureAnswer>({ op: 'picture', path, mime, page: 1, width: THUMBNAIL_WIDTH, turn }),
      );
      if (!data) throw fail('upload.damaged');
      return { data, type: 'image/webp' };
    },
    readFile: (file, { ocr, signal, onPage }) => guarded(readPages(file, ocr, signal, onPage)),
    documentLikelihood: (data) =>
      ask<number>({ op: 'likelihood', data }, undefined, INSPECT_TIMEOUT_MS).catch(() => null),
    close: () => pool.close(),
  };
}

const THUMBNAIL_WIDTH = 320;

/** Runs at most `width` at the same time; answers the first failure and begins nothing after it. */
async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<Outcome<R>>,
): Promise<(Outcome<R> & { ok: false }) | null> {
  const queue = [...items];
  let failure: (Outcome<R> & { ok: false }) | null = null;
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
