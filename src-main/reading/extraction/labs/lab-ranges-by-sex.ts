import { sexOfRange } from '../../../../src-shared/medical/reference-range.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';

const SAME_EDGE = 0.02;
/** Maximum distance of the two lines, in usual line heights. */
const MAX_GAP_LINES = 2.2;

/** Puts the range for the other sex, which is alone in the line below, behind that of the result. */
export function joinRangesBySex(page: LayoutPage): LayoutPage {
  const joined = new Map<Line, Line>();
  const used = new Set<Line>();
  for (const [index, line] of page.lines.entries()) {
    const below = page.lines[index + 1];
    const [own, other, ...more] = [line.segments.at(-1), ...(below?.segments ?? [])];
    if (!below || !own || !other || more.length > 0 || line.segments.length < 2) continue;
    const isNear = below.y - line.y < MAX_GAP_LINES * Math.max(page.lineHeight, line.h);
    if (!isNear || Math.abs(own.bbox[0] - other.bbox[0]) > SAME_EDGE || !areOfBoth(own.text, other.text)) continue;
    joined.set(line, partOf(line, [...line.segments.slice(0, -1), joinSegments(own, other)]));
    used.add(below);
  }
  if (used.size === 0) return page;
  return { ...page, lines: page.lines.flatMap((line) => (used.has(line) ? [] : [joined.get(line) ?? line])) };
}

const areOfBoth = (one: string, other: string): boolean => {
  const [first, second] = [sexOfRange(one), sexOfRange(other)];
  return first !== null && second !== null && first !== second;
};

function joinSegments(one: Segment, other: Segment): Segment {
  const words = [...one.words, ...other.words];
  return { ...one, words, text: `${one.text} ${other.text}`, bbox: boxAround(words) };
}
