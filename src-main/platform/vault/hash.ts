import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { countPassedBytes } from '../kernel/collect-garbage.ts';
import type { Content } from '../sealed/sealed-file.ts';
import { openVaultFile, streamVaultFile } from './vault-files.ts';

const CHUNK_BYTES = 1 << 20;

/**
 * Passes at most `limit` bytes on, otherwise fails with `tooLarge`; at the end it provides their number and SHA-256
 * (lower-case hex).
 */
export class HashingStream extends Transform {
  readonly #hash = createHash('sha256');
  readonly #limit: number;
  readonly #tooLarge: Error;
  size = 0;

  constructor(limit: number, tooLarge: Error) {
    super();
    this.#limit = limit;
    this.#tooLarge = tooLarge;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.#limit) return done(this.#tooLarge);
    this.#hash.update(chunk);
    countPassedBytes(chunk.length);
    done(null, chunk);
  }

  /** Call once, after the end of the stream. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Hashes a file in chunks: SHA-256 in lower-case hex. */
export async function hashFile(absolute: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(streamVaultFile(absolute), hash, { ...(signal && { signal }) });
  return hash.digest('hex');
}

/** Hashes the bytes of a file as they are stored, sealed or not. */
export async function hashStored(absolute: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(absolute), hash);
  return hash.digest('hex');
}

/** Hashes synchronously, to compare two files within a move. */
export const hashFileSync = (absolute: string): string => hashContent(openVaultFile(absolute));

/** Hashes an open file from its beginning, and closes it. */
export function hashContent(file: Content): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (let at = 0; ;) {
      const read = file.readSync(chunk, 0, chunk.length, at);
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      at += read;
    }
  } finally {
    file.close();
  }
  return hash.digest('hex');
}

/** In place of the hash of a file whose seal is broken; equal to no hash. */
export const DAMAGED = 'damaged';
