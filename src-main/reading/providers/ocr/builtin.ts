import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { PSM, Worker } from 'tesseract.js';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { OcrAnswer, OcrProvider, PageImage } from '../provider.ts';
import { gatherModels, removeAbandonedModels } from './model-folder.ts';
import { MODELS, toPgm, toWords, type RawWord } from './ocr-words.ts';

/** Two workers read two pages at once; each holds about 150 MB while it lives. */
const MAX_WORKERS = 4;
/** Tesseract's engine mode for its neural models, and its page segmentation without orientation detection. */
const LSTM_ONLY = 1;
const AUTOMATIC = '3' as PSM,
  BLOCK = '6' as PSM;

interface Engine {
  worker: Worker;
  models: string;
  busy: boolean;
  rest: AbortController | null;
}

export interface BuiltinOcrDeps {
  clock: Clock;
  /** Idle workers end after this long. */
  idleMs: number;
}

/** tesseract.js with the models that are shipped: needs no program and no network. */
export function createBuiltinOcr({ clock, idleMs }: BuiltinOcrDeps): OcrProvider {
  const concurrency = Math.max(1, Math.min(MAX_WORKERS, availableParallelism()));
  const engines = new Set<Engine>();
  let modelFolder: Promise<string> | null = null;
  void removeAbandonedModels();

  async function take(models: string): Promise<Engine> {
    const free = [...engines].filter((engine) => !engine.busy);
    const engine = free.find((candidate) => candidate.models === models) ?? free[0];
    if (!engine) return start(models);
    engine.busy = true;
    engine.rest?.abort();
    if (engine.models !== models) {
      await engine.worker.reinitialize(models, LSTM_ONLY);
      await configure(engine.worker);
      engine.models = models;
    }
    return engine;
  }

  async function start(models: string): Promise<Engine> {
    modelFolder ??= gatherModels();
    // Loaded with the first page: most starts of the program read none.
    const { createWorker } = await import('tesseract.js');
    const worker = await createWorker(models, LSTM_ONLY, {
      langPath: await modelFolder,
      gzip: true,
      cacheMethod: 'none',
      errorHandler: () => undefined,
    });
    await configure(worker);
    const engine: Engine = { worker, models, busy: true, rest: null };
    engines.add(engine);
    return engine;
  }

  async function end(engine: Engine): Promise<void> {
    engines.delete(engine);
    await engine.worker.terminate();
  }

  async function release(engine: Engine): Promise<void> {
    engine.busy = false;
    engine.rest = new AbortController();
    if ((await clock.sleep(idleMs, engine.rest.signal)) && !engine.busy && engines.has(engine)) await end(engine);
  }

  return {
    type: 'builtin',
    concurrency,
    async readPage(image, { languages, signal, asBlock }) {
      if (signal.aborted) return { ok: false, reason: 'cancelled', detail: 'Cancelled.' };
      const engine = await take(languages.map((language) => MODELS[language]).join('+'));
      // Recognition cannot be interrupted; its thread is ended, and with it what it was doing.
      const aborted = new Promise<'aborted'>((resolve) =>
        signal.addEventListener('abort', () => resolve('aborted'), { once: true }),
      );
      try {
        if (asBlock) await engine.worker.setParameters({ tessedit_pageseg_mode: BLOCK });
        const result = await Promise.race([
          engine.worker.recognize(toPgm(image), {}, { blocks: true, text: false }),
          aborted,
        ]);
        if (result === 'aborted') {
          await end(engine);
          return { ok: false, reason: 'cancelled', detail: 'Cancelled.' };
        }
        if (asBlock) await configure(engine.worker);
        void release(engine);
        return { ok: true, value: answerOf(result.data, image) };
      } catch {
        await end(engine);
        return { ok: false, reason: 'bad_answer', detail: 'A page could not be read. Try a better scan of it.' };
      }
    },
    async close() {
      await Promise.all([...engines].map(end));
      if (modelFolder) await rm(await modelFolder, { recursive: true, force: true });
      modelFolder = null;
    },
  };
}

/**
 * What tesseract has to say while it reads ("Detected 30 diacritics") is for its authors, and would end on our
 * console.
 */
const configure = (worker: Worker): Promise<unknown> =>
  worker.setParameters({ tessedit_pageseg_mode: AUTOMATIC, user_defined_dpi: '300', debug_file: '/dev/null' });

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
