import type { FromWorker, ToWorker, UnlockProgress, WorkerApi } from '../worker/ios-backup/protocol.ts';
import { DirectError } from './source.ts';

interface PendingCall {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** Calls the worker that reads backups. Terminating it is the surest way to erase its memory. */
export class WorkerClient {
  hasEnded = false;
  onProgress: (progress: UnlockProgress) => void = () => {};
  /** Called when the worker ends unexpectedly: it ran out of memory or its script did not load. */
  onBroken: () => void = () => {};
  readonly #worker = new Worker(new URL('../worker/ios-backup.ts', import.meta.url), {
    type: 'module',
    name: 'phone backup',
  });
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#handleMessage(data));
    this.#worker.addEventListener('error', () => {
      this.end();
      this.onBroken();
    });
  }

  /** Calls a function of the worker. `signal` rejects the call at once and cancels the work if possible. */
  call<K extends keyof WorkerApi>(
    call: K,
    args: Parameters<WorkerApi[K]>,
    { transfer = [], signal }: { transfer?: Transferable[]; signal?: AbortSignal | undefined } = {},
  ): Promise<ReturnType<WorkerApi[K]>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.hasEnded) throw new DirectError('locked');
      this.#lastId += 1;
      const id = this.#lastId;
      this.#pending.set(id, { resolve, reject });
      signal?.addEventListener(
        'abort',
        () => {
          if (!this.#pending.delete(id)) return;
          this.#worker.postMessage({ cancel: id } satisfies ToWorker);
          reject(signal.reason instanceof Error ? signal.reason : new DOMException('', 'AbortError'));
        },
        { once: true },
      );
      this.#worker.postMessage({ id, call, args }, transfer);
    });
  }

  /** Terminates the worker; pending calls fail with `locked`. */
  end(): void {
    this.hasEnded = true;
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(new DirectError('locked'));
    this.#pending.clear();
  }

  #handleMessage(message: FromWorker): void {
    if ('progress' in message) return this.onProgress(message.progress);
    const call = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('error' in message) call?.reject(new DirectError(message.error.code, message.error.params));
    else call?.resolve(message.value as never);
  }
}
