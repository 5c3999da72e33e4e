import { createHash } from 'node:crypto';

export const SECTOR_BYTES = 4096;

/** A flash chip on the SPI bus of a board. */
export interface NorFlash {
  readonly bytes: Uint8Array;
  /** What command 9F answers: manufacturer, type, log2 of the size. */
  readonly id: number;
  /** How many sectors were erased since the start. */
  readonly erasedSectors: number;
  /** Erases whole sectors: all bits become 1. */
  erase(offset: number, size: number): void;
  /** Clears bits. Bits that are 0 stay 0; returns how many bytes therefore differ from what was asked for. */
  program(offset: number, data: Uint8Array): number;
  md5(offset: number, size: number): Uint8Array;
}

/** Creates a flash chip of `megabytes` MB, erased or filled with `content`. */
export function createNorFlash(megabytes: number, content?: Uint8Array): NorFlash {
  const bytes = new Uint8Array(megabytes * 1024 * 1024).fill(0xff);
  if (content !== undefined) bytes.set(content);
  let erasedSectors = 0;
  return {
    bytes,
    // Winbond; size as a power of two in the highest of the three bytes.
    id: 0xef | (0x40 << 8) | (Math.log2(bytes.length) << 16),
    get erasedSectors() {
      return erasedSectors;
    },
    erase(offset, size) {
      bytes.fill(0xff, offset, offset + size);
      erasedSectors += size / SECTOR_BYTES;
    },
    program(offset, data) {
      let wrong = 0;
      for (let at = 0; at < data.length; at += 1) {
        const kept = bytes[offset + at]! & data[at]!;
        if (kept !== data[at]) wrong += 1;
        bytes[offset + at] = kept;
      }
      return wrong;
    },
    md5: (offset, size) =>
      createHash('md5')
        .update(bytes.subarray(offset, offset + size))
        .digest(),
  };
}
