import sharp, { type Sharp } from 'sharp';
import { imageSource } from '../../../platform/vault/vault-files.ts';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import { WebAssembly } from '../../../platform/kernel/web-assembly.ts';
import { useHeic } from './heic.ts';
import { bytesHeldPerPixel, requireFewHeicPixels, requireFewPixels } from './image-memory.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import type { PageLimits } from './requests.ts';

/** Resolution for OCR, in pixels per inch. */
const OCR_DPI = 300;
/** Long side of a page whose resolution is unknown: A4 at 300 dpi. */
const LONG_SIDE = 3400;
const MAX_SCALE = 2.5;
/** WebP has 14 bits for each side. */
const MAX_WEBP_SIDE = 16_383;
/**
 * Paper sizes, in inches, for which the resolution stated in a file is plausible; otherwise it is a meaningless
 * default.
 */
const PAPER_INCHES = [4, 24] as const;
/** How decoders of native code say that they got no memory. */
const OUT_OF_MEMORY = /(out of|insufficient) memory|unable to allocate|failed to allocate/i;

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

/**
 * Hands an image of any accepted type to `work`, with pages counted from 1.
 * @throws `upload.too_many_pixels`, or an error of the decoder
 */
async function useImage<T>(
  path: string,
  mime: string,
  page: number,
  maxPixels: number,
  work: (image: OpenImage) => Promise<T>,
): Promise<T> {
  if (mime === 'image/heic') return useHeicImage(path, maxPixels, work);
  // No limit here, because the size was checked before and sharp's own limit error looks like damage.
  const image = sharp(imageSource(path), { page: page - 1, limitInputPixels: false, failOn: 'truncated' });
  const header = await image.metadata();
  const { width, pageHeight, height: total, orientation = 1, density } = header;
  const height = pageHeight ?? total;
  // The pages of a TIFF may differ in size.
  requireFewPixels(width, height, maxPixels, bytesHeldPerPixel(header));
  return work({ image, width, height, isTurned: orientation >= 5, density });
}

const useHeicImage = <T>(path: string, maxPixels: number, work: (image: OpenImage) => Promise<T>): Promise<T> =>
  useHeic(path, async (photo) => {
    requireFewHeicPixels(photo.width, photo.height, maxPixels);
    const { data, width, height, channels } = await photo.decode();
    const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
    // The decoder has applied the orientation.
    return work({ image, width, height, isTurned: false, density: undefined });
  });

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

/** Rethrows an error of a decoder as `upload.damaged`, unless the decoder itself failed. */
export const throwDamaged = (error: unknown): never => {
  // A fault of the decoder itself says nothing about the file.
  const isFault = error instanceof WebAssembly.RuntimeError || OUT_OF_MEMORY.test((error as Error).message);
  if (error instanceof Failure || isFault) throw error;
  throw fail('upload.damaged', undefined, error);
};

/** Counts the pages of an image file, and decodes it once at a small size to detect damage. */
export async function inspectImage(path: string, mime: string, { maxPixels, maxPages }: PageLimits): Promise<number> {
  if (mime === 'image/heic') {
    await useHeicImage(path, maxPixels, async () => undefined).catch(throwDamaged);
    return 1;
  }
  const header = await sharp(imageSource(path), { limitInputPixels: false }).metadata().catch(throwDamaged);
  const pages = mime === 'image/tiff' ? (header.pages ?? 1) : 1;
  if (pages > maxPages) throw fail('upload.too_many_pages', { pages, limit: maxPages });
  requireFewPixels(header.width, header.pageHeight ?? header.height, maxPixels, bytesHeldPerPixel(header));
  await sharp(imageSource(path), { limitInputPixels: false, failOn: 'truncated' })
    .resize(64)
    .raw()
    .toBuffer()
    .catch(throwDamaged);
  return pages;
}

/** The page in gray at about 300 dpi, without any rotation. */
export async function grayscaleImage(
  path: string,
  mime: string,
  page: number,
  maxPixels: number,
): Promise<GrayscaleImage> {
  return useImage(path, mime, page, maxPixels, async (opened) => {
    const [width, height] = opened.isTurned ? [opened.height, opened.width] : [opened.width, opened.height];
    const scale = scaleForOcr(width, height, opened.density);
    const upright = await resizeUpright(opened, Math.round(width * scale), 0, { isGray: true, kernel: 'cubic' });
    const { data, info } = await upright.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    // Copied, because the memory of a native buffer can't be transferred to another thread.
    return { data: new Uint8Array(data), width: info.width, height: info.height };
  }).catch(throwDamaged);
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
  return useImage(path, mime, page, maxPixels, async (opened) => {
    const isAcross = opened.isTurned !== (turn === 90 || turn === 270);
    const [across, high] = isAcross ? [opened.height, opened.width] : [opened.width, opened.height];
    const fitting = Math.max(1, Math.min(width, Math.floor((MAX_WEBP_SIDE * across) / high)));
    const upright = await resizeUpright(opened, fitting, turn, { withoutEnlargement: true });
    return upright.webp({ quality: 82 }).toBuffer();
  }).catch(throwDamaged);
}

/** The page as displayed, as red, green and blue; smaller than stored if that would be more than `mostPixels`. */
export async function pixelsOfImage(
  path: string,
  mime: string,
  page: number,
  turn: PageTurn,
  limits: { mostPixels: number; maxPixels: number },
): Promise<{ data: Uint8Array; width: number; height: number }> {
  return useImage(path, mime, page, limits.maxPixels, async (opened) => {
    const isAcross = opened.isTurned !== (turn === 90 || turn === 270);
    const across = isAcross ? opened.height : opened.width;
    const scale = Math.min(1, Math.sqrt(limits.mostPixels / (opened.width * opened.height)));
    const upright = await resizeUpright(opened, Math.max(1, Math.floor(across * scale)), turn, {});
    const { data, info } = await upright
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  }).catch(throwDamaged);
}
