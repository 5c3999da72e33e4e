import { readFile, stat } from 'node:fs/promises';
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium';
import sharp from 'sharp';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';

type Page = ReturnType<PDFiumDocument['getPage']>;
type PageSize = ReturnType<Page['getOriginalSize']>;

const OCR_DPI = 300;
/** Larger pages (posters, wrong MediaBox) are rendered smaller. */
const MAX_SIDE = 4200;
/** WebAssembly memory ends at 4 GiB, and pdfium keeps the whole file in it. */
const MAX_FILE_BYTES = 1.5 * 2 ** 30;

let library: Promise<PDFiumLibrary> | null = null;
let opened: { path: string; stamp: string; document: PDFiumDocument } | null = null;

/** Opens a PDF, or takes the one that is open: pages of one file are asked one after the other. */
export async function openPdf(path: string): Promise<PDFiumDocument> {
  const { size, mtimeMs } = await stat(path);
  const stamp = `${size} ${mtimeMs}`;
  if (opened?.path === path && opened.stamp === stamp) return opened.document;
  opened?.document.destroy();
  opened = null;
  if (size > MAX_FILE_BYTES) throw fail('upload.damaged');
  library ??= PDFiumLibrary.init();
  try {
    const document = await (await library).loadDocument(await readFile(path));
    opened = { path, stamp, document };
    return document;
  } catch (error) {
    // pdfium's codes 4 and 5: password wanted, unknown protection.
    throw /password|security/i.test((error as Error).message)
      ? fail('upload.encrypted', undefined, error)
      : fail('upload.damaged', undefined, error);
  }
}

/** Number of pages; the first one is opened, so that a file without a usable page is refused. */
export async function inspectPdf(path: string, maxPages: number): Promise<number> {
  const document = await openPdf(path);
  const pages = document.getPageCount();
  if (pages > maxPages) throw fail('upload.too_many_pages', { pages, limit: maxPages });
  if (pages < 1) throw fail('upload.damaged');
  try {
    scaleFor(document.getPage(0).getOriginalSize(), OCR_DPI / 72);
  } catch (error) {
    throw error instanceof Failure ? error : fail('upload.damaged', undefined, error);
  }
  return pages;
}

function scaleFor({ originalWidth, originalHeight }: PageSize, wanted: number): number {
  const scale = Math.min(wanted, MAX_SIDE / Math.max(originalWidth, originalHeight));
  // Less than a pixel across cannot be drawn: what says so is not a page.
  if (!(Math.min(originalWidth, originalHeight) * scale >= 1)) throw fail('upload.damaged');
  return scale;
}

/** The page in gray at 300 dpi, as its /Rotate says. */
export async function grayscalePdfPage(page: Page): Promise<GrayscaleImage> {
  const { data, width, height } = await page.render({
    scale: scaleFor(page.getOriginalSize(), OCR_DPI / 72),
    colorSpace: 'Gray',
    render: 'bitmap',
  });
  return { data, width, height };
}

/** The page as a person sees it, as WebP. */
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
