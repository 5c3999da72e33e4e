/**
 * Reads one input after another and says so before each, so that the watcher knows which one hangs or takes the thread
 * down.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { readCrashInputs } from './crash-inputs.ts';
import { mutated } from './mutate.ts';
import { TARGETS } from './targets.ts';

const { name, from, inputs, progress } = workerData as {
  name: string;
  from: number;
  inputs: number;
  progress: SharedArrayBuffer;
};
const target = TARGETS.find((candidate) => candidate.name === name);
if (target === undefined) throw new Error(`no fuzz target ${name}`);
const at = new Int32Array(progress),
  seeds = [...(await target.seeds()), ...readCrashInputs(name)];

let slowest = 0,
  refused = 0;
const read = async (bytes: Uint8Array): Promise<void> => {
  const start = performance.now();
  try {
    await target.read(bytes);
  } catch (error) {
    if (!target.refuses(error)) throw error;
    refused += 1;
  }
  slowest = Math.max(slowest, performance.now() - start);
};

for (const [i, bytes] of seeds.entries()) {
  Atomics.store(at, 0, -1 - i);
  await read(bytes);
}
for (let number = from; number < from + inputs; number += 1) {
  Atomics.store(at, 0, number);
  await read(mutated(seeds, number));
}
/** Whether the reader still reads valid input: it neither rejects everything nor changes its seeds. */
await target.read(seeds[0] ?? new Uint8Array());
parentPort?.postMessage({ slowest, refused });
