import PQueue from 'p-queue';

/** Runs work that holds much memory, one after the other, so that their sum stays below a gigabyte. */
export interface LargeWork {
  /** Waits for its turn; an abort ends the waiting with the signal's reason. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createLargeWork(): LargeWork {
  const queue = new PQueue({ concurrency: 1 });
  return { run: (work, signal) => queue.add(work, signal && { signal }) };
}
