import type { DataSet, Tag } from './data-set.ts';
import { DicomError } from './dicom-error.ts';
import { hasColorPairs, type ImageLayout } from './image-layout.ts';
import { lookUp, readLookupTable, type LookupTable } from './lookup-table.ts';
import type { Samples } from './samples.ts';

/** Descriptor, data and segmented data of red, green and blue (PS3.3, C.7.6.3.1.5). */
const PALETTE: readonly (readonly [descriptor: Tag, entries: Tag, segments: Tag])[] = [
  ['x00281101', 'x00281201', 'x00281221'],
  ['x00281102', 'x00281202', 'x00281222'],
  ['x00281103', 'x00281203', 'x00281223'],
];
const MAX_ENTRIES = 65_536;

/**
 * Red, green and blue of 8 bits, pixel by pixel.
 * @throws DicomError `unsupported_pixels`, `damaged`
 */
export function renderColors(samples: Samples, layout: ImageLayout, data: DataSet): Uint8Array {
  const { photometric } = layout;
  if (photometric === 'PALETTE COLOR') return renderPalette(samples, layout, data);
  if (photometric === 'YBR_FULL' && layout.bitsStored > 8) return fromWideYbr(samples, layout);
  const bytes = inBytes(samples, layout);
  const isPairs = hasColorPairs(photometric) && samples.length < layout.rows * layout.columns * 3;
  if (photometric.startsWith('YBR_PARTIAL')) return fromPartialYbr(isPairs ? spreadPairs(bytes) : bytes);
  if (isPairs) return fromYbr(spreadPairs(bytes), Math.floor);
  const pixels = layout.isPlanar ? interleave(bytes) : bytes;
  if (photometric === 'RGB') return pixels;
  if (photometric.startsWith('YBR_FULL')) return fromYbr(pixels, Math.round);
  throw new DicomError('unsupported_pixels', photometric);
}

