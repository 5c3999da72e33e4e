import { Transport } from 'esptool-js';

const MIN_CAPACITY_BYTES = 64;

/**
 * The library's serial line, which joins what it receives with `appendArray`, one byte of a packet at a time. A fresh
 * copy for each byte costs 8 MB of copying for every 4 kB that a board sends: 24 s of computing for a backup of 1 MB.
 * Here a result has room behind it, and the next bytes go there. Results of the same bytes never share that room.
 */
export class GrowingTransport extends Transport {
  /** How many bytes of a buffer are part of a result. */
  readonly #filled = new WeakMap<ArrayBufferLike, number>();

  override appendArray(start: Uint8Array, more: Uint8Array): Uint8Array<ArrayBuffer> {
    const length = start.length + more.length;
    const end = start.byteOffset + start.length;
    const hasRoom = this.#filled.get(start.buffer) === end && start.byteOffset + length <= start.buffer.byteLength;
    const grown = hasRoom ? (start as Uint8Array<ArrayBuffer>) : copyWithRoom(start, length);
    const joined = new Uint8Array(grown.buffer, grown.byteOffset, length);
    joined.set(more, start.length);
    this.#filled.set(joined.buffer, joined.byteOffset + length);
    return joined;
  }
}

function copyWithRoom(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(MIN_CAPACITY_BYTES, 2 * length));
  copy.set(bytes);
  return copy;
}
