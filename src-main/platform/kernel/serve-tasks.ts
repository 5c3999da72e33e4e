import { parentPort } from 'node:worker_threads';
import { Failure, translateFsError } from './errors.ts';
import type { WorkerTask } from './process-messages.ts';
import type { WorkerAnswer } from './worker-pool.ts';

/**
 * The worker's side of a pool: replies to each task with the result or error of `handle`. Buffers in `transfer` are
 * moved without a copy.
 */
export function serveTasks<R>(handle: (request: R) => Promise<{ value: unknown; transfer?: ArrayBuffer[] }>): void {
  const port = parentPort;
  if (!port) throw new Error('This script runs in a worker thread.');
  port.on('message', async ({ id, request }: WorkerTask) => {
    try {
      const { value, transfer } = await handle(request as R);
      port.postMessage({ id, ok: true, value } satisfies WorkerAnswer, transfer ?? []);
    } catch (raw) {
      const error = translateFsError(raw);
      const failure = error instanceof Failure ? error : null;
      port.postMessage({
        id,
        ok: false,
        code: failure?.code ?? null,
        params: failure?.params ?? {},
        message: String((error as Error).message),
      } satisfies WorkerAnswer);
    }
  });
}
