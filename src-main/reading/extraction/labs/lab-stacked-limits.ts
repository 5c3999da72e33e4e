import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { labTokens } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';

/** So many results of a page show that its limits are one above the other. */
const MIN_RESULTS = 3;
/** Maximum distance of the upper limit, and of the unit below it, from the line of the result, in usual line heights. */
const MAX_GAP_LINES = 2.2,
  MAX_UNIT_GAP_LINES = 4;
const SAME_EDGE = 0.02;
const NUMBER = /^\d[\d.,]*$/u;
const NONE = /^[-–—]$/u;

/** A result of a line: its name, value and flag, and the lower limit, which ends it. */
interface Result {
  before: Segment[];
  lower: Segment;
}

/**
 * Joins limits that are printed one above the other into a range, with the unit that is below the name: "Kreatinin  63
 * 45" over "84" over "µmol/l". A dash means that there is no such limit. Other pages stay as they are.
 */
export function joinStackedLimits(page: LayoutPage): LayoutPage {
  const joined = new Map<Line, Line>();
  const used = new Set<Line>();
  let count = 0;
  for (const [index, line] of page.lines.entries()) {
    const results = resultsOf(line);
    if (!results) continue;
    const isNear = (other: Line, gap: number): boolean =>
      other.y - line.y < gap * Math.max(page.lineHeight, line.h) && resultsOf(other) === null;
    const below = page.lines.slice(index + 1, index + 4);
    const uppers = below.find((other) => isNear(other, MAX_GAP_LINES) && areLimits(other, results));
    if (!uppers) continue;
    const units = below.find((other) => isNear(other, MAX_UNIT_GAP_LINES) && areUnits(other, results));
    const parts = results.map((result) => joinResult(result, uppers, units));
    if (!parts.every((part) => part !== null)) continue;
    joined.set(line, { ...partOf(line, parts.flat()), bbox: line.bbox });
    used.add(uppers);
    if (units) used.add(units);
    count += results.length;
  }
  if (count < MIN_RESULTS) return page;
  return {
    ...page,
    lines: page.lines.flatMap((line) => (used.has(line) ? [] : [joined.get(line) ?? line])),
  };
}

/** The results of a line if each of them begins with a known test and ends with a number or dash of its own. */
function resultsOf({ segments }: Line): Result[] | null {
  const groups: Segment[][] = [];
  for (const segment of segments) {
    if (isKnownTest(segment.text)) groups.push([segment]);
    else if (groups.length === 0) return null;
    else groups.at(-1)?.push(segment);
  }
  const results = groups.map((group): Result | null => {
    const lower = group.at(-1);
    const before = group.slice(0, -1);
    const [value, ...others] = labTokens(before.slice(1));
    const isResult = value?.kind === 'number' && others.every(({ kind }) => kind === 'flag');
    return lower && isResult && isLimit(lower) ? { before, lower } : null;
  });
  return results.length > 0 && results.every((result) => result !== null) ? results : null;
}

const isLimit = ({ text }: Segment): boolean => NUMBER.test(text) || NONE.test(text);

/** Whether two cells have the same left, middle or right edge. */
function isUnder({ bbox: [from, , width] }: Segment, { bbox: [above, , aboveWidth] }: Segment): boolean {
  const distances = [from - above, from + width / 2 - above - aboveWidth / 2, from + width - above - aboveWidth];
  return distances.some((distance) => Math.abs(distance) < SAME_EDGE);
}

const areLimits = ({ segments }: Line, results: readonly Result[]): boolean =>
  segments.some(isLimit) &&
  segments.every(
    (segment) =>
      (isLimit(segment) && results.some(({ lower }) => isUnder(segment, lower))) || isUnitOf(segment, results),
  );

const areUnits = ({ segments }: Line, results: readonly Result[]): boolean =>
  segments.some((segment) => isUnitOf(segment, results)) &&
  segments.every((segment) => isUnitOf(segment, results) || isLimit(segment));

const isUnitOf = (segment: Segment, results: readonly Result[]): boolean =>
  isUnit(segment.text, { inColumn: true }) &&
  results.some(({ before: [name] }) => Math.abs(segment.bbox[0] - (name?.bbox[0] ?? 0)) < SAME_EDGE);

/** The segments of a result with its range and unit; null if the two limits do not make a range. */
function joinResult({ before, lower }: Result, uppers: Line, units: Line | undefined): Segment[] | null {
  const [name] = before;
  const upper = uppers.segments.find((segment) => isLimit(segment) && isUnder(segment, lower));
  const unit = units?.segments.find(
    (segment) => isUnit(segment.text, { inColumn: true }) && isUnder(segment, name ?? segment),
  );
  if (!upper || (NONE.test(lower.text) && NONE.test(upper.text))) return null;
  const end = before.at(-1) ?? lower;
  const gap = (lower.bbox[0] - end.bbox[0] - end.bbox[2]) / 3;
  return [...before, ...(unit ? [movedTo(unit, end.bbox[0] + end.bbox[2] + gap, gap)] : []), rangeOf(lower, upper)];
}

/** A segment moved to the right place in its row, and not wider than the room there. */
function movedTo(segment: Segment, x: number, room: number): Segment {
  const width = Math.min(segment.bbox[2], room);
  const scale = width / segment.bbox[2];
  const words = segment.words.map((word) => ({
    ...word,
    x: x + (word.x - segment.bbox[0]) * scale,
    w: word.w * scale,
  }));
  return { ...segment, words, bbox: boxAround(words) };
}

function rangeOf(lower: Segment, upper: Segment): Segment {
  const [low] = lower.words;
  const text = rangeText(lower.text, upper.text);
  const words = low ? [{ ...low, text, w: Math.max(lower.bbox[2], upper.bbox[2]) }] : [];
  return { words, text, bbox: boxAround([...words, ...upper.words]) };
}

function rangeText(low: string, high: string): string {
  if (NONE.test(low)) return `(<${high})`;
  return NONE.test(high) ? `(>${low})` : `${low}-${high}`;
}
