import sharp, { type Metadata } from 'sharp';
import { imageSource } from '../../../platform/vault/vault-files.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { useHeic } from './heic.ts';

/** What a decoder may hold of one image. */
const MAX_DECODER_BYTES = 350 * 2 ** 20;
/** libheif holds a photo and its tiles, as YCbCr and as RGB. */
const HEIC_BYTES_PER_PIXEL = 7.3;
/** libaom holds an image about five times over. */
const AVIF_BYTES_PER_PIXEL = 18;
/** The picture as RGBA, and what is resized of it meanwhile; measured. */
const GIF_BYTES_PER_PIXEL = 5.3;
/** If it is lossless, which its header does not say; an animation holds two canvases. */
const WEBP_BYTES_PER_PIXEL = 7;
const ANIMATED_WEBP_BYTES_PER_PIXEL = 13;
/** Rows of other formats, a pixel of the whole image. */
const ROWS_BYTES_PER_PIXEL = 0.4;
/** Bytes of a sample by its type; a strip or a tile of a TIFF can be the whole image. */
const SAMPLE_BYTES: Partial<Record<string, number>> = { ushort: 2, short: 2, uint: 4, int: 4, float: 4 };
const MAX_SAMPLE_BYTES = 16;

type Header = Pick<Metadata, 'format' | 'isProgressive' | 'channels' | 'depth' | 'chromaSubsampling' | 'pages'>;

/**
 * Bytes a pixel that the decoder has to hold of the whole image before it returns the first row; 0 if it can decode row
 * by row.
 */
export function bytesHeldPerPixel(header: Header): number {
  const { format, isProgressive, channels, depth, chromaSubsampling, pages = 1 } = header;
  if (format === 'heif') return AVIF_BYTES_PER_PIXEL;
  if (format === 'gif') return GIF_BYTES_PER_PIXEL;
  if (format === 'webp') return pages > 1 ? ANIMATED_WEBP_BYTES_PER_PIXEL : WEBP_BYTES_PER_PIXEL;
  if (format === 'png' && isProgressive) return channels * (depth === 'ushort' ? 2 : 1);
  // Coefficients of two bytes (ITU T.81, annex G); of each color there is a quarter if it is subsampled in both ways.
  if (format === 'jpeg' && isProgressive) return chromaSubsampling === '4:2:0' ? 3 : 2 * channels;
  return 0;
}

/** @throws `upload.too_many_pixels` if there are more than allowed, or more than there is memory for */
export function requireFewPixels(width: number, height: number, maxPixels: number, bytesPerPixel: number): void {
  const limit = bytesPerPixel > 0 ? Math.min(maxPixels, MAX_DECODER_BYTES / bytesPerPixel) : maxPixels;
  if (width * height > limit)
    throw fail('upload.too_many_pixels', {
      megapixels: Math.ceil((width * height) / 1e6),
      limit: Math.floor(limit / 1e6),
    });
}

/** Checks the size of a HEIC image in pixels before it is decoded. Throws a Failure above the limit. */
export const requireFewHeicPixels = (width: number, height: number, maxPixels: number): void =>
  requireFewPixels(width, height, maxPixels, HEIC_BYTES_PER_PIXEL);

/** About how much memory the image takes when it is decoded, by its header. Throws errors of the decoder. */
export async function estimateDecodingMemory(path: string, mime: string): Promise<number> {
  if (mime === 'image/heic') return useHeic(path, ({ width, height }) => width * height * HEIC_BYTES_PER_PIXEL);
  const header = await sharp(imageSource(path), { limitInputPixels: false }).metadata();
  const { width, height, pageHeight = height } = header;
  return width * pageHeight * (bytesHeldPerPixel(header) || bytesOfRows(header));
}

function bytesOfRows({ format, channels, depth }: Metadata): number {
  if (format !== 'tiff') return ROWS_BYTES_PER_PIXEL;
  const sampleBytes = depth === 'uchar' || depth === 'char' ? 1 : (SAMPLE_BYTES[depth] ?? MAX_SAMPLE_BYTES);
  return channels * sampleBytes;
}
