import type { PhraseFinder } from '../languages/phrases.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { LayoutPage } from './layout.ts';
import type { Line, Segment } from './lines.ts';

/** A column of a header: its role and the span of its heading, in fractions of the page width. */
export interface Column<R extends string> {
  role: R;
  from: number;
  to: number;
  text: string;
}

/** Headings of a table; `first` and `index` are its first and last line. */
export interface Header<R extends string> {
  line: Line;
  first: number;
  index: number;
  columns: Column<R>[];
}

/** Recognizes headings that no vocabulary contains, such as a date above its column. */
export type OtherHeading<R extends string> = (segment: Segment) => { role: R; text: string } | null;

/** With fewer named columns, a line is a sentence, not a header. */
const MIN_COLUMNS = 2;
/** Minimum fraction of a header's words that are headings; in a line that only extends a header, nearly all must be. */
const COVERED = 0.6,
  COVERED_OF_PART = 0.6;
const MAX_LINES = 3;
/** Words of a heading that no vocabulary contains. */
const MAX_OTHER_WORDS = 2;

/**
 * Finds headers that name at least two different columns and contain little else, with the columns from left to right.
 * Headings broken into two lines ("Reference / range", "Previous / 3 March") are joined.
 */
export function findHeaders<R extends string>(
  page: LayoutPage,
  find: PhraseFinder<R>,
  other?: OtherHeading<R>,
): Header<R>[] {
  const looks = page.lines.map((line) => lookOf(line, find, other));
  const headers: Header<R>[] = [];
  for (let index = 0; index < page.lines.length; index += 1) {
    let end = index;
    while (end + 1 < page.lines.length && end - index + 1 < MAX_LINES && belong(page, end, looks)) end += 1;
    const header = widestHeader(page, index, end, find, other);
    if (!header) continue;
    headers.push(header);
    index = header.index;
  }
  return headers;
}

interface Look {
  covered: number;
  hasHeading: boolean;
}

function lookOf<R extends string>(line: Line, find: PhraseFinder<R>, other?: OtherHeading<R>): Look {
  // Text that ends in a colon introduces a value beside it.
  if (line.words.some(({ text }) => text.endsWith(':'))) return { covered: 0, hasHeading: false };
  const columns = line.segments.flatMap((segment) => columnsOf(segment, find, other));
  const words = line.words.filter((word) => /\p{L}|\d/u.test(word.text)).length;
  const covered = columns.reduce((sum, column) => sum + column.words, 0);
  return { covered: words === 0 ? 0 : covered / words, hasHeading: columns.length > 0 };
}

/** Whether a line and the one below it may form one header. */
function belong(page: LayoutPage, index: number, looks: readonly Look[]): boolean {
  const line = page.lines[index],
    next = page.lines[index + 1],
    own = looks[index],
    below = looks[index + 1];
  if (!line || !next || !own || !below || next.y - line.y > 2 * Math.max(page.lineHeight, line.h)) return false;
  if (own.hasHeading && isRestOfHyphenated(line, next)) return true;
  return own.hasHeading && own.covered >= COVERED_OF_PART && below.hasHeading && below.covered >= COVERED_OF_PART;
}

/** Whether all of a line is under words that a hyphen breaks: "gens" under "Mor-". */
const isRestOfHyphenated = (upper: Line, lower: Line): boolean =>
  lower.segments.every(({ bbox: [from, , width] }) =>
    upper.segments.some(
      ({ text, bbox }) => /\p{L}-$/u.test(text) && Math.min(from + width, bbox[0] + bbox[2]) > Math.max(from, bbox[0]),
    ),
  );

/** Uses as many of the lines from `first` to `last` as form a header; a single line needs less evidence. */
function widestHeader<R extends string>(
  page: LayoutPage,
  first: number,
  last: number,
  find: PhraseFinder<R>,
  other?: OtherHeading<R>,
): Header<R> | null {
  for (let end = last; end >= first; end -= 1) {
    const lines = page.lines.slice(first, end + 1);
    const line = lines.at(-1);
    const cells = stack(lines);
    const columns = cells.flatMap((cell) => columnsOf(cell, find, other));
    const words = lines.flatMap((one) => one.words).filter((word) => isHeadingWord(word)).length;
    const covered = columns.reduce((sum, column) => sum + column.letters, 0);
    if (line && new Set(columns.map(({ role }) => role)).size >= MIN_COLUMNS && covered >= words * COVERED) {
      return {
        line,
        first,
        index: end,
        columns: columns.map(({ role, from, to, text }) => ({ role, from, to, text })).sort((a, b) => a.from - b.from),
      };
    }
  }
  return null;
}

