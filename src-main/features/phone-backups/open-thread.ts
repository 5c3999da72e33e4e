import { fail, Failure } from '../../platform/kernel/errors.ts';
import { TaskTimeout, WorkerCrash } from '../../platform/kernel/worker-pool.ts';
import { WorkerProcess } from '../../platform/kernel/worker-process.ts';
import { BEAT_MS } from './beat.ts';
import type { CallName, FromThread, IndexProgress, ThreadCalls, ToThread } from './thread-requests.ts';

/** The thread of one open backup, in a process of its own, as the service uses it. */
export interface OpenThread {
  call<K extends CallName>(
    name: K,
    request: ThreadCalls[K]['request'],
    options?: CallOptions,
  ): Promise<ThreadCalls[K]['reply']>;
  /**
   * Ends the process; pending calls fail with `phone.session_invalid`. If it ends by itself, they fail with
   * `phone.too_demanding`, caused by a `WorkerCrash`.
   */
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
/** What SQLite, the manifest and JavaScript may hold together; a phone with a million files takes 440 MiB. */
const MAX_BYTES = 640 * 2 ** 20;
/** SQLite can't be interrupted. A database that keeps it busy for so long is hostile. */
const MAX_SILENCE_MS = 5 * 60_000;

interface Limits {
  maxBytes: number;
  maxSilenceMs: number;
}

/** Starts a process that can open one backup. */
export const startThread = ({
  maxBytes = MAX_BYTES,
  maxSilenceMs = MAX_SILENCE_MS,
}: Partial<Limits> = {}): OpenThread => new BackupThread({ maxBytes, maxSilenceMs });

class BackupThread implements OpenThread {
  readonly #worker: WorkerProcess;
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 1;
  #hasEnded = false;
  /** Checks since the last message. Time in which the computer sleeps has none. */
  #silentChecks = 0;
  readonly #watch: NodeJS.Timeout;

  constructor({ maxBytes, maxSilenceMs }: Limits) {
    this.#worker = new WorkerProcess({
      script: SCRIPT.href,
      workerData: undefined,
      resourceLimits: RESOURCE_LIMITS,
      maxBytes,
    });
    this.#worker.on('message', (message: FromThread) => this.#handleMessage(message));
    this.#worker.on('error', (error: Error) => this.#crash(new WorkerCrash(error.message, { cause: error })));
    this.#worker.on('exit', () => this.#crash(new WorkerCrash('the process of a phone backup ended')));
    const interval = Math.min(BEAT_MS, maxSilenceMs);
    this.#watch = setInterval(() => {
      this.#silentChecks += 1;
      if (this.#silentChecks * interval > maxSilenceMs) this.#crash(new TaskTimeout('a database took too long'));
    }, interval);
    this.#watch.unref();
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
    this.#rejectAll(fail('phone.session_invalid'));
    await this.#worker.terminate();
  }

  #crash(cause: Error): void {
    if (this.#hasEnded) return;
    this.#rejectAll(fail('phone.too_demanding', undefined, cause));
    void this.#worker.terminate();
  }

  #handleMessage(message: FromThread): void {
    this.#silentChecks = 0;
    if ('isAlive' in message) return;
    const call = this.#pending.get(message.id);
    if ('progress' in message) return call?.progress?.(message.progress);
    this.#pending.delete(message.id);
    if (message.ok) call?.resolve(message.reply);
    else
      call?.reject(message.code ? new Failure(message.code, { params: message.params }) : new Error(message.message));
  }

  #rejectAll(error: Failure): void {
    this.#hasEnded = true;
    clearInterval(this.#watch);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
