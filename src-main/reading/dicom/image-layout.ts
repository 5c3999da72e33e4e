import { DicomError } from './dicom-error.ts';
import type { DicomObject } from './parse.ts';
import type { PixelCoding } from './transfer-syntaxes.ts';

/** A larger picture is not decoded: two of the largest mammograms fit. */
const MAX_PIXELS = 50e6;

/** How the pixels of an image are stored (PS3.3, C.7.6.3). */
export interface ImageLayout {
  rows: number;
  columns: number;
  frames: number;
  /** Of each pixel. */
  samples: 1 | 3;
  photometric: string;
  /** Whether the samples of a color follow each other, instead of those of a pixel. */
  isPlanar: boolean;
  bitsAllocated: number;
  bitsStored: number;
  /** The most significant of the stored bits. */
  highBit: number;
  isSigned: boolean;
  isFloat: boolean;
}

const FLOATS: Readonly<Record<string, number>> = { x7fe00008: 32, x7fe00009: 64 };
const INTEGER_BITS = new Set([1, 8, 12, 16, 32]);

/** @throws DicomError `no_pixels`, `damaged`, `unsupported_pixels`, `too_large` */
export function readLayout({ data, pixelElement, isCutOff }: DicomObject): ImageLayout {
  if (pixelElement === null && isCutOff) throw new DicomError('damaged', 'the elements end before the pixels');
  if (pixelElement === null) throw new DicomError('no_pixels', 'there are no pixel data');
  const number = (tag: `x${string}`): number | null => data.number(tag, 'US');
  const [rows, columns] = [number('x00280010'), number('x00280011')];
  if (!rows || !columns) throw new DicomError('damaged', 'rows or columns are missing');
  if (rows * columns > MAX_PIXELS) throw new DicomError('too_large', `${columns} × ${rows} pixels`);
  const floatBits = FLOATS[pixelElement.tag];
  const samples = number('x00280002') || 1;
  const bitsAllocated = floatBits ?? number('x00280100') ?? 16;
  const bitsStored = Math.min(bitsAllocated, number('x00280101') || bitsAllocated);
  const highBit = Math.min(bitsAllocated - 1, Math.max(bitsStored - 1, number('x00280102') ?? bitsStored - 1));
  if (samples !== 1 && samples !== 3) throw new DicomError('unsupported_pixels', `${samples} samples per pixel`);
  if (floatBits === undefined && !INTEGER_BITS.has(bitsAllocated))
    throw new DicomError('unsupported_pixels', `${bitsAllocated} bits allocated`);
  return {
    ...{ rows, columns, samples, bitsAllocated, bitsStored, highBit },
    frames: Math.max(1, Math.trunc(data.number('x00280008', 'IS') ?? 1)),
    photometric: data.text('x00280004')?.toUpperCase() ?? (samples === 3 ? 'RGB' : 'MONOCHROME2'),
    isPlanar: number('x00280006') === 1,
    isSigned: number('x00280103') === 1,
    isFloat: floatBits !== undefined,
  };
}

/** Whether pixels share their colors in pairs (PS3.3, C.7.6.3.1.2). */
export const hasColorPairs = (photometric: string): boolean =>
  photometric === 'YBR_FULL_422' || photometric === 'YBR_PARTIAL_422';

/**
 * The colors of what a decoder returns: transforms that belong to a codestream are undone, and those of JPEG on demand.
 */
export function decodedPhotometric(coding: PixelCoding, photometric: string, samples: number): string {
  if (samples !== 3 || coding === 'native' || coding === 'rle') return photometric;
  const isJpeg = coding === 'jpeg' || coding === 'jpeg_lossless';
  const isUndone = isJpeg ? photometric.startsWith('YBR') : photometric === 'YBR_ICT' || photometric === 'YBR_RCT';
  return isUndone ? 'RGB' : photometric;
}
