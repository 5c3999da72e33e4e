import { Worker } from 'node:worker_threads';
import { fail, Failure } from '../../platform/kernel/errors.ts';
import type { CallName, FromThread, IndexProgress, ThreadCalls, ToThread } from './thread-requests.ts';

/** The thread of one open backup, as the service uses it. */
export interface OpenThread {
  call<K extends CallName>(
    name: K,
    request: ThreadCalls[K]['request'],
    options?: CallOptions,
  ): Promise<ThreadCalls[K]['reply']>;
  /** Ends the thread; pending calls fail with `phone.session_invalid`. */
  end(): Promise<void>;
  readonly hasEnded: boolean;
}

interface CallOptions {
  signal?: AbortSignal;
  progress?: (progress: IndexProgress) => void;
}
interface PendingCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  progress: ((progress: IndexProgress) => void) | undefined;
}

const SCRIPT = new URL('./backup-thread.ts', import.meta.url);
/** Rows exist only as long as their batch, so a larger young generation would waste memory. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 24 };

/** Starts a thread that can open one backup. */
export const startThread = (): OpenThread => new BackupThread();

class BackupThread implements OpenThread {
  readonly #worker = new Worker(SCRIPT, { resourceLimits: RESOURCE_LIMITS });
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 1;
  #hasEnded = false;

  constructor() {
    this.#worker.on('message', (message: FromThread) => this.#handleMessage(message));
    this.#worker.on('error', (error) => this.#rejectAll(error));
    this.#worker.on('exit', () => this.#rejectAll(new Error('The thread has ended.')));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  call<K extends CallName>(
    name: K,
    request: ThreadCalls[K]['request'],
    { signal, progress }: CallOptions = {},
  ): Promise<ThreadCalls[K]['reply']> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) return reject(fail('phone.session_invalid'));
      const id = this.#nextId++;
      const cancel = (): void => {
        if (this.#pending.has(id)) this.#worker.postMessage({ cancel: id } satisfies ToThread);
      };
      const settleWith =
        <V>(settle: (value: V) => void) =>
        (value: V): void => {
          signal?.removeEventListener('abort', cancel);
          settle(value);
        };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#pending.set(id, {
        resolve: settleWith(resolve as (value: unknown) => void),
        reject: settleWith(reject),
        progress,
      });
      this.#worker.postMessage({ id, call: name, request } as ToThread);
      if (signal?.aborted) cancel();
    });
  }

  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#rejectAll(new Error('The backup was locked.'));
    await this.#worker.terminate();
  }

  #handleMessage(message: FromThread): void {
    const call = this.#pending.get(message.id);
    if ('progress' in message) return call?.progress?.(message.progress);
    this.#pending.delete(message.id);
    if (message.ok) call?.resolve(message.reply);
    else
      call?.reject(message.code ? new Failure(message.code, { params: message.params }) : new Error(message.message));
  }

  #rejectAll(cause: unknown): void {
    this.#hasEnded = true;
    for (const { reject } of this.#pending.values()) reject(fail('phone.session_invalid', undefined, cause));
    this.#pending.clear();
  }
}
