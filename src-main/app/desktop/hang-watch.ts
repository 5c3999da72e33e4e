import { Worker } from 'node:worker_threads';

const BEAT_MS = 1000;

export interface HangWatch {
  /** After this time without a sign of life, the program ends and starts again. */
  limitMs: number;
  /** Program and arguments that start it again. */
  program: readonly [string, ...string[]];
}

/**
 * Watches from a thread whether this process still does its work. When it hangs, for instance in a loop, the thread
 * ends the process and starts the program again: the operating system releases the vault, and the queue goes on.
 * Returns the function that ends the watch.
 */
export function watchForHangs({ limitMs, program }: HangWatch): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const thread = new Worker(new URL('./hang-thread.ts', import.meta.url), {
    workerData: { beats, limitMs, program },
    stdout: false,
  });
  // Without the thread nothing is watched, but everything works.
  thread.on('error', () => undefined);
  thread.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), Math.min(BEAT_MS, limitMs / 4));
  timer.unref();
  return () => {
    clearInterval(timer);
    void thread.terminate();
  };
}
