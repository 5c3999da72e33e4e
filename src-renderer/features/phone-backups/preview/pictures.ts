import type { Decoded, DecodeJob } from '../worker/decode-protocol.ts';
import type { BackupSource } from '../source/source.ts';
import { kindOf } from './file-kind.ts';

/** Pictures decoded at the same time, and the size of the cache. */
const AT_ONCE = 2,
  MAX_URLS = 400;
/** A picture larger than this is shown on its own only. */
const LARGEST = 64 * 1024 * 1024;
/** Sizes of the previews that the phone itself keeps of its photos, best first. */
const OWN_PREVIEWS = ['5005.JPG', '5003.JPG'];
/** After this many photos without a preview, the backup is assumed to have none. */
const MAX_MISSES = 4;

/**
 * Thumbnails of an open backup: at most two are decoded at a time, the latest request first; locking the backup drops
 * them all.
 */
export class Pictures {
  readonly #source: BackupSource;
  #worker: Worker | null = null;
  readonly #urls = new Map<string, Promise<string | null>>();
  readonly #waiting: (() => void)[] = [];
  readonly #jobs = new Map<number, (blob: Blob | null) => void>();
  #running = 0;
  #last = 0;
  #misses = 0;

  constructor(source: BackupSource) {
    this.#source = source;
  }

  /**
   * Returns the URL of a picture no larger than `longest` pixels; null for other files. `path`: of a photo, whose
   * stored preview is used where there is one.
   */
  url(fileId: string, path: string | null, longest: number): Promise<string | null> {
    const key = `${fileId} ${longest}`;
    const known = this.#urls.get(key);
    if (known) return known;
    const pending = this.#turn(() => this.#make(fileId, path, longest)).then(
      (blob) => blob && URL.createObjectURL(blob),
      () => null,
    );
    this.#urls.set(key, pending);
    if (this.#urls.size > MAX_URLS) this.#dropOldest();
    return pending;
  }

  end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const key of [...this.#urls.keys()]) this.#drop(key);
  }

  async #make(fileId: string, path: string | null, longest: number): Promise<Blob | null> {
    const own = path === null || longest > 400 ? null : await this.#ownPreview(path);
    if (own) return this.#decode(own, false, longest);
    const size = await this.#source.size(fileId);
    if (size === 0 || size > LARGEST) return null;
    const kind = kindOf(await this.#source.bytes(fileId, 0, Math.min(size, 512)));
    if (kind !== 'image' && kind !== 'heic') return null;
    return this.#decode(await this.#source.bytes(fileId, 0, size), kind === 'heic', longest);
  }

  async #ownPreview(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#misses >= MAX_MISSES || !path.startsWith('Media/')) return null;
    for (const name of OWN_PREVIEWS) {
      const fileId = await fileIdOf(
        'CameraRollDomain',
        `Media/PhotoData/Thumbnails/V2/${path.slice('Media/'.length)}/${name}`,
      );
      const size = await this.#source.size(fileId).catch(() => 0);
      if (size > 0) {
        this.#misses = 0;
        return this.#source.bytes(fileId, 0, size);
      }
    }
    this.#misses += 1;
    return null;
  }

  #decode(bytes: Uint8Array<ArrayBuffer>, isHeic: boolean, longest: number): Promise<Blob | null> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#jobs.set(id, resolve);
      this.#decoder().postMessage({ id, bytes, isHeic, longest } satisfies DecodeJob, [bytes.buffer]);
    });
  }

  #decoder(): Worker {
    if (this.#worker) return this.#worker;
    this.#worker = new Worker(new URL('../worker/decode.ts', import.meta.url), {
      type: 'module',
      name: 'pictures',
    });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Decoded>) => {
      this.#jobs.get(data.id)?.(data.blob);
      this.#jobs.delete(data.id);
    });
    return this.#worker;
  }

  async #turn<T>(act: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#running += 1;
    try {
      return await act();
    } finally {
      this.#running -= 1;
      // The latest request is for the picture that the user is looking at.
      this.#waiting.pop()?.();
    }
  }

  #dropOldest(): void {
    for (const key of this.#urls.keys()) return this.#drop(key);
  }

  #drop(key: string): void {
    void this.#urls.get(key)?.then((url) => url && URL.revokeObjectURL(url));
    this.#urls.delete(key);
  }
}

/** The id of a file of a backup: SHA-1 of domain and path. */
async function fileIdOf(domain: string, path: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(`${domain}-${path}`));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
