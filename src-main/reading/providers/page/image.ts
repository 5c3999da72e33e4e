import { readFile } from 'node:fs/promises';
import decodeHeic from 'heic-decode';
import sharp, { type Sharp } from 'sharp';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import type { PageLimits } from './requests.ts';

/** Resolution for OCR, pixels an inch. */
const OCR_DPI = 300;
/** Long side of a page whose resolution is not known: A4 at 300 dpi. */
const LONG_SIDE = 3400;
const MAX_SCALE = 2.5;
/** Sides of paper that a resolution in a file may claim, in inches; beyond that it is a default that says nothing. */
const PAPER_INCHES = [4, 24] as const;
/** Below this size a HEIC is not an image; `heic-decode` holds the whole picture in memory. */
const HEIC_MAX_BYTES = 100 * 2 ** 20;

sharp.cache(false);

/**
 * Opens an image of any accepted type, page counted from 1; EXIF orientation is applied. Throws `upload.damaged`,
 * `upload.too_many_pixels`.
 */
async function open(path: string, mime: string, page: number, maxPixels: number): Promise<Sharp> {
  if (mime === 'image/heic') return openHeic(path, maxPixels);
  // Unlimited here, because the size was asked before: sharp's own message could not be told apart from damage.
  const image = sharp(path, { page: page - 1, limitInputPixels: false, failOn: 'truncated' });
  // Pages of a TIFF may differ in size.
  const meta = await image.metadata();
  requireFewPixels(meta.width, meta.pageHeight ?? meta.height, maxPixels);
  return image.rotate();
}

async function openHeic(path: string, maxPixels: number): Promise<Sharp> {
  const bytes = await readFile(path);
  if (bytes.length > HEIC_MAX_BYTES)
    throw fail('upload.too_many_pixels', { megapixels: Math.round(bytes.length / 2 ** 20), limit: 100 });
  const [image] = await decodeHeic.all({ buffer: bytes });
  if (!image) throw fail('upload.damaged');
  requireFewPixels(image.width, image.height, maxPixels);
  const { width, height, data } = await image.decode();
  return sharp(data, { raw: { width, height, channels: 4 } });
}

function requireFewPixels(width: number, height: number, maxPixels: number): void {
  if (width * height > maxPixels)
    throw fail('upload.too_many_pixels', {
      megapixels: Math.round((width * height) / 1e6),
      limit: Math.round(maxPixels / 1e6),
    });
}

const damaged = (error: unknown): never => {
  throw error instanceof Failure ? error : fail('upload.damaged', undefined, error);
};

/** Pages of an image file; decodes it once in small, so that damage shows now. */
export async function inspectImage(path: string, mime: string, { maxPixels, maxPages }: PageLimits): Promise<number> {
  if (mime === 'image/heic') {
    await openHeic(path, maxPixels).catch(damaged);
    return 1;
  }
  const meta = await sharp(path, { limitInputPixels: false }).metadata().catch(damaged);
  const pages = mime === 'image/tiff' ? (meta.pages ?? 1) : 1;
  if (pages > maxPages) throw fail('upload.too_many_pages', { pages, limit: maxPages });
  requireFewPixels(meta.width, meta.pageHeight ?? meta.height, maxPixels);
  await sharp(path, { limitInputPixels: false, failOn: 'truncated' }).resize(64).raw().toBuffer().catch(damaged);
  return pages;
}

/** The page in gray at about 300 dpi, before any turn. */
export async function grayscaleImage(
  path: string,
  mime: string,
  page: number,
  maxPixels: number,
): Promise<GrayscaleImage> {
  try {
    const image = await open(path, mime, page, maxPixels);
    const meta = await image.metadata();
    const swapped = (meta.orientation ?? 1) >= 5;
    const [width, height] = swapped ? [meta.height, meta.width] : [meta.width, meta.height];
    const scale = scaleForOcr(width, height, meta.density);
    const { data, info } = await image
      .flatten({ background: '#ffffff' })
      .grayscale()
      .resize({ width: Math.round(width * scale), kernel: 'cubic' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    // A copy: the memory of a native buffer cannot move to another thread.
    return { data: new Uint8Array(data), width: info.width, height: info.height };
  } catch (error) {
    return damaged(error);
  }
}

function scaleForOcr(width: number, height: number, density: number | undefined): number {
  const long = Math.max(width, height);
  const inches = density ? long / density : 0;
  const known = density !== undefined && density > 90 && inches >= PAPER_INCHES[0] && inches <= PAPER_INCHES[1];
  return Math.min(MAX_SCALE, Math.max(0.2, known ? OCR_DPI / (density ?? OCR_DPI) : LONG_SIDE / long));
}

/** The page as a person sees it, as WebP. */
export async function pictureOfImage(
  path: string,
  mime: string,
  page: number,
  width: number,
  turn: PageTurn,
  maxPixels: number,
): Promise<Uint8Array> {
  try {
    const image = await open(path, mime, page, maxPixels);
    // Turned in a second step: sharp applies one rotation only, and EXIF had it.
    const upright =
      turn === 0
        ? image
        : sharp(await image.png({ compressionLevel: 0 }).toBuffer(), { limitInputPixels: false }).rotate(turn);
    return await upright
      .flatten({ background: '#ffffff' })
      .resize({ width, withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer();
  } catch (error) {
    return damaged(error);
  }
}
