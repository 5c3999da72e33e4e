import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { countPassedBytes } from '../kernel/collect-garbage.ts';

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
  await pipeline(createReadStream(absolute, { highWaterMark: CHUNK_BYTES }), hash, { ...(signal && { signal }) });
  return hash.digest('hex');
}

/** Hashes synchronously, to compare two files within a move. */
export function hashFileSync(absolute: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const file = openSync(absolute, 'r');
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
