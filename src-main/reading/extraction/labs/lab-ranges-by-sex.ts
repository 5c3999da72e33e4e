import { sexOfRange } from '../../../../src-shared/medical/reference-range.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';

const SAME_EDGE = 0.02;
/** Maximum distance of the two lines, in usual line heights. */
const MAX_GAP_LINES = 2.2;

/**
 * Puts the range for the other sex, which is alone in the line below or above, behind that of the result. The ranges of
 * both sexes may also be in the lines above and below a result that has none.
 */
export function joinRangesBySex(page: LayoutPage): LayoutPage {
  const joined = new Map<Line, Line>();
  const used = new Set<Line>();
  for (const [index, line] of page.lines.entries()) {
    const around = [page.lines[index - 1], page.lines[index + 1]]
      .filter((other) => other !== undefined && !used.has(other) && isNear(page, line, other))
      .flatMap((other) => aloneWithRange(other))
      .sort((a, b) => distance(a.line, line) - distance(b.line, line));
    const own = line.segments.at(-1);
    if (!own || line.segments.length < 2) continue;
    const other = around.find(({ range }) => isUnder(own, range) && areOfBoth(own.text, range.text));
    const [first, second] = around;
    if (other) {
      joined.set(line, partOf(line, [...line.segments.slice(0, -1), joinSegments(own, other.range)]));
      used.add(other.line);
    } else if (first && second && isBothBehind(own, first.range, second.range)) {
      joined.set(line, partOf(line, [...line.segments, joinSegments(first.range, second.range)]));
      used.add(first.line).add(second.line);
    }
  }
  if (used.size === 0) return page;
  return { ...page, lines: page.lines.flatMap((line) => (used.has(line) ? [] : [joined.get(line) ?? line])) };
}

const distance = (one: Line, other: Line): number => Math.abs(one.y - other.y);
const isNear = (page: LayoutPage, one: Line, other: Line): boolean =>
  distance(one, other) < MAX_GAP_LINES * Math.max(page.lineHeight, one.h);

/** A line that has nothing but the range for one sex. */
function aloneWithRange(line: Line | undefined): { line: Line; range: Segment }[] {
  const [range, ...others] = line?.segments ?? [];
  return line && range && others.length === 0 && sexOfRange(range.text) !== null ? [{ line, range }] : [];
}

const isUnder = ({ bbox }: Segment, { bbox: [x] }: Segment): boolean => Math.abs(bbox[0] - x) < SAME_EDGE;

/** Whether the ranges of both sexes are to the right of the last cell of a result. */
const isBothBehind = ({ bbox: [x, , width] }: Segment, one: Segment, other: Segment): boolean =>
  isUnder(one, other) && one.bbox[0] > x + width && areOfBoth(one.text, other.text);

const areOfBoth = (one: string, other: string): boolean => {
  const [first, second] = [sexOfRange(one), sexOfRange(other)];
  return first !== null && second !== null && first !== second;
};

function joinSegments(one: Segment, other: Segment): Segment {
  const words = [...one.words, ...other.words];
  return { ...one, words, text: `${one.text} ${other.text}`, bbox: boxAround(words) };
}
