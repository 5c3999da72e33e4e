import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { PSM, Worker } from 'tesseract.js';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { OcrAnswer, OcrProvider, PageImage } from '../provider.ts';
import { gatherModels, removeAbandonedModels } from './model-folder.ts';
import { MODELS, toPgm, toWords, type RawWord } from './ocr-words.ts';

/** Each worker reads one page at a time and uses about 150 MB while it exists. */
const MAX_WORKERS = 4;
/** Tesseract's engine mode for its neural models, and page segmentation without orientation detection. */
const LSTM_ONLY = 1;
const AUTOMATIC = '3' as PSM,
  BLOCK = '6' as PSM;

interface Engine {
  worker: Worker;
  models: string;
  isBusy: boolean;
  /** Aborts the idle timer. */
  idle: AbortController | null;
}

export interface BuiltinOcrDeps {
  clock: Clock;
  /** Idle workers end after this time. */
  idleMs: number;
}

/** tesseract.js with the bundled models; needs no external program and no network. */
export function createBuiltinOcr(deps: BuiltinOcrDeps): OcrProvider {
  const engines = new EnginePool(deps);
  void removeAbandonedModels();
  return {
    type: 'builtin',
    concurrency: Math.max(1, Math.min(MAX_WORKERS, availableParallelism())),
    async readPage(image, { languages, signal, asBlock = false }) {
      if (signal.aborted) return CANCELLED;
      const engine = await engines.acquire(languages.map((language) => MODELS[language]).join('+'));
      try {
        const data = await recognizePage(engine, image, { signal, asBlock });
        if (data === 'aborted') {
          await engines.end(engine);
          return CANCELLED;
        }
        void engines.release(engine);
        return { ok: true, value: answerOf(data, image) };
      } catch {
        await engines.end(engine);
        return { ok: false, reason: 'bad_answer', code: 'reading.page_unreadable' };
      }
    },
    endIdle: () => engines.endIdle(),
    close: () => engines.close(),
  };
}

const CANCELLED = { ok: false, reason: 'cancelled', code: 'reading.cancelled' } as const;

/** Recognition can't be interrupted; after `aborted`, the caller terminates the engine. */
async function recognizePage(
  { worker }: Engine,
  image: PageImage,
  { signal, asBlock }: { signal: AbortSignal; asBlock: boolean },
): Promise<Recognized | 'aborted'> {
  // The signal is that of all pages, and its listener would keep the result of each.
  const end = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) =>
    signal.addEventListener('abort', () => resolve('aborted'), { signal: end.signal }),
  );
  if (asBlock) await worker.setParameters({ tessedit_pageseg_mode: BLOCK });
  const recognized = worker.recognize(toPgm(image), {}, { blocks: true, text: false });
  const result = await Promise.race([recognized, aborted]).finally(() => end.abort());
  if (result === 'aborted') return result;
  if (asBlock) await configure(worker);
  return result.data;
}

/** Starts, reuses and ends tesseract workers. */
class EnginePool {
  readonly #deps: BuiltinOcrDeps;
  readonly #engines = new Set<Engine>();
  #modelFolder: Promise<string> | null = null;

  constructor(deps: BuiltinOcrDeps) {
    this.#deps = deps;
  }

  async acquire(models: string): Promise<Engine> {
    const free = [...this.#engines].filter((engine) => !engine.isBusy);
    const engine = free.find((candidate) => candidate.models === models) ?? free[0];
    if (!engine) return this.#start(models);
    engine.isBusy = true;
    engine.idle?.abort();
    if (engine.models !== models) {
      await engine.worker.reinitialize(models, LSTM_ONLY);
      await configure(engine.worker);
      engine.models = models;
    }
    return engine;
  }

  async release(engine: Engine): Promise<void> {
    const { clock, idleMs } = this.#deps;
    engine.isBusy = false;
    engine.idle = new AbortController();
    const slept = await clock.sleep(idleMs, engine.idle.signal);
    if (slept && !engine.isBusy && this.#engines.has(engine)) await this.end(engine);
  }

  async end(engine: Engine): Promise<void> {
    this.#engines.delete(engine);
    engine.idle?.abort();
    await engine.worker.terminate();
  }

  async endIdle(): Promise<void> {
    await Promise.all([...this.#engines].filter(({ isBusy }) => !isBusy).map((engine) => this.end(engine)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#engines].map((engine) => this.end(engine)));
    if (this.#modelFolder) await rm(await this.#modelFolder, { recursive: true, force: true });
    this.#modelFolder = null;
  }

  async #start(models: string): Promise<Engine> {
    this.#modelFolder ??= gatherModels();
    // Imported with the first page, because most runs of the program read none.
    const { createWorker } = await import('tesseract.js');
    const worker = await createWorker(models, LSTM_ONLY, {
      langPath: await this.#modelFolder,
      gzip: true,
      cacheMethod: 'none',
      errorHandler: () => undefined,
    });
    await configure(worker);
    const engine: Engine = { worker, models, isBusy: true, idle: null };
    this.#engines.add(engine);
    return engine;
  }
}

/** Discards debug output of tesseract ("Detected 30 diacritics"), which would go to the console. */
const configure = (worker: Worker): Promise<unknown> =>
  worker.setParameters({
    tessedit_pageseg_mode: AUTOMATIC,
    user_defined_dpi: '300',
    debug_file: '/dev/null',
  });

type Recognized = Awaited<ReturnType<Worker['recognize']>>['data'];

function answerOf(data: Recognized, image: PageImage): OcrAnswer {
  const raw = (data.blocks ?? [])
    .flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines.flatMap((line) => line.words)))
    .map((word): RawWord => ({
      text: word.text,
      confidence: word.confidence,
      left: word.bbox.x0,
      top: word.bbox.y0,
      width: word.bbox.x1 - word.bbox.x0,
      height: word.bbox.y1 - word.bbox.y0,
    }));
  return { words: toWords(raw, image) };
}
