import { createInflate } from 'node:zlib';
import type { Chip } from './chips.ts';
import { type NorFlash, SECTOR_BYTES } from './nor-flash.ts';

const ERROR = { failed: 6, inflate: 0x0b, tooLittle: 0xc8, tooMuch: 0xc9 } as const;

/** One transfer into the flash, from its beginning to its end. */
export interface FlashWriter {
  readonly isCompressed: boolean;
  /** Error of the beginning. */
  readonly error: number;
  take(sequence: number, data: Uint8Array): Promise<number>;
  finish(): number;
}

interface Beginning {
  isCompressed: boolean;
  isInRam: boolean;
  size: number;
  count: number;
  blockBytes: number;
  offset: number;
}

/**
 * Creates the writer of a transfer. The ROM erases at the beginning, a loader in RAM as it writes; like the real ones, they
 * take blocks in the order in which they come, whatever number those have.
 */
export function createFlashWriter(
  { flash, chip, reportViolation }: { flash: NorFlash; chip: Chip; reportViolation(what: string): void },
  { isCompressed, isInRam, size, count, blockBytes, offset }: Beginning,
): FlashWriter {
  const end = offset + Math.ceil(size / SECTOR_BYTES) * SECTOR_BYTES;
  const isFine = offset % SECTOR_BYTES === 0 && end <= flash.bytes.length;
  if (!isFine) reportViolation(`a transfer of ${size} bytes to 0x${offset.toString(16)}`);
  let at = offset;
  let erasedTo = offset;
  let next = 0;
  const inflated: Uint8Array[] = [];
  const inflate = isCompressed ? createInflate() : null;
  let inflateError = false;
  inflate?.on('data', (bytes: Buffer) => inflated.push(bytes));
  inflate?.on('error', () => (inflateError = true));
  if (isFine && !isInRam) {
    // The ROM of the ESP8266 erases the sectors at the head of a block twice, and so more than was asked for.
    const extra = chip.name === 'esp8266' ? Math.min(16, flash.bytes.length / SECTOR_BYTES - end / SECTOR_BYTES) : 0;
    erasedTo = end + extra * SECTOR_BYTES;
    flash.erase(offset, erasedTo - offset);
  }

  function write(bytes: Uint8Array): number {
    const limit = isCompressed ? offset + size : Math.max(end, offset + count * blockBytes);
    if (at + bytes.length > limit) {
      reportViolation('more bytes than announced');
      return ERROR.tooMuch;
    }
    while (isInRam && erasedTo < at + bytes.length && erasedTo < end) {
      flash.erase(erasedTo, SECTOR_BYTES);
      erasedTo += SECTOR_BYTES;
    }
    const room = bytes.subarray(0, Math.max(0, erasedTo - at));
    if (room.length < bytes.length && bytes.subarray(room.length).some((byte) => byte !== 0xff))
      reportViolation('bytes behind what was erased');
    if (flash.program(at, room) > 0) reportViolation('bytes over a place that was not erased');
    at += bytes.length;
    return 0;
  }

  async function expand(data: Uint8Array): Promise<Uint8Array> {
    await new Promise<void>((resolve) => inflate!.write(data, () => resolve()));
    return Buffer.concat(inflated.splice(0));
  }

  return {
    isCompressed,
    error: isFine ? 0 : ERROR.failed,
    async take(sequence, data) {
      if (sequence !== next) reportViolation(`block ${sequence} instead of ${next}`);
      if (sequence >= count || data.length > blockBytes) reportViolation(`block ${sequence} is more than announced`);
      next = sequence + 1;
      const bytes = isCompressed ? await expand(data) : data;
      return inflateError ? ERROR.inflate : write(bytes);
    },
    finish() {
      const isWhole = isCompressed ? at === offset + size || !isInRam : next === count;
      if (!isWhole) reportViolation(`an end after ${at - offset} of ${size} bytes`);
      return isWhole ? 0 : ERROR.tooLittle;
    },
  };
}
