import type { PhraseFinder } from '../languages/phrases.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { LayoutPage } from './layout.ts';
import type { Line, Segment } from './lines.ts';

/** A column named by a header line: its role and the span of its heading, shares of the page's width. */
export interface Column<R extends string> { role: R; from: number; to: number; text: string }

export interface Header<R extends string> { line: Line; index: number; columns: Column<R>[] }

/** Fewer named columns are a sentence, not a header. */
const LEAST_COLUMNS = 2;

/** Lines that name at least two different columns and hold little else, with the columns from left to right. */
export function findHeaders<R extends string>(page: LayoutPage, find: PhraseFinder<R>): Header<R>[] {
  return page.lines.flatMap((line, index): Header<R>[] => {
    const columns = line.segments.flatMap((segment) => columnsOf(segment, find));
    const roles = new Set(columns.map((column) => column.role));
    const covered = columns.reduce((sum, column) => sum + column.text.split(' ').length, 0);
    const words = line.words.filter((word) => /\p{L}/u.test(word.text)).length;
    return roles.size >= LEAST_COLUMNS && covered >= words * 0.6 ? [{ line, index, columns: columns.sort((a, b) => a.from - b.from) }] : [];
  });
}

function columnsOf<R extends string>(segment: Segment, find: PhraseFinder<R>): Column<R>[] {
  const tokens = tokensOf(segment.words);
  return find(tokens).flatMap((match): Column<R>[] => {
    const words = segment.words.slice(tokens[match.from]?.word ?? 0, (tokens[match.to - 1]?.word ?? 0) + 1);
    const first = words[0], last = words.at(-1);
    return first && last ? [{ role: match.role, from: first.x, to: last.x + last.w, text: words.map((word) => word.text).join(' ') }] : [];
  });
}

/** The column that something between `from` and `to` stands in: the one it overlaps most, else the nearest. */
export function columnAt<R extends string>(columns: readonly Column<R>[], from: number, to: number): Column<R> | undefined {
  let best: Column<R> | undefined, bestScore = -Infinity;
  for (const column of columns) {
    const overlap = Math.min(to, column.to) - Math.max(from, column.from);
    // Left edges that agree say more than a long name that reaches under the next heading.
    const score = overlap > 0 ? overlap + (Math.abs(from - column.from) < 0.012 ? 1 : 0) : overlap - 0.2 * Math.abs((from + to - column.from - column.to) / 2);
    if (score > bestScore) { best = column; bestScore = score; }
  }
  return best;
}
