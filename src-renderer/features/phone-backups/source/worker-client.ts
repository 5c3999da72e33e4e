import type { Calls, Reported } from '../../../workers/ios-backup/protocol.ts';
import { DirectError } from './source.ts';

type Progress = Extract<Reported, { progress: unknown }>['progress'];
interface Waiting { resolve: (value: never) => void; reject: (error: Error) => void }

/** The worker that reads backups, as functions. Ending it is the surest way to drop what it knows. */
export class WorkerClient {
  onProgress: (progress: Progress) => void = () => {};
  readonly #worker = new Worker(new URL('../../../workers/ios-backup.ts', import.meta.url), { type: 'module', name: 'phone backup' });
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Reported>) => this.#hear(data));
    this.#worker.addEventListener('error', () => this.end());
  }

  call<K extends keyof Calls>(call: K, args: Parameters<Calls[K]>, transfer: Transferable[] = []): Promise<ReturnType<Calls[K]>> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject });
      this.#worker.postMessage({ id: this.#last, call, args }, transfer);
    });
  }

  /** Ends the worker with all that it holds; who still waits is told that the backup is locked. */
  end(): void {
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
