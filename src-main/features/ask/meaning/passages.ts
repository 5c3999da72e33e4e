import type { PageText } from '../../../../src-shared/medical/page.ts';
import { linesOf, type PageLine } from '../record/quotes.ts';

/** Lines of a page that are given one vector. */
export interface TextPassage {
  page: number;
  /** Indexes of the lines of the page. */
  firstLine: number;
  lastLine: number;
  text: string;
}

/** About three sentences: enough for a meaning, short enough to be quoted. */
const MAX_LETTERS = 360;
const MAX_LINES = 6;
/** Titles and single words stay with what is below them. */
const MIN_LETTERS = 40;
/** A larger gap, in heights of a line, begins a paragraph. */
const GAP = 2.2;
/** The rest of a very long document is found by its words only. */
const MAX_PASSAGES = 2000;

/** The passages of a document: paragraphs, or parts of them. */
export function passagesOf(pages: readonly PageText[]): TextPassage[] {
  const passages: TextPassage[] = [];
  for (const page of pages) {
    const lines = linesOf(page);
    let first = 0;
    for (let index = 1; index <= lines.length; index += 1) {
      if (index < lines.length && belongsTo(lines.slice(first, index), lines[index]!)) continue;
      const text = textOf(lines.slice(first, index));
      if (/\p{L}{3}/u.test(text)) passages.push({ page: page.page, firstLine: first, lastLine: index - 1, text });
      if (passages.length === MAX_PASSAGES) return passages;
      first = index;
    }
  }
  return passages;
}

const textOf = (lines: readonly PageLine[]): string => lines.map(({ text }) => text).join(' ');

function belongsTo(passage: readonly PageLine[], next: PageLine): boolean {
  const letters = textOf(passage).length;
  if (passage.length >= MAX_LINES || letters + next.text.length > MAX_LETTERS) return false;
  const [, top, , height] = passage.at(-1)!.bbox;
  const isNear = next.bbox[1] - (top + height) < (GAP - 1) * Math.max(height, next.bbox[3]);
  return isNear || letters < MIN_LETTERS;
}
