import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';

/** Part of a page, or several parts drawn together, with the mapping of its words back to the page. */
export interface Cutout {
  grayscale: GrayscaleImage;
  onPage(words: readonly PageWord[]): PageWord[];
}

/** Pixels darker than this are print. */
const DARK = 128;
/** A row or column with fewer dark pixels contains only dust. */
const MIN_DARK = 4;
/** Margin of blank paper around the print, as a fraction of the long side: half a centimeter on A4. */
const RIM = 1 / 60;
/** Cropping less than this fraction of the page is not worth a copy. */
const WORTH = 0.05;

/** Removes the blank margins of a page, because OCR takes about as long for blank paper as for print. */
export function cropToPrint(grayscale: GrayscaleImage): Cutout {
  const { width, height } = grayscale,
    whole: Cutout = { grayscale, onPage: (words) => [...words] };
  const { rows, columns } = darkness(grayscale),
    rim = Math.round(Math.max(width, height) * RIM);
  const isPrint = (dark: number): boolean => dark >= MIN_DARK;
  if (!rows.some(isPrint)) return whole;
  const top = Math.max(0, rows.findIndex(isPrint) - rim),
    bottom = Math.min(height, rows.findLastIndex(isPrint) + 1 + rim);
  const left = Math.max(0, columns.findIndex(isPrint) - rim),
    right = Math.min(width, columns.findLastIndex(isPrint) + 1 + rim);
  const w = right - left,
    h = bottom - top;
  if (w <= 0 || h <= 0 || w * h > (1 - WORTH) * width * height) return whole;
  const data = new Uint8Array(w * h);
  for (let y = 0; y < h; y += 1)
    data.set(grayscale.data.subarray((top + y) * width + left, (top + y) * width + right), y * w);
  return {
    grayscale: { data, width: w, height: h },
    onPage: (words) =>
      words.map((word) => ({
        ...word,
        x: (word.x * w + left) / width,
        y: (word.y * h + top) / height,
        w: (word.w * w) / width,
        h: (word.h * h) / height,
      })),
  };
}

/** Number of dark pixels in each row and column. */
function darkness({ data, width, height }: GrayscaleImage): { rows: Uint32Array; columns: Uint32Array } {
  const rows = new Uint32Array(height),
    columns = new Uint32Array(width);
  for (let y = 0, at = 0; y < height; y += 1) {
    let dark = 0;
    for (let x = 0; x < width; x += 1, at += 1) {
      if ((data[at] ?? 255) >= DARK) continue;
      dark += 1;
      columns[x] = (columns[x] ?? 0) + 1;
    }
    rows[y] = dark;
  }
  return { rows, columns };
}
