import { Worker } from 'node:worker_threads';
import type { HostStart } from './process-messages.ts';

/**
 * The process of a `WorkerProcess`: runs the worker script in a thread, so that this thread is always free to compare
 * the memory of the process with its limit. Memory of native code is counted too.
 */

/** Memory can grow by about a megabyte in a millisecond. */
const CHECK_INTERVAL_MS = 15;

/** Ends at once. An ordinary exit would wait for native code that is still running. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

process.once('message', ({ script, workerData, resourceLimits, maxBytes }: HostStart) => {
  const worker = new Worker(new URL(script), { workerData, resourceLimits });
  worker.on('message', (answer: object) => process.send?.({ ...answer, heldBytes: process.memoryUsage.rss() }));
  worker.on('error', end);
  worker.on('exit', end);
  process.on('message', (task) => worker.postMessage(task));
  setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes) end();
  }, CHECK_INTERVAL_MS);
});
// The process that started this one has ended.
process.on('disconnect', end);
