import { DicomError } from './dicom-error.ts';
import type { ImageLayout } from './image-layout.ts';

const HEADER_BYTES = 64;
const MAX_SEGMENTS = 15;

/**
 * Decodes a frame in RLE (PS3.5, annex G): a segment for each byte of each sample, the most significant one first. The
 * result has samples in little endian, those of a pixel together.
 * @throws DicomError `damaged` where segments are missing or end too early
 */
export function decodeRle(coded: Uint8Array, { rows, columns, samples, bitsAllocated }: ImageLayout): Uint8Array {
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const bytes = Math.ceil(bitsAllocated / 8);
  const count = coded.length < HEADER_BYTES ? 0 : view.getUint32(0, true);
  if (count !== samples * bytes || count > MAX_SEGMENTS) throw new DicomError('damaged', `RLE of ${count} segments`);
  const decoded = new Uint8Array(rows * columns * count);
  for (let segment = 0; segment < count; segment += 1) {
    const start = view.getUint32(4 + 4 * segment, true);
    const end = segment + 1 < count ? view.getUint32(8 + 4 * segment, true) : coded.length;
    const [sample, byte] = [Math.floor(segment / bytes), bytes - 1 - (segment % bytes)];
    unpackSegment(coded.subarray(start, end), decoded, { first: sample * bytes + byte, step: count });
  }
  return decoded;
}

/** Runs of copied and of repeated bytes (PS3.5, G.3.2). */
function unpackSegment(segment: Uint8Array, to: Uint8Array, { first, step }: { first: number; step: number }): void {
  let at = first;
  for (let from = 0; at < to.length;) {
    const control = segment[from];
    if (control === undefined) throw new DicomError('damaged', 'a segment of RLE ends early');
    const isCopied = control < 128;
    const length = isCopied ? control + 1 : 257 - control;
    from += 1;
    // It says nothing.
    if (control === 128) continue;
    for (let i = 0; i < length && at < to.length; i += 1, at += step) to[at] = segment[from + (isCopied ? i : 0)] ?? 0;
    from += isCopied ? length : 1;
  }
}