/** Samples of 8 bits: wider ones lose their lower bits, narrower ones are stretched, signed ones begin at their least value. */
function inBytes(samples: Samples, { bitsStored, isSigned }: ImageLayout): Uint8Array {
  const [least, shift] = [isSigned ? 2 ** (bitsStored - 1) : 0, Math.max(0, bitsStored - 8)];
  const stretch = bitsStored < 8 ? 255 / (2 ** bitsStored - 1) : 1;
  const bytes = new Uint8Array(samples.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = ((samples[i]! + least) >>> shift) * stretch;
  return bytes;
}

function renderPalette(samples: Samples, { isSigned }: ImageLayout, data: DataSet): Uint8Array {
  const tables = PALETTE.map((tags) => paletteTable(data, tags, isSigned));
  const colors = new Uint8Array(samples.length * 3);
  tables.forEach((table, color) => {
    const shift = Math.max(0, table.bits - 8);
    for (let i = 0; i < samples.length; i += 1) colors[3 * i + color] = lookUp(table, samples[i]!) >> shift;
  });
  return colors;
}

function paletteTable(data: DataSet, [descriptor, entries, segments]: (typeof PALETTE)[number], isSigned: boolean) {
  const table = data.has(segments)
    ? expandedTable(data, descriptor, segments, isSigned)
    : readLookupTable(data, descriptor, entries, isSigned);
  if (!table) throw new DicomError('damaged', 'the palette is missing');
  // Some devices declare 16 bits and write 8.
  const isNarrow = table.bits > 8 && Array.prototype.every.call(table.entries, (entry: number) => entry < 256);
  return isNarrow ? { ...table, bits: 8 } : table;
}

function expandedTable(data: DataSet, descriptor: Tag, segments: Tag, isSigned: boolean): LookupTable | null {
  const table = readLookupTable(data, descriptor, segments, isSigned);
  return table && { ...table, entries: expandSegments(data.numbers(segments, 'US')) };
}

/** Discrete, linear and indirect segments (PS3.3, C.7.9.2). */
function expandSegments(words: readonly number[]): number[] {
  const entries: number[] = [];
  const expand = (start: number, most: number, isNested: boolean): void => {
    let at = start;
    for (let count = 0; count < most && at + 1 < words.length && entries.length < MAX_ENTRIES; count += 1) {
      const [code, length = 0] = words.slice(at, at + 2);
      if (code === 0) {
        entries.push(...words.slice(at + 2, at + 2 + length));
        at += 2 + length;
      } else if (code === 1) {
        const [from, to] = [entries.at(-1) ?? 0, words[at + 2] ?? 0];
        for (let i = 1; i <= length; i += 1) entries.push(Math.round(from + ((to - from) * i) / length));
        at += 3;
      } else {
        if (code !== 2 || isNested) throw new DicomError('damaged', 'the segments of the palette');
        // The offset is in bytes, its less significant word first.
        expand(((words[at + 2] ?? 0) + (words[at + 3] ?? 0) * 0x1_0000) / 2, length, true);
        at += 4;
      }
    }
  };
  expand(0, Infinity, false);
  return entries.slice(0, MAX_ENTRIES);
}

/** Three planes of samples, pixel by pixel. */
function interleave(planes: Uint8Array): Uint8Array {
  const size = planes.length / 3;
  const pixels = new Uint8Array(planes.length);
  for (let i = 0; i < size; i += 1)
    for (let color = 0; color < 3; color += 1) pixels[3 * i + color] = planes[color * size + i]!;
  return pixels;
}

/** Pairs of pixels with one color, `Y Y Cb Cr`, as pixels with a color each. */
function spreadPairs(pairs: Uint8Array): Uint8Array {
  const pixels = new Uint8Array((pairs.length / 2) * 3);
  for (let from = 0, to = 0; from + 3 < pairs.length; from += 4, to += 6) {
    const [first, second, blue, red] = [pairs[from]!, pairs[from + 1]!, pairs[from + 2]!, pairs[from + 3]!];
    pixels.set([first, blue, red, second, blue, red], to);
  }
  return pixels;
}

/**
 * YBR_FULL as red, green and blue (PS3.3, C.7.6.3.1.2), in place. Without the fractions of red and blue, no color is more
 * than one level from that of dcmtk, which takes 127.5 for the middle, and cuts fractions off later for pairs.
 */
function fromYbr(pixels: Uint8Array, toWhole: (green: number) => number): Uint8Array {
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  for (let i = 0; i < pixels.length; i += 3) {
    const [luminance, blue, red] = [pixels[i]!, pixels[i + 1]! - 128, pixels[i + 2]! - 128];
    clamped[i] = luminance + Math.trunc(1.402 * red);
    clamped[i + 1] = toWhole(luminance - 0.344_136 * blue - 0.714_136 * red);
    clamped[i + 2] = luminance + Math.trunc(1.772 * blue);
  }
  return pixels;
}

/** YBR_FULL of more than 8 bits, which are cut off at the end: before, they would be multiplied. */
function fromWideYbr(samples: Samples, { bitsStored, isSigned, isPlanar }: ImageLayout): Uint8Array {
  const [middle, scale] = [2 ** (bitsStored - 1), 2 ** (8 - bitsStored)];
  const least = isSigned ? middle : 0;
  const size = samples.length / 3;
  const [step, apart] = isPlanar ? [1, size] : [3, 1];
  const pixels = new Uint8Array(samples.length);
  const toByte = (value: number): number => Math.max(0, Math.min(255, Math.floor(value * scale)));
  for (let i = 0; i < size; i += 1) {
    const at = i * step;
    const luminance = samples[at]! + least;
    const [blue, red] = [samples[at + apart]! + least - middle, samples[at + 2 * apart]! + least - middle];
    pixels[3 * i] = toByte(luminance + 1.402 * red);
    pixels[3 * i + 1] = toByte(luminance - 0.344_136 * blue - 0.714_136 * red);
    pixels[3 * i + 2] = toByte(luminance + 1.772 * blue);
  }
  return pixels;
}

/** YBR_PARTIAL, whose luminance is from 16 to 235, as red, green and blue without fractions, in place. */
function fromPartialYbr(pixels: Uint8Array): Uint8Array {
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  for (let i = 0; i < pixels.length; i += 3) {
    const [luminance, blue, red] = [1.1644 * (pixels[i]! - 16), pixels[i + 1]! - 128, pixels[i + 2]! - 128];
    clamped[i] = Math.floor(luminance + 1.596 * red);
    clamped[i + 1] = Math.floor(luminance - 0.3917 * blue - 0.8129 * red);
    clamped[i + 2] = Math.floor(luminance + 2.0173 * blue);
  }
  return pixels;
}
