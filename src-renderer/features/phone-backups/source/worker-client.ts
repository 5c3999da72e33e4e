import type { Calls, Reported, Told } from '../worker/ios-backup/protocol.ts';
import { DirectError } from './source.ts';

type Progress = Extract<Reported, { progress: unknown }>['progress'];
interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** The worker that reads backups, as functions. Ending it is the surest way to drop what it knows. */
export class WorkerClient {
  hasEnded = false;
  onProgress: (progress: Progress) => void = () => {};
  /** The worker ended by itself: its memory was not enough, or its script did not load. */
  onBroken: () => void = () => {};
  readonly #worker = new Worker(new URL('../worker/ios-backup.ts', import.meta.url), {
    type: 'module',
    name: 'phone backup',
  });
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Reported>) => this.#hear(data));
    this.#worker.addEventListener('error', () => {
      this.end();
      this.onBroken();
    });
  }

  /** `signal` ends the wait at once, and the work where it can be ended. */
  call<K extends keyof Calls>(
    call: K,
    args: Parameters<Calls[K]>,
    { transfer = [], signal }: { transfer?: Transferable[]; signal?: AbortSignal | undefined } = {},
  ): Promise<ReturnType<Calls[K]>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.hasEnded) throw new DirectError('locked');
      this.#last += 1;
      const id = this.#last;
      this.#waiting.set(id, { resolve, reject });
      signal?.addEventListener(
        'abort',
        () => {
          if (!this.#waiting.delete(id)) return;
          this.#worker.postMessage({ cancel: id } satisfies Told);
          reject(signal.reason instanceof Error ? signal.reason : new DOMException('', 'AbortError'));
        },
        { once: true },
      );
      this.#worker.postMessage({ id, call, args }, transfer);
    });
  }

  /** Ends the worker with all that it holds; who still waits is told that the backup is locked. */
  end(): void {
    this.hasEnded = true;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new DirectError('locked'));
    this.#waiting.clear();
  }

  #hear(data: Reported): void {
    if ('progress' in data) return this.onProgress(data.progress);
    const waiting = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if ('error' in data) waiting?.reject(new DirectError(data.error.code, data.error.params));
    else waiting?.resolve(data.value as never);
  }
}
