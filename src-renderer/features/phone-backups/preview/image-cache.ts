import type { DecodeReply, DecodeRequest } from '../worker/decode-protocol.ts';
import type { BackupSource } from '../source/source.ts';
import { kindOf } from './file-kind.ts';

/** Images decoded at the same time. */
const MAX_PARALLEL = 2;
/** Images in the cache. */
const MAX_URLS = 400;
/** A larger file has no thumbnail. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** Previews that the phone stores of its photos, best first. */
const STORED_PREVIEWS = ['5005.JPG', '5003.JPG'];
/** Stored previews are too coarse for images larger than this. */
const MAX_PREVIEW_SIDE = 400;
/** After this many photos without a preview, the backup is assumed to have none. */
const MAX_MISSES = 4;

/** Decoded images of an open backup. The latest request is decoded first; locking the backup drops them all. */
export class ImageCache {
  readonly #source: BackupSource;
  #worker: Worker | null = null;
  readonly #urls = new Map<string, Promise<string | null>>();
  readonly #waiting: (() => void)[] = [];
  readonly #jobs = new Map<number, (blob: Blob | null) => void>();
  #running = 0;
  #lastId = 0;
  #misses = 0;

  constructor(source: BackupSource) {
    this.#source = source;
  }

  /**
   * Returns the URL of an image no larger than `maxSide` pixels; null for other files. `path`: of a photo, whose stored
   * preview is used if it has one.
   */
  url(fileId: string, path: string | null, maxSide: number): Promise<string | null> {
    const key = `${fileId} ${maxSide}`;
    const cached = this.#urls.get(key);
    if (cached) return cached;
    const pending = this.#limit(() => this.#load(fileId, path, maxSide)).then(
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

  async #load(fileId: string, path: string | null, maxSide: number): Promise<Blob | null> {
    const preview = path === null || maxSide > MAX_PREVIEW_SIDE ? null : await this.#storedPreview(path);
    if (preview) return this.#decode(preview, false, maxSide);
    const size = await this.#source.size(fileId);
    if (size === 0 || size > MAX_IMAGE_BYTES) return null;
    const kind = kindOf(await this.#source.bytes(fileId, 0, Math.min(size, 512)));
    if (kind !== 'image' && kind !== 'heic') return null;
    return this.#decode(await this.#source.bytes(fileId, 0, size), kind === 'heic', maxSide);
  }

  async #storedPreview(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#misses >= MAX_MISSES || !path.startsWith('Media/')) return null;
    for (const name of STORED_PREVIEWS) {
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

  #decode(bytes: Uint8Array<ArrayBuffer>, isHeic: boolean, maxSide: number): Promise<Blob | null> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#jobs.set(id, resolve);
      this.#decoder().postMessage({ id, bytes, isHeic, maxSide } satisfies DecodeRequest, [bytes.buffer]);
    });
  }

  #decoder(): Worker {
    if (this.#worker) return this.#worker;
    this.#worker = new Worker(new URL('../worker/decode.ts', import.meta.url), {
      type: 'module',
      name: 'images',
    });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<DecodeReply>) => {
      this.#jobs.get(data.id)?.(data.blob);
      this.#jobs.delete(data.id);
    });
    return this.#worker;
  }

  async #limit<T>(act: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_PARALLEL)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#running += 1;
    try {
      return await act();
    } finally {
      this.#running -= 1;
      // The latest request is for the image that the user is looking at.
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
