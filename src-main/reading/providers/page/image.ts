import { readFile, stat } from 'node:fs/promises';
import decodeHeic, { type HeicImage } from 'heic-decode';
import sharp, { type Sharp } from 'sharp';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import { WebAssembly } from '../../../platform/kernel/web-assembly.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import type { PageLimits } from './requests.ts';

/** Resolution for OCR, in pixels per inch. */
const OCR_DPI = 300;
/** Long side of a page whose resolution is unknown: A4 at 300 dpi. */
const LONG_SIDE = 3400;
const MAX_SCALE = 2.5;
/**
 * Paper sizes, in inches, for which the resolution stated in a file is plausible; otherwise it is a meaningless
 * default.
 */
const PAPER_INCHES = [4, 24] as const;
/** A larger HEIC file is refused, because `heic-decode` holds the whole image in memory. */
const HEIC_MAX_BYTES = 100 * 2 ** 20;
/** libaom holds an image about five times over, 20 bytes a pixel. */
const AVIF_MAX_PIXELS = 40e6;

sharp.cache(false);

/** An image that is decoded when it is used, in the orientation in which it is stored. */
interface OpenImage {
  image: Sharp;
  /** As stored. */
  width: number;
  height: number;
  /** Whether its EXIF orientation exchanges width and height (orientations 5 to 8). */
  isTurned: boolean;
  /** Pixels per inch. */
  density: number | undefined;
}

/** Opens an image of any accepted type, with pages counted from 1. Throws `upload.damaged` or `upload.too_many_pixels`. */
async function open(path: string, mime: string, page: number, maxPixels: number): Promise<OpenImage> {
  if (mime === 'image/heic') return openHeic(path, maxPixels);
  // No limit here, because the size was checked before and sharp's own limit error looks like damage.
  const image = sharp(path, { page: page - 1, limitInputPixels: false, failOn: 'truncated' });
  const { width, pageHeight, height: total, orientation = 1, density } = await image.metadata();
  const height = pageHeight ?? total;
  // The pages of a TIFF may differ in size.
  requireFewPixels(width, height, limitFor(mime, maxPixels));
  return { image, width, height, isTurned: orientation >= 5, density };
}

/** Decoders that hold the whole image several times over get fewer pixels. */
const limitFor = (mime: string, maxPixels: number): number =>
  mime === 'image/avif' ? Math.min(maxPixels, AVIF_MAX_PIXELS) : maxPixels;

/**
 * Resizes an image as stored, and only then turns it upright and by `turn`: turning needs the whole image in memory.
 * @param width of the result
 */
async function resizeUpright(
  { image, isTurned }: OpenImage,
  width: number,
  turn: PageTurn,
  { isGray = false, ...options }: { isGray?: boolean; kernel?: 'cubic'; withoutEnlargement?: boolean },
): Promise<Sharp> {
  const isAcross = isTurned !== (turn === 90 || turn === 270);
  const resized = image
    .flatten({ background: '#ffffff' })
    .grayscale(isGray)
    .resize({ [isAcross ? 'height' : 'width']: width, ...options });
  return sharp(await resized.keepExif().png({ compressionLevel: 0 }).toBuffer())
    .autoOrient()
    .rotate(turn);
}

/** Pixels of an image by its header. Throws `upload.damaged`. */
export async function countPixels(path: string, mime: string): Promise<number> {
  if (mime === 'image/heic') return useHeic(path, ({ width, height }) => width * height).catch(damaged);
  const { width, height, pageHeight } = await sharp(path, { limitInputPixels: false }).metadata().catch(damaged);
  return width * (pageHeight ?? height);
}

const openHeic = (path: string, maxPixels: number): Promise<OpenImage> =>
  useHeic(path, async (picture) => {
    requireFewPixels(picture.width, picture.height, maxPixels);
    const { width, height, data } = await picture.decode();
    const image = sharp(data, { raw: { width, height, channels: 4 } });
    // The decoder has applied the orientation.
    return { image, width, height, isTurned: false, density: undefined };
  });