/** The unit or another remark in brackets is part of the heading before it: "Wert (mg/dl)". */
const isHeadingWord = ({ text }: PageWord): boolean => /\p{L}/u.test(text) && !/^[[(].*[\])]$/u.test(text);

/** Joins segments of neighboring lines that are above each other into one cell each. */
function stack(lines: readonly Line[]): Segment[] {
  const [top, ...rest] = lines;
  const cells = [...(top?.segments ?? [])];
  for (const line of rest) {
    for (const segment of line.segments) {
      const right = segment.bbox[0] + segment.bbox[2];
      const above = cells.findIndex(
        ({ bbox }) => Math.min(right, bbox[0] + bbox[2]) - Math.max(segment.bbox[0], bbox[0]) > 0,
      );
      const cell = cells[above];
      if (cell) {
        const words = joinHyphenated(cell.words, segment.words);
        cells[above] = { text: words.map(({ text }) => text).join(' '), words, bbox: spanOf(words) };
      } else cells.push(segment);
    }
  }
  return cells;
}

/** "Mor-" above "gens" is one word. */
function joinHyphenated(upper: readonly PageWord[], lower: readonly PageWord[]): PageWord[] {
  const [head, tail] = [upper.at(-1), lower[0]];
  if (!head || !tail || !/\p{L}[-\u00ad]$/u.test(head.text) || !/^\p{Ll}/u.test(tail.text)) return [...upper, ...lower];
  const [x, y, w, h] = spanOf([head, tail]);
  const joined = { ...head, text: head.text.slice(0, -1) + tail.text, x, y, w, h };
  return [...upper.slice(0, -1), joined, ...lower.slice(1)];
}

function spanOf(words: readonly PageWord[]): Segment['bbox'] {
  const left = Math.min(...words.map((word) => word.x)),
    right = Math.max(...words.map((word) => word.x + word.w));
  const top = Math.min(...words.map((word) => word.y)),
    bottom = Math.max(...words.map((word) => word.y + word.h));
  return [left, top, right - left, bottom - top];
}

interface NamedColumn<R extends string> extends Column<R> {
  words: number;
  letters: number;
}

function columnsOf<R extends string>(
  segment: Segment,
  find: PhraseFinder<R>,
  other?: OtherHeading<R>,
): NamedColumn<R>[] {
  const own = other?.(segment);
  const tokens = tokensOf(segment.words);
  if (own)
    return [
      {
        ...own,
        from: segment.bbox[0],
        to: segment.bbox[0] + segment.bbox[2],
        words: segment.words.length,
        letters: segment.words.filter((word) => /\p{L}/u.test(word.text)).length,
      },
    ];
  const matches = find(tokens);
  return matches.flatMap((match): NamedColumn<R>[] => {
    const words = segment.words.slice(tokens[match.from]?.word ?? 0, (tokens[match.to - 1]?.word ?? 0) + 1);
    if (words.length === 0) return [];
    // Other words of the only heading in a segment belong to it: "Medizinische Referenz".
    const isWhole = matches.length === 1 && segment.words.length - words.length <= MAX_OTHER_WORDS;
    const [from, , width] = isWhole ? segment.bbox : spanOf(words);
    return [
      {
        role: match.role,
        from,
        to: from + width,
        text: words.map((word) => word.text).join(' '),
        words: words.length,
        letters: words.length,
      },
    ];
  });
}

/** The column of something between `from` and `to`: the one it overlaps most, otherwise the nearest. */
export function columnAt<R extends string>(
  columns: readonly Column<R>[],
  from: number,
  to: number,
): Column<R> | undefined {
  let best: Column<R> | undefined,
    bestScore = -Infinity;
  for (const column of columns) {
    const overlap = Math.min(to, column.to) - Math.max(from, column.from);
    // Aligned left edges are stronger evidence than a long name that reaches under the next heading.
    const score =
      overlap > 0
        ? overlap + (Math.abs(from - column.from) < 0.012 ? 1 : 0)
        : overlap - 0.2 * Math.abs((from + to - column.from - column.to) / 2);
    if (score > bestScore) {
      best = column;
      bestScore = score;
    }
  }
  return best;
}

/** Distance of a span from a column, as a fraction of the page width; 0 if they overlap. */
export const distanceTo = (column: Column<string>, from: number, to: number): number =>
  Math.max(0, column.from - to, from - column.to);
