import type { PageText, PageWord } from '../../../../src-shared/medical/page.ts';
import type { Place } from '../extraction.ts';
import { findDates } from '../fields/date-text.ts';
import { foldWords } from '../fold.ts';
import { placeOf } from '../layout/geometry.ts';
import { buildLayout } from '../layout/layout.ts';

/** Where a text is printed. */
export interface Print {
  place: Place;
  /** Index of its line in the document. */
  line: number;
}

/** Finds on the pages what a model says is there. */
export interface Printed {
  /** All places of a text: its words in this order, whatever the punctuation between them. */
  find(text: string): Print[];
  /** The place of a civil date, in any printed form. */
  findDate(date: string): Print | null;
  /** The place of a whole line, and the numbers of its words and of its parts between wide gaps. */
  lineAt(index: number): { place: Place; words: number; parts: number };
}

interface Token {
  text: string;
  word: PageWord;
  line: number;
}

/** OCR and models write the micro sign in two ways. */
const tokensOf = (text: string): string[] => foldWords(text.replaceAll('µ', 'μ'));

/** Indexes the words of all pages, so that values of a model can be looked up in the print. `today` is a civil date. */
export function findPrinted(pages: readonly PageText[], today: string): Printed {
  const { lines } = buildLayout(pages);
  const tokens = lines.flatMap(({ words }, line) =>
    words.flatMap((word) => tokensOf(word.text).map((text): Token => ({ text, word, line }))),
  );
  const starts = new Map<string, number[]>();
  for (const [index, { text }] of tokens.entries()) {
    const known = starts.get(text);
    if (known) known.push(index);
    else starts.set(text, [index]);
  }
  const printAt = (from: number, length: number): Print => {
    const found = tokens.slice(from, from + length);
    const line = found[0]?.line ?? 0;
    const words = new Set(found.map(({ word }) => word));
    return { place: placeOf(lines[line]?.page ?? 1, [...words]), line };
  };
  return {
    find(text) {
      const wanted = tokensOf(text);
      const [first] = wanted;
      if (first === undefined) return [];
      return (starts.get(first) ?? [])
        .filter((from) => wanted.every((token, offset) => tokens[from + offset]?.text === token))
        .filter(
          (from) => lines[tokens[from]?.line ?? 0]?.page === lines[tokens[from + wanted.length - 1]?.line ?? 0]?.page,
        )
        .map((from) => printAt(from, wanted.length));
    },
    findDate(date) {
      const line = lines.findIndex(({ text }) =>
        findDates(text, today).some(({ dmy, mdy, endDmy, endMdy }) => [dmy, mdy, endDmy, endMdy].includes(date)),
      );
      const found = lines[line];
      return found ? { line, place: placeOf(found.page, found.words) } : null;
    },
    lineAt(index) {
      const { page = 1, words = [], segments = [] } = lines[index] ?? {};
      return { place: placeOf(page, words), words: words.length, parts: segments.length };
    },
  };
}
