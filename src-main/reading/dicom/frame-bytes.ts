import { swapBytes } from './byte-order.ts';
import type { ByteSource } from './byte-source.ts';
import { DicomError } from './dicom-error.ts';
import { hasColorPairs, type ImageLayout } from './image-layout.ts';
import type { DicomObject } from './parse.ts';

/** Where the bytes of frames are: as they are coded, native ones in little endian. */
export interface FrameBytes {
  /** @throws DicomError `no_frame`, `damaged`, `too_large` */
  read(source: ByteSource, frame: number): Uint8Array;
}

interface Fragment {
  /** From the first fragment after the offset table, to its item. */
  offset: number;
  position: number;
  length: number;
}

const ITEM = 0xfffe_e000;
const SEQUENCE_END = 0xfffe_e0dd;
const UNDEFINED_LENGTH = 0xffff_ffff;
const MAX_FRAGMENTS = 200_000;
/** A coded frame that is larger than its pixels can be. */
const MAX_CODED_BYTES = 256 * 2 ** 20;

/** Finds the frames of pixel data, native or encapsulated (PS3.5, annex A.4). */
export function findFrames(object: DicomObject, layout: ImageLayout, source: ByteSource): FrameBytes {
  const element = object.pixelElement;
  if (element === null) throw new DicomError('no_pixels', 'there are no pixel data');
  if (element.length !== UNDEFINED_LENGTH)
    return nativeFrames(
      element.dataOffset,
      element.length,
      layout,
      object.syntax.isBigEndian ? wordBytes(element.vr, layout.bitsAllocated) : 1,
    );
  return encapsulatedFrames(object, element.dataOffset, layout, source);
}

const requireFrame = (frame: number, count: number): void => {
  if (!Number.isInteger(frame) || frame < 0 || frame >= count) throw new DicomError('no_frame', `of ${count} frames`);
};

/**
 * What big endian turns around: words of two bytes, also in samples of one byte or four (PS3.5, section 7.3 and annex D), or
 * those of other VRs.
 */
function wordBytes(vr: string | undefined, bitsAllocated: number): number {
  if (vr === 'OB' && bitsAllocated <= 8) return 1;
  return { OF: 4, OL: 4, OD: 8, OV: 8 }[vr ?? ''] ?? 2;
}

/** Frames in little endian; of words of one byte, they are as they are stored. */
function nativeFrames(position: number, length: number, layout: ImageLayout, word: number): FrameBytes {
  const bits = bitsOfFrame(layout);
  return {
    read(from, frame) {
      requireFrame(frame, layout.frames);
      const start = frame * bits;
      const end = Math.ceil((start + bits) / 8);
      const first = Math.floor(start / 8);
      // A frame may begin and end within a word, the other part of which is of another frame or padding.
      const wordStart = first - (first % word);
      const words = from.read(position + wordStart, Math.min(length, Math.ceil(end / word) * word) - wordStart);
      if (end > length || words.length < end - wordStart) throw new DicomError('damaged', 'pixels are cut off');
      const turned = word === 1 ? words : Uint8Array.from(words);
      swapBytes(turned, word);
      const bytes = turned.subarray(first - wordStart, end - wordStart);
      return start % 8 === 0 ? bytes : shiftBits(bytes, start % 8, bits);
    },
  };
}

function bitsOfFrame({ rows, columns, samples, bitsAllocated, photometric }: ImageLayout): number {
  return rows * columns * (hasColorPairs(photometric) ? 2 : samples) * bitsAllocated;
}

/** Frames of one bit a pixel don't begin at a byte. */
function shiftBits(bytes: Uint8Array, by: number, bits: number): Uint8Array {
  const shifted = new Uint8Array(Math.ceil(bits / 8));
  return shifted.map((_, i) => ((bytes[i] ?? 0) >> by) | ((bytes[i + 1] ?? 0) << (8 - by)));
}

