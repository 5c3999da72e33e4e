import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { labTokens } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';

/** Tolerance for the left edge of a column, as a fraction of the page width. */
const SAME_EDGE = 0.02;

/** Length of a line of a card, and distance of its lines, in usual line heights. */
const MAX_WORDS = 6,
  MAX_GAP_LINES = 2.5;
/** So many names and results show that each column lists tests with their results below them. */
const MIN_NAMES = 2,
  MIN_VALUES = 2;

/**
 * Letters and portals list tests in two columns, in each of them the name, below it the result, below that its range.
 * Cards of different heights don't share lines: the left column is read before the right one.
 */
export function splitSideBySide(page: LayoutPage): LayoutPage {
  const edges = page.lines.flatMap((line) => (line.segments.length === 2 ? [line.segments[1]?.bbox[0] ?? 0] : []));
  const edge = edges.find((one) => edges.filter((other) => Math.abs(one - other) < SAME_EDGE).length >= MIN_NAMES);
  if (edge === undefined) return page;
  const isRight = ({ bbox }: Segment): boolean => Math.abs(bbox[0] - edge) < SAME_EDGE;
  const first = page.lines.findIndex(({ segments }) => segments.some(isRight)),
    last = endOfLeft(
      page,
      first,
      page.lines.findLastIndex(({ segments }) => segments.some(isRight)),
    );
  const lines = page.lines.slice(first, last + 1);
  const left = linesOf(lines, (segment) => !isRight(segment)),
    right = linesOf(lines, isRight);
  const areColumns = [...left, ...right].every(({ segments }) => segments.length === 1);
  if (!areColumns || !listsTests(left) || !listsTests(right)) return page;
  return { ...page, lines: [...page.lines.slice(0, first), ...left, ...right, ...page.lines.slice(last + 1)] };
}

/** The index of the last line of the left column, which may be longer than the right one. */
function endOfLeft(page: LayoutPage, first: number, last: number): number {
  const edge = page.lines[first]?.segments[0]?.bbox[0] ?? 0;
  let end = last;
  for (let next = last + 1; next < page.lines.length; next += 1) {
    const [line, above] = [page.lines[next], page.lines[next - 1]];
    const isOfColumn =
      line?.segments.length === 1 &&
      line.words.length <= MAX_WORDS &&
      Math.abs((line.segments[0]?.bbox[0] ?? 0) - edge) < SAME_EDGE &&
      line.y - (above?.y ?? 0) < MAX_GAP_LINES * Math.max(page.lineHeight, line.h);
    if (!isOfColumn) break;
    end = next;
  }
  return end;
}

function linesOf(lines: readonly Line[], isOf: (segment: Segment) => boolean): Line[] {
  return lines.flatMap((line) => {
    const own = line.segments.filter(isOf);
    return own.length > 0 ? [partOf(line, own)] : [];
  });
}

/** Whether a column contains names of tests and, in lines of their own, numbers with units or over ranges. */
function listsTests(lines: readonly Line[]): boolean {
  const names = lines.filter(({ text }) => isKnownTest(text)).length;
  const values = lines.filter(({ segments }, index) => {
    const [number, unit] = labTokens(segments);
    return number?.kind === 'number' && (unit?.kind === 'unit' || hasRange(lines[index + 1]));
  }).length;
  return names >= MIN_NAMES && values >= MIN_VALUES;
}

const hasRange = (line: Line | undefined): boolean =>
  line !== undefined && labTokens(line.segments).some(({ kind }) => kind === 'range');
