import { stat } from 'node:fs/promises';
import type { PDFiumDocument } from '@hyzyla/pdfium';
import sharp from 'sharp';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { openPdfFile, type OpenPdf } from './pdfium.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';

type Page = ReturnType<PDFiumDocument['getPage']>;
type PageSize = ReturnType<Page['getOriginalSize']>;

const OCR_DPI = 300;
/** Larger pages (posters, a wrong MediaBox) are rendered at a lower resolution. */
const MAX_SIDE = 4200;

let opened: (OpenPdf & { path: string; stamp: string }) | null = null;

/** Opens a PDF, or reuses the open one, since the pages of a file are requested one after the other. */
async function open(path: string): Promise<OpenPdf> {
  const { size, mtimeMs } = await stat(path);
  const stamp = `${size} ${mtimeMs}`;
  if (opened?.path === path && opened.stamp === stamp) return opened;
  opened?.close();
  opened = null;
  opened = { path, stamp, ...(await openPdfFile(path)) };
  return opened;
}

/**
 * Opens a PDF in PDFium; a file that was opened just before is reused. Throws a Failure for one that it cannot read.
 */
export const openPdf = async (path: string): Promise<PDFiumDocument> => (await open(path)).document;

/** Returns the number of pages. A file whose first page has no usable size is refused; its content is not read. */
export async function inspectPdf(path: string, maxPages: number): Promise<number> {
  const pages = await countPdfPages(path, maxPages);
  const size = (await open(path)).sizeOf(1);
  if (!size) throw fail('upload.damaged');
  scaleFor(size, OCR_DPI / 72);
  return pages;
}

/** Returns the number of pages, whether or not they can be drawn. */
export async function countPdfPages(path: string, maxPages: number): Promise<number> {
  const pages = (await openPdf(path)).getPageCount();
  if (pages > maxPages) throw fail('upload.too_many_pages', { pages, limit: maxPages });
  if (pages < 1) throw fail('upload.damaged');
  return pages;
}

function scaleFor({ originalWidth, originalHeight }: PageSize, requestedScale: number): number {
  const scale = Math.min(requestedScale, MAX_SIDE / Math.max(originalWidth, originalHeight));
  // A page that is less than one pixel wide or high can't be drawn, so its size is damaged.
  if (!(Math.min(originalWidth, originalHeight) * scale >= 1)) throw fail('upload.damaged');
  return scale;
}

/** The page in gray at 300 dpi, rotated according to its /Rotate. */
export async function grayscalePdfPage(page: Page): Promise<GrayscaleImage> {
  const { data, width, height } = await page.render({
    scale: scaleFor(page.getOriginalSize(), OCR_DPI / 72),
    colorSpace: 'Gray',
    render: 'bitmap',
  });
  return { data, width, height };
}

/** The page as displayed, as red, green, blue and a fourth byte; `scale` is the number of pixels of a point. */
export interface PdfPixels {
  data: Uint8Array;
  width: number;
  height: number;
  scale: number;
}

/** Draws the page at `dpi`, or less if it would have more pixels or a longer side than `limits` allow. */
export async function pixelsOfPdfPage(
  page: Page,
  dpi: number,
  limits: { mostPixels: number; longestSide: number },
): Promise<PdfPixels> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = Math.min(
    dpi / 72,
    Math.sqrt(limits.mostPixels / (originalWidth * originalHeight)),
    limits.longestSide / Math.max(originalWidth, originalHeight),
  );
  if (!(Math.min(originalWidth, originalHeight) * scale >= 1)) throw fail('upload.damaged');
  const drawn = await page.render({ scale, colorSpace: 'BGRA', render: 'bitmap', renderFormFields: true });
  return { data: drawn.data, width: drawn.width, height: drawn.height, scale };
}

/** The page as displayed, as WebP. */
export async function pictureOfPdfPage(page: Page, width: number, turn: PageTurn): Promise<Uint8Array> {
  const size = page.getOriginalSize();
  const across = turn === 90 || turn === 270 ? size.originalHeight : size.originalWidth;
  const rendered = await page.render({
    scale: scaleFor(size, width / across),
    colorSpace: 'BGRA',
    render: 'bitmap',
    renderFormFields: true,
  });
  return await sharp(rendered.data, { raw: { width: rendered.width, height: rendered.height, channels: 4 } })
    .rotate(turn)
    .flatten({ background: '#ffffff' })
    .webp({ quality: 82 })
    .toBuffer();
}