function encapsulatedFrames(
  object: DicomObject,
  position: number,
  layout: ImageLayout,
  source: ByteSource,
): FrameBytes {
  const items = readFragments(position, source);
  const hasTable = items[0] !== undefined && !isFrame(source.read(items[0].position, RLE_HEADER), object);
  const fragments = hasTable ? items.slice(1) : items;
  if (items.length === 0 || fragments.length === 0) throw new DicomError('damaged', 'there are no fragments');
  const table = hasTable ? source.read(items[0]!.position, items[0]!.length) : new Uint8Array();
  const starts = frameStarts(object, table, fragments, layout, source);
  return {
    read(from, frame) {
      requireFrame(frame, Math.min(layout.frames, starts.length));
      const parts = fragments.slice(starts[frame], starts[frame + 1]);
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      if (length > MAX_CODED_BYTES) throw new DicomError('too_large', `a coded frame of ${length} bytes`);
      const read = parts.map((part) => from.read(part.position, part.length));
      return read.length === 1 ? read[0]! : Buffer.concat(read);
    },
  };
}

/** The items of the pixel data, that of the offset table first; the last one may be cut off. */
function readFragments(position: number, source: ByteSource): Fragment[] {
  const fragments: Fragment[] = [];
  let base = position;
  for (let at = position; at + 8 <= source.length;) {
    const head = Buffer.from(source.read(at, 8));
    const tag = head.readUInt16LE(0) * 0x1_0000 + head.readUInt16LE(2);
    const length = head.readUInt32LE(4);
    if (tag !== ITEM) {
      if (tag !== SEQUENCE_END && fragments.length < 2) throw new DicomError('damaged', 'fragments are not items');
      break;
    }
    if (fragments.length > MAX_FRAGMENTS) throw new DicomError('too_complex', `more than ${MAX_FRAGMENTS} fragments`);
    if (fragments.length === 1) base = at;
    fragments.push({ offset: at - base, position: at + 8, length });
    at += 8 + length;
  }
  return fragments;
}

/** Bytes of the header of a frame in RLE (PS3.5, annex G.5): the number of segments, then the first begins after it. */
const RLE_HEADER = 64;

/** Whether an item is, or begins, a frame: some devices leave the offset table out, or divide frames against annex A.4. */
function isFrame(head: Uint8Array, { syntax }: DicomObject): boolean {
  if (syntax.pixels !== 'rle') return beginsImage(head);
  const bytes = Buffer.from(head);
  return bytes.length === RLE_HEADER && bytes.readUInt32LE(0) <= 15 && bytes.readUInt32LE(4) === RLE_HEADER;
}

/** The index of the first fragment of each frame. */
function frameStarts(
  object: DicomObject,
  basicTable: Uint8Array,
  fragments: readonly Fragment[],
  { frames }: ImageLayout,
  source: ByteSource,
): number[] {
  if (frames === 1) return [0];
  if (fragments.length === frames) return fragments.map((_, i) => i);
  const byOffset = new Map(fragments.map(({ offset }, i) => [offset, i]));
  for (const offsets of [extendedOffsets(object), offsetsOf(basicTable, 4)]) {
    const found = offsets.map((offset) => byOffset.get(offset) ?? -1);
    // Some devices fill the table with zeros, by which each frame would be the first one.
    if (found.length === frames && found.every((index, i) => index > (found[i - 1] ?? -1))) return found;
  }
  const starts = fragments.flatMap(({ position }, i) =>
    isFrame(source.read(position, RLE_HEADER), object) ? [i] : [],
  );
  if (starts.length === 0) throw new DicomError('damaged', 'fragments can’t be assigned to frames');
  return starts;
}

/** Extended Offset Table (7FE0,0001): 64-bit numbers. */
const extendedOffsets = ({ data }: DicomObject): number[] => offsetsOf(data.bytes('x7fe00001'), 8);

function offsetsOf(table: Uint8Array, size: 4 | 8): number[] {
  const bytes = Buffer.from(table.buffer, table.byteOffset, table.byteLength);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) =>
    size === 4 ? bytes.readUInt32LE(4 * i) : Number(bytes.readBigUInt64LE(8 * i)),
  );
}

/** Start of image of JPEG and JPEG-LS (FFD8), or of a JPEG 2000 codestream (FF4F). */
const beginsImage = ([first, second]: Uint8Array): boolean => first === 0xff && (second === 0xd8 || second === 0x4f);
