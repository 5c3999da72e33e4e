import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { median } from '../../extraction/layout/geometry.ts';
import type { Cutout } from './cutout.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';

/** A letter was not recognized if it is outside all words by this fraction of the usual height. */
const RIM = 0.3;
/** Heights of letters and digits, as fractions of the usual height. */
const MIN_HEIGHT = 0.6,
  MAX_HEIGHT = 1.7;
/** Minimum ratio of width to height of a single letter; brackets, strokes and signs are narrower. */
const WIDE = 0.42;
/** Maximum distance between letters of one word, in usual heights. */
const NEXT = 0.9;
/** If a larger fraction of all letters is outside words, it is an image or dirt. */
const MAX_SHARE = 0.4;
/** Margin above and below such a letter, in usual heights. */
const ABOVE = 0.5;
/** Minimum confidence of new words; single characters need a higher one. */
const SURE = 0.5,
  SURE_ALONE = 0.75;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Returns the lines of a page with letters that no word covers, isolated on paper: page segmentation skips small
 * columns beside wide gaps, and text beside images. `letters` contains left, top, right, bottom of each dark component.
 * Null if everything was recognized.
 */
export function findUnrecognizedGlyphs(
  grayscale: GrayscaleImage,
  letters: Int32Array,
  words: readonly PageWord[],
): Cutout | null {
  const boxes = words.map((word): Box => ({
    left: word.x * grayscale.width,
    top: word.y * grayscale.height,
    right: (word.x + word.w) * grayscale.width,
    bottom: (word.y + word.h) * grayscale.height,
  }));
  const usual = median(boxes.map(({ top, bottom }) => bottom - top));
  if (usual === 0) return null;
  const unread = findUnread(letters, boxes, usual);
  if (unread.length > MAX_SHARE * (letters.length / 4)) return null;
  const telling = unread.filter(
    (box) =>
      box.right - box.left > WIDE * (box.bottom - box.top) ||
      unread.some((other) => other !== box && follows(other, box, usual)),
  );
  return telling.length === 0 ? null : bandsOf(grayscale, telling, usual);
}

/** Selects the new words that have sufficient confidence and overlap no existing word. */
export function selectNewWords(found: readonly PageWord[], known: readonly PageWord[]): PageWord[] {
  return found.filter(
    (word) =>
      word.confidence >= (word.text.length > 1 ? SURE : SURE_ALONE) &&
      /[\p{L}\d%]/u.test(word.text) &&
      (word.text.length > 1 || /[\dHL%]/.test(word.text)) &&
      !known.some((other) => overlaps(word, other)),
  );
}

const overlaps = (a: PageWord, b: PageWord): boolean =>
  Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) > 0.25 * Math.min(a.w, b.w) &&
  Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y) > 0.3 * Math.min(a.h, b.h);

/** The letters that no word covers. */
export function findUnread(letters: Int32Array, words: readonly Box[], usual: number): Box[] {
  const rows = byRow(words, usual),
    rim = RIM * usual;
  const unread: Box[] = [];
  for (let i = 0; i < letters.length; i += 4) {
    const [left = 0, top = 0, right = 0, bottom = 0] = letters.subarray(i, i + 4);
    const height = bottom - top + 1,
      x = (left + right) / 2,
      y = (top + bottom) / 2;
    if (height < MIN_HEIGHT * usual || height > MAX_HEIGHT * usual || right - left > 2 * usual) continue;
    const isRead = (rows.get(Math.floor(y / usual)) ?? []).some(
      (box) => x > box.left - rim && x < box.right + rim && y > box.top - rim && y < box.bottom + rim,
    );
    if (!isRead) unread.push({ left, top, right, bottom });
  }
  return unread;
}

/** Groups boxes by the rows, of the usual height, that they touch. */
function byRow(boxes: readonly Box[], usual: number): Map<number, Box[]> {
  const rows = new Map<number, Box[]>();
  for (const box of boxes)
    for (let row = Math.floor(box.top / usual) - 1; row <= Math.floor(box.bottom / usual) + 1; row += 1)
      rows.set(row, [...(rows.get(row) ?? []), box]);
  return rows;
}

/** Whether two letters are neighbors in a line. */
export const follows = (a: Box, b: Box, usual: number): boolean =>
  Math.max(a.left - b.right, b.left - a.right) < NEXT * usual && Math.abs(a.top + a.bottom - b.top - b.bottom) < usual;

/**
 * Bands of the full page width at the height of some letters, stacked: OCR works best on whole lines, and blank paper
 * takes as much time as print.
 */
function bandsOf(grayscale: GrayscaleImage, letters: readonly Box[], usual: number): Cutout {
  const { width, height } = grayscale,
    gap = Math.ceil(usual),
    bands: Band[] = [];
  let rows = gap;
  for (const { top, bottom } of letters.toSorted((a, b) => a.top - b.top)) {
    const from = Math.max(0, Math.floor(top - ABOVE * usual)),
      to = Math.min(height, Math.ceil(bottom + ABOVE * usual)),
      last = bands.at(-1);
    if (last && from <= last.to) {
      rows += Math.max(0, to - last.to);
      last.to = Math.max(last.to, to);
    } else {
      // Small gaps between two bands keep their height.
      rows += last ? Math.min(gap, from - last.to) : 0;
      bands.push({ from, to, at: rows });
      rows += to - from;
    }
  }
  // Seams between print and paper must not look like strokes.
  const paper = median(
    Array.from({ length: 500 }, (_, i) => grayscale.data[Math.floor((i * grayscale.data.length) / 500)] ?? 255),
  );
  const data = new Uint8Array((rows + gap) * width).fill(paper);
  for (const { from, to, at } of bands) data.set(grayscale.data.subarray(from * width, to * width), at * width);
  return {
    grayscale: { data, width, height: rows + gap },
    onPage: (words) =>
      words.map((word) => {
        const y = word.y * (rows + gap),
          middle = y + (word.h * (rows + gap)) / 2;
        const { from, at } = bands.findLast((band) => band.at <= middle) ?? bands[0] ?? { from: 0, at: 0 };
        return { ...word, y: (y - at + from) / height, h: (word.h * (rows + gap)) / height };
      }),
  };
}

/** Rows [from, to) of the page, drawn from row `at` on. */
interface Band {
  from: number;
  to: number;
  at: number;
}
