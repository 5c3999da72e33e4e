import type { Extraction } from '../../extraction/extraction.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { LargeWork } from '../../../platform/kernel/large-work.ts';
import {
  createWorkerPool,
  TaskTimeout,
  WorkerCrash,
  type TaskOptions,
  type WorkerPool,
} from '../../../platform/kernel/worker-pool.ts';
import type { ReaderProvider } from '../provider.ts';

/** A long file takes one or two seconds. */
const TIMEOUT_MS = 120_000;
/** From so many words on, a document takes more than 150 MB while it is read, in the core and in the thread. */
const LONG_DOCUMENT_WORDS = 60_000;
/** What the longest file that is read takes, and as much again. */
const HEAP_MEGABYTES = 320;

interface Dependencies {
  clock: Clock;
  idleMs: number;
  /** Other work that holds much memory. */
  largeWork: LargeWork;
}

/** Extraction by rules over page texts, in a worker thread; needs no model. `builtin` is its id on the wire. */
export function createRulesReader({ clock, idleMs, largeWork }: Dependencies): ReaderProvider {
  const pool = createWorkerPool({
    script: new URL('./rules-thread.ts', import.meta.url),
    ...{ size: 1, idleMs, clock },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  return {
    type: 'builtin',
    async extract(pages, context, { signal }) {
      const read = (): Promise<Extraction> => runWithRetry(pool, { pages, context }, { signal, timeoutMs: TIMEOUT_MS });
      const isLong = pages.reduce((sum, { words }) => sum + words.length, 0) >= LONG_DOCUMENT_WORDS;
      try {
        // The thread of a long document holds its memory until it ends.
        const readLong = (): Promise<Extraction> => read().finally(() => pool.endIdle());
        return { ok: true, value: await (isLong ? largeWork.run(readLong, signal) : read()) };
      } catch (error) {
        if (signal.aborted) return { ok: false, reason: 'cancelled', code: 'reading.cancelled' };
        if (error instanceof TaskTimeout || error instanceof WorkerCrash)
          return { ok: false, reason: 'too_large', code: 'reading.document_too_large' };
        throw error;
      }
    },
    close: () => pool.close(),
  };
}

/** Runs a request, and once more in a new thread: the document before may have left the first one without memory. */
const runWithRetry = (pool: WorkerPool, request: unknown, options: TaskOptions): Promise<Extraction> =>
  pool
    .run<Extraction>(request, options)
    .catch((error: unknown) =>
      error instanceof WorkerCrash ? pool.run<Extraction>(request, options) : Promise.reject(error as Error),
    );
