import { Worker } from 'node:worker_threads';

export interface FuzzReport {
  /** What went wrong: a crash, a hang or memory; null when nothing did. */
  failure: string | null;
  inputs: number;
  /** Inputs that the reader refused with its own error. */
  refused: number;
  /** Milliseconds of the slowest input. */
  slowest: number;
  /** Megabytes that this process grew by at its peak. */
  grownMb: number;
}

/** An input that holds a thread this long is a hang. */
const HANG_MS = 10_000;
const MOST_MB = 600;
const HEAP = { maxOldGenerationSizeMb: 256 };

/** Reads `inputs` mutated inputs in a thread of its own, from number `from`; a hang ends the thread, not the run. */
export async function fuzz(name: string, inputs: number, from = 1): Promise<FuzzReport> {
  const progress = new SharedArrayBuffer(4),
    at = new Int32Array(progress);
  const before = process.resourceUsage().maxRSS;
  const worker = new Worker(new URL('fuzz-thread.ts', import.meta.url), {
    workerData: { name, from, inputs, progress },
    resourceLimits: HEAP,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const where = (): string => `input ${Atomics.load(at, 0)} of ${name}`;
  const outcome = await new Promise<{ failure: string } | { slowest: number; refused: number }>((resolve) => {
    let seen = NaN,
      since = performance.now();
    const watch = setInterval(() => {
      const now = Atomics.load(at, 0);
      if (now !== seen) {
        seen = now;
        since = performance.now();
      } else if (performance.now() - since > HANG_MS) finish({ failure: `hang at ${where()}` });
    }, 250);
    const finish = (result: { failure: string } | { slowest: number; refused: number }): void => {
      clearInterval(watch);
      resolve(result);
    };
    worker.on('message', finish);
    worker.on('error', (error) => finish({ failure: `${where()}: ${(error as Error).stack ?? String(error)}` }));
    worker.on('exit', (code) => finish({ failure: `the thread ended with ${code} at ${where()}` }));
  });
  await worker.terminate();
  const grownMb = Math.round((process.resourceUsage().maxRSS - before) / 1024);
  if ('failure' in outcome) return { ...outcome, inputs, refused: 0, slowest: 0, grownMb };
  return { failure: grownMb > MOST_MB ? `grew by ${grownMb} MB` : null, inputs, grownMb, ...outcome };
}