/** Hands the first image of a HEIC file to `work`, and then frees the decoder's memory. */
async function useHeic<T>(path: string, work: (picture: HeicImage) => T | Promise<T>): Promise<T> {
  const { size } = await stat(path);
  if (size > HEIC_MAX_BYTES)
    throw fail('upload.too_many_pixels', { megapixels: Math.round(size / 2 ** 20), limit: 100 });
  const pictures = await decodeHeic.all({ buffer: await readFile(path) });
  try {
    const [picture] = pictures;
    if (!picture) throw fail('upload.damaged');
    return await work(picture);
  } finally {
    pictures.dispose();
  }
}

function requireFewPixels(width: number, height: number, maxPixels: number): void {
  if (width * height > maxPixels)
    throw fail('upload.too_many_pixels', {
      megapixels: Math.round((width * height) / 1e6),
      limit: Math.round(maxPixels / 1e6),
    });
}

const damaged = (error: unknown): never => {
  // A fault of the decoder itself says nothing about the file.
  if (error instanceof Failure || error instanceof WebAssembly.RuntimeError) throw error;
  throw fail('upload.damaged', undefined, error);
};

/** Counts the pages of an image file, and decodes it once at a small size to detect damage. */
export async function inspectImage(path: string, mime: string, { maxPixels, maxPages }: PageLimits): Promise<number> {
  if (mime === 'image/heic') {
    await openHeic(path, maxPixels).catch(damaged);
    return 1;
  }
  const meta = await sharp(path, { limitInputPixels: false }).metadata().catch(damaged);
  const pages = mime === 'image/tiff' ? (meta.pages ?? 1) : 1;
  if (pages > maxPages) throw fail('upload.too_many_pages', { pages, limit: maxPages });
  requireFewPixels(meta.width, meta.pageHeight ?? meta.height, limitFor(mime, maxPixels));
  await sharp(path, { limitInputPixels: false, failOn: 'truncated' }).resize(64).raw().toBuffer().catch(damaged);
  return pages;
}

/** The page in gray at about 300 dpi, without any rotation. */
export async function grayscaleImage(
  path: string,
  mime: string,
  page: number,
  maxPixels: number,
): Promise<GrayscaleImage> {
  try {
    const opened = await open(path, mime, page, maxPixels);
    const [width, height] = opened.isTurned ? [opened.height, opened.width] : [opened.width, opened.height];
    const scale = scaleForOcr(width, height, opened.density);
    const upright = await resizeUpright(opened, Math.round(width * scale), 0, { isGray: true, kernel: 'cubic' });
    const { data, info } = await upright.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    // Copied, because the memory of a native buffer can't be transferred to another thread.
    return { data: new Uint8Array(data), width: info.width, height: info.height };
  } catch (error) {
    return damaged(error);
  }
}

function scaleForOcr(width: number, height: number, density: number | undefined): number {
  const long = Math.max(width, height);
  const inches = density ? long / density : 0;
  const hasDensity = density !== undefined && density > 90 && inches >= PAPER_INCHES[0] && inches <= PAPER_INCHES[1];
  return Math.min(MAX_SCALE, Math.max(0.2, hasDensity ? OCR_DPI / (density ?? OCR_DPI) : LONG_SIDE / long));
}

/** The page as displayed, as WebP. */
export async function pictureOfImage(
  path: string,
  mime: string,
  page: number,
  width: number,
  turn: PageTurn,
  maxPixels: number,
): Promise<Uint8Array> {
  try {
    const opened = await open(path, mime, page, maxPixels);
    const upright = await resizeUpright(opened, width, turn, { withoutEnlargement: true });
    return await upright.webp({ quality: 82 }).toBuffer();
  } catch (error) {
    return damaged(error);
  }
}
