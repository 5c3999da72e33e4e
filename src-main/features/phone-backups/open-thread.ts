import { Worker } from 'node:worker_threads';
import { fail, Failure } from '../../platform/kernel/errors.ts';
import type { CallName, FromThread, IndexProgress, ThreadCalls, ToThread } from './thread-requests.ts';

/** One open backup, from outside its thread. */
export interface OpenThread {
  call<K extends CallName>(
    name: K,
    ask: ThreadCalls[K]['ask'],
    options?: { signal?: AbortSignal; progress?: (progress: IndexProgress) => void },
  ): Promise<ThreadCalls[K]['answer']>;
  /** Ends the thread; what is still being asked fails as locked. */
  end(): Promise<void>;
  readonly ended: boolean;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  progress: ((progress: IndexProgress) => void) | undefined;
}

const SCRIPT = new URL('./backup-thread.ts', import.meta.url);

/** Rows live as long as their batch: room for new ones beyond that is memory for nothing. */
const YOUNG = { maxYoungGenerationSizeMb: 24 };

export function startThread(): OpenThread {
  const worker = new Worker(SCRIPT, { resourceLimits: YOUNG });
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let ended = false;

  const drop = (cause: unknown): void => {
    ended = true;
    for (const { reject } of waiting.values()) reject(fail('phone.session_invalid', undefined, cause));
    waiting.clear();
  };
  worker.on('message', (message: FromThread) => {
    const asker = waiting.get(message.id);
    if ('progress' in message) return asker?.progress?.(message.progress);
    waiting.delete(message.id);
    if (message.ok) asker?.resolve(message.answer);
    else
      asker?.reject(message.code ? new Failure(message.code, { params: message.params }) : new Error(message.message));
  });
  worker.on('error', drop);
  worker.on('exit', () => drop(new Error('the thread ended')));

  return {
    get ended() {
      return ended;
    },
    call: (name, ask, { signal, progress } = {}) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(fail('phone.session_invalid'));
        const id = nextId++;
        const cancel = (): void => {
          if (waiting.has(id)) worker.postMessage({ cancel: id } satisfies ToThread);
        };
        signal?.addEventListener('abort', cancel, { once: true });
        const settle =
          <V>(with_: (value: V) => void) =>
          (value: V): void => {
            signal?.removeEventListener('abort', cancel);
            with_(value);
          };
        waiting.set(id, { resolve: settle(resolve as (value: unknown) => void), reject: settle(reject), progress });
        worker.postMessage({ id, call: name, ask } as ToThread);
        if (signal?.aborted) cancel();
      }),
    async end() {
      if (ended) return;
      drop(new Error('locked'));
      await worker.terminate();
    },
  };
}
