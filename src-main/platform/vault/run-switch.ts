import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { fail } from '../kernel/errors.ts';
import type { SwitchDirection, SwitchMessage, SwitchTask } from './switch-messages.ts';
import type { SwitchProgress } from './switch-vault.ts';

/** A switch in a thread of its own, so that requests are answered meanwhile. */
export interface RunningSwitch {
  direction: SwitchDirection;
  /** Rejects with a Failure, and with what the thread died of. */
  ended: Promise<void>;
  /** Ends it at once, which loses nothing: the next one goes on. */
  stop(): Promise<void>;
  isStopped(): boolean;
}

/** Begins to encrypt or decrypt a vault that is not open. */
export function runSwitch(task: SwitchTask, onProgress: (progress: SwitchProgress) => void): RunningSwitch {
  const worker = new Worker(new URL('./switch-thread.ts', import.meta.url), { workerData: task });
  let isStopped = false;
  let failed: PlainErrorCode | null = null;
  worker.on('message', (message: SwitchMessage) => {
    if ('failed' in message) ({ failed } = message);
    else onProgress(message);
  });
  // Rejects when the thread reports an error.
  const ended = once(worker, 'exit').then(() => {
    if (failed !== null) throw fail(failed);
  });
  return {
    direction: task.direction,
    ended,
    async stop() {
      isStopped = true;
      await worker.terminate();
      await ended.catch(() => undefined);
    },
    isStopped: () => isStopped,
  };
}
