import { Worker } from 'node:worker_threads';
import { adoptProcessKeys } from './process-keys.ts';
import { parentPort } from './child-host.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { HostStart, WorkerTask } from './process-messages.ts';

/**
 * The process of a `WorkerProcess`: runs the worker script in a thread, so that this thread is always free to compare
 * the memory of the process with its limit. Memory of native code is counted too.
 */

/** Memory can grow by about a megabyte in a millisecond. */
const CHECK_INTERVAL_MS = 15;

/** Ends at once. An ordinary exit would wait for native code that is still running. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

const port = parentPort();
port.onceMessage(({ script, workerData, resourceLimits, maxBytes, keys }: HostStart) => {
  adoptProcessKeys(keys);
  const worker = new Worker(new URL(script), { workerData, resourceLimits });
  worker.on('message', (answer: object) => void port.send({ ...answer, heldBytes: process.memoryUsage.rss() }));
  worker.on('error', end);
  worker.on('exit', end);
  let limit = maxBytes;
  port.onMessage((task: WorkerTask) => {
    limit = Math.min(maxBytes, task.maxBytes ?? maxBytes);
    worker.postMessage(task);
    // The answer to the task before.
    collectGarbage();
  });
  setInterval(() => {
    if (process.memoryUsage.rss() > limit) end();
  }, CHECK_INTERVAL_MS);
});
// The process that started this one has ended.
port.onDisconnect(end);
