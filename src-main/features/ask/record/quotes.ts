import type { BBox, PageText, PageWord } from '../../../../src-shared/medical/page.ts';
import { toDisplayBox } from '../../../../src-shared/medical/place-on-page.ts';
import type { Place } from './facts.ts';

/** A printed line; its box is in fractions of the displayed page. */
export interface PageLine {
  text: string;
  bbox: BBox;
}

/** Longer quotes are cut. */
export const MAX_QUOTE = 300;

/** The words inside the box of a place, as printed; null without a box. */
export function quoteAt(
  pages: readonly PageText[],
  { page: number, bbox }: Pick<Place, 'page' | 'bbox'>,
): string | null {
  const page = pages.find((candidate) => candidate.page === number);
  if (!page || !bbox) return null;
  const inside = page.words.filter((word) => {
    const [x, y, w, h] = boxOf(page, word);
    const middle = { x: x + w / 2, y: y + h / 2 };
    return middle.x >= bbox[0] && middle.x <= bbox[0] + bbox[2] && middle.y >= bbox[1] && middle.y <= bbox[1] + bbox[3];
  });
  return inside.length === 0 ? null : shorten(inside.map(({ text }) => text).join(' '));
}

/** A text in at most the length of a quote, with an ellipsis where it was cut. */
export const shorten = (text: string): string => (text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE - 2)} …` : text);

const boxOf = (page: PageText, { x, y, w, h }: PageWord): BBox => toDisplayBox([x, y, w, h], page.toDisplay);

/** The printed lines of a page: words whose middle is at the same height, from left to right. */
export function linesOf(page: PageText): PageLine[] {
  const lines: PageWord[][] = [];
  for (const word of page.words) {
    const middle = word.y + word.h / 2;
    const line = lines.findLast(([first]) => first && middle >= first.y && middle <= first.y + first.h);
    if (line) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => {
    const ordered = line.toSorted((a, b) => a.x - b.x);
    return {
      text: ordered.map(({ text }) => text).join(' '),
      bbox: boxAround(ordered.map((word) => boxOf(page, word))),
    };
  });
}

/** The box around boxes. */
export function boxAround(boxes: readonly BBox[]): BBox {
  const left = Math.min(...boxes.map(([x]) => x)),
    top = Math.min(...boxes.map(([, y]) => y));
  const right = Math.max(...boxes.map(([x, , w]) => x + w)),
    bottom = Math.max(...boxes.map(([, y, , h]) => y + h));
  return [left, top, right - left, bottom - top];
}
