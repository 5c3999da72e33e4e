import type { Clock } from '../../../platform/kernel/clock.ts';
import { createWorkerPool } from '../../../platform/kernel/worker-pool.ts';
import type { GrayscaleImage } from '../page/prepare/grayscale.ts';
import type { NumberRequest, ReadNumber } from './requests.ts';

export interface NumberReader {
  /**
   * Reads pictures of one line each, in their order. Independent of the OCR of pages: other errors than its own.
   * @throws WorkerCrash, TaskTimeout
   */
  readNumbers(images: GrayscaleImage[], signal: AbortSignal): Promise<ReadNumber[]>;
  /** Frees the memory of the worker if it has nothing to do. */
  endIdle(): void;
  close(): Promise<void>;
}

/** Pictures of one task: an abort waits no longer than for these. */
const BATCH = 16;
/** A busy computer needs a second for each, and the model is loaded with the first ones. */
const TIMEOUT_MS = 60_000;
const HEAP_MEGABYTES = 128;

/** A recognizer of printed numbers in a thread that starts with the first ones and ends when it is idle. */
export function createNumberReader({ clock, idleMs }: { clock: Clock; idleMs: number }): NumberReader {
  const threads = createWorkerPool({
    script: new URL('./number-thread.ts', import.meta.url),
    size: 1,
    clock,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  return {
    async readNumbers(images, signal) {
      const found: ReadNumber[] = [];
      for (let from = 0; from < images.length; from += BATCH) {
        const request: NumberRequest = { images: images.slice(from, from + BATCH) };
        found.push(...(await threads.run<ReadNumber[]>(request, { signal, timeoutMs: TIMEOUT_MS })));
      }
      return found;
    },
    endIdle: () => threads.endIdle(),
    close: () => threads.close(),
  };
}
