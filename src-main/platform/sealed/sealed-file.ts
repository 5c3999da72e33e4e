import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import {
  CHUNK_BYTES,
  contentSize,
  HEADER_BYTES,
  looksSealed,
  makeHeader,
  nonceOf,
  openChunk,
  openHeader,
  SEALED_CHUNK_BYTES,
  sealChunk,
  type VaultKey,
} from '../kernel/age-format.ts';

/** A sealed file was cut short, changed, or sealed for another vault. */
export class SealBroken extends Error {
  /** What a disk says of a damaged block; such a file is damaged as well. */
  readonly code = 'EBADMSG';
  constructor() {
    super('A file of the vault is damaged, or was not written by this vault.');
    this.name = 'SealBroken';
  }
}

/** The content of a file of the vault, sealed or not, read at any place. */
export interface Content {
  size: number;
  isSealed: boolean;
  /** Reads at most `length` bytes at `position`; returns the number of them, 0 at the end. @throws `SealBroken` */
  readSync(target: Uint8Array, offset: number, length: number, position: number): number;
  close(): void;
}

/** Opens a file. Without a key, or where the file does not begin like those of the vault, its bytes are its content. */
export function openContent(path: string, key: VaultKey | null): Content {
  const file = openSync(path, 'r');
  try {
    return key === null ? plainContent(file) : contentOf(file, key);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

const plainContent = (file: number): Content => ({
  size: fstatSync(file).size,
  isSealed: false,
  readSync: (target, offset, length, position) => readSync(file, target, offset, length, position),
  close: () => closeSync(file),
});

function contentOf(file: number, key: VaultKey): Content {
  const start = Buffer.alloc(HEADER_BYTES);
  const read = readSync(file, start, 0, HEADER_BYTES, 0);
  if (!looksSealed(start.subarray(0, read), key)) return plainContent(file);
  const header = openHeader(start.subarray(0, read), key);
  const size = contentSize(fstatSync(file).size);
  if (header === null || size === null) throw new SealBroken();
  return new SealedContent(file, header.payloadKey, size);
}

class SealedContent implements Content {
  readonly size: number;
  readonly isSealed = true;
  readonly #file: number;
  readonly #key: Buffer;
  /** The chunk that was read last: readers go forward in small steps. */
  #cached: { index: number; plain: Buffer } | null = null;

  constructor(file: number, key: Buffer, size: number) {
    this.#file = file;
    this.#key = key;
    this.size = size;
    // Nobody reads at any place of an empty file, and it could have been a longer one.
    if (size === 0) this.#chunk(0);
  }

  readSync(target: Uint8Array, offset: number, length: number, position: number): number {
    let done = 0;
    while (done < length && position + done < this.size) {
      const at = position + done;
      const plain = this.#chunk(Math.floor(at / CHUNK_BYTES));
      const from = at % CHUNK_BYTES;
      const part = plain.subarray(from, from + length - done);
      target.set(part, offset + done);
      done += part.length;
    }
    return done;
  }

  close(): void {
    this.#cached?.plain.fill(0);
    closeSync(this.#file);
  }

  #chunk(index: number): Buffer {
    if (this.#cached?.index === index) return this.#cached.plain;
    const isLast = (index + 1) * CHUNK_BYTES >= this.size;
    const sealed = Buffer.alloc(isLast ? this.size - index * CHUNK_BYTES + 16 : SEALED_CHUNK_BYTES);
    const read = readSync(this.#file, sealed, 0, sealed.length, HEADER_BYTES + index * SEALED_CHUNK_BYTES);
    if (read !== sealed.length) throw new SealBroken();
    const plain = openOrThrow(this.#key, nonceOf(index, isLast), sealed);
    this.#cached = { index, plain };
    return plain;
  }
}

function openOrThrow(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  try {
    return openChunk(key, nonce, sealed);
  } catch {
    throw new SealBroken();
  }
}

/** Streams [start, end) of a file; the rest is neither read nor decrypted. */
export function streamContent(
  path: string,
  key: VaultKey | null,
  range: { start?: number; end?: number } = {},
): Readable {
  const content = openContent(path, key);
  const { start = 0, end = content.size } = range;
  if (!content.isSealed) {
    content.close();
    return start >= end ? Readable.from([]) : createReadStream(path, { start, end: end - 1 });
  }
  let position = start;
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      try {
        // Up to the end of a chunk, so that no chunk is decrypted twice.
        const length = Math.min(CHUNK_BYTES - (position % CHUNK_BYTES), Math.min(end, content.size) - position);
        if (length <= 0) return void this.push(null);
        const bytes = Buffer.alloc(length);
        position += content.readSync(bytes, 0, length, position);
        this.push(bytes);
      } catch (error) {
        this.destroy(error as Error);
      }
    },
    destroy(error, done) {
      content.close();
      done(error);
    },
  });
}

/** Seals a content piece by piece. */
export class Sealer {
  readonly header: Buffer;
  readonly #key: Buffer;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #index = 0;

  constructor(key: VaultKey) {
    const { header, payloadKey } = makeHeader(key);
    this.header = header;
    this.#key = payloadKey;
  }

  /** Returns the chunks that are full. The last one is kept back, because only it says that it is the last. */
  add(piece: Uint8Array): Buffer[] {
    this.#pending.push(piece);
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes <= CHUNK_BYTES) return [];
    const all = Buffer.concat(this.#pending);
    const sealed: Buffer[] = [];
    let from = 0;
    for (; all.length - from > CHUNK_BYTES; from += CHUNK_BYTES)
      sealed.push(this.#seal(all.subarray(from, from + CHUNK_BYTES), false));
    this.#pending = [all.subarray(from)];
    this.#pendingBytes = all.length - from;
    return sealed;
  }

  /** Returns the last chunk. */
  end(): Buffer {
    return this.#seal(Buffer.concat(this.#pending), true);
  }

  #seal(plain: Buffer, isLast: boolean): Buffer {
    const sealed = sealChunk(this.#key, nonceOf(this.#index, isLast), plain);
    this.#index += 1;
    return sealed;
  }
}

/** Seals what passes through. */
export class SealingStream extends Transform {
  readonly #sealer: Sealer;

  constructor(key: VaultKey) {
    super();
    this.#sealer = new Sealer(key);
    this.push(this.#sealer.header);
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (const chunk of this.#sealer.add(piece)) this.push(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.push(this.#sealer.end());
    done();
  }
}
