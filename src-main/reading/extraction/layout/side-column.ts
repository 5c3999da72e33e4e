import { partOf } from './line-parts.ts';
import type { Line, Segment } from './lines.ts';

/** Where the text beside a column of a letterhead begins, as a fraction of the page width. */
const MIN_EDGE = 0.2,
  MAX_EDGE = 0.45;
const SAME_EDGE = 0.012;
/** The text has so many lines, and so large a share of all lines has nothing beside it. */
const MIN_LINES = 8,
  MIN_SHARE = 0.55;
/** The column has so many lines; labels beside their text share each line with it, a letterhead does not. */
const MIN_SIDE_LINES = 3,
  MIN_ALONE = 2,
  MIN_SHARE_ALONE = 0.25;
/** A letterhead ends in the upper part of the page: so large a share of the lines is below it. */
const MIN_SHARE_BELOW = 0.3;
/** Titles and footers may reach over both columns. */
const MAX_CROSSING = 2;

/**
 * Letterheads print house, doctors and telephone in a narrow column at the left of the text, at heights that have
 * nothing to do with its lines. Puts the lines of such a column before those of the text beside it; other pages keep
 * their lines.
 */
export function separateSideColumn(lines: readonly Line[]): Line[] {
  const edge = edgeOfText(lines);
  return (edge === null ? null : separateLetterhead(lines, edge)) ?? separateSidebar(lines) ?? [...lines];
}

function separateLetterhead(lines: readonly Line[], edge: number): Line[] | null {
  const isBeside = ({ bbox: [x, , width] }: Segment): boolean => x + width < edge - SAME_EDGE;
  const beside = lines.filter(({ segments }) => segments.some(isBeside));
  const first = lines.findIndex(({ segments }) => segments.some(isBeside)),
    last = lines.findLastIndex(({ segments }) => segments.some(isBeside));
  const alone = beside.filter(({ segments }) => segments.every(isBeside)).length;
  const crossing = lines.filter(({ segments }) =>
    segments.some((segment) => segment.bbox[0] < edge - SAME_EDGE && !isBeside(segment)),
  );
  const isLetterhead =
    beside.length >= MIN_SIDE_LINES &&
    alone >= Math.max(MIN_ALONE, beside.length * MIN_SHARE_ALONE) &&
    crossing.length <= MAX_CROSSING &&
    crossing.every((line) => lines.indexOf(line) < first || lines.indexOf(line) > last) &&
    lines.length - last > lines.length * MIN_SHARE_BELOW;
  return isLetterhead ? sideThenText(lines, { first, last }, isBeside) : null;
}

/** The lines with those of the column, from the first to the last of them, before those of the text. */
function sideThenText(
  lines: readonly Line[],
  { first, last }: { first: number; last: number },
  isBeside: (segment: Segment) => boolean,
): Line[] {
  const both = lines.slice(first, last + 1);
  const partsOf = (isWanted: (segment: Segment) => boolean): Line[] =>
    both.flatMap((line) => {
      const own = line.segments.filter(isWanted);
      return own.length > 0 ? [partOf(line, own)] : [];
    });
  const text = partsOf((segment) => !isBeside(segment));
  return [...lines.slice(0, first), ...partsOf(isBeside), ...text, ...lines.slice(last + 1)];
}

/** A sidebar has so many short lines, so large a share of them without text beside them, and sentences to its right. */
const MIN_SIDEBAR_LINES = 8,
  MAX_SIDEBAR_WORDS = 5,
  MIN_SIDEBAR_ALONE = 3,
  MIN_SENTENCES = 2,
  SENTENCE_WORDS = 9;

/**
 * Visit notes print patient, visit and vital signs in a bar that reaches down the page: its lines are short and have
 * heights of their own, and sentences are beside it. Null for other pages.
 */
function separateSidebar(lines: readonly Line[]): Line[] | null {
  for (const edge of edgesOfSegments(lines)) {
    const isBeside = ({ bbox: [x, , width] }: Segment): boolean => x + width < edge - SAME_EDGE;
    const isText = ({ bbox: [x] }: Segment): boolean => x > edge - SAME_EDGE;
    const isOneSided = (segment: Segment): boolean => isBeside(segment) || isText(segment);
    const first = lines.findIndex(({ segments }) => segments.some(isBeside) && segments.every(isOneSided)),
      last = lines.findLastIndex(({ segments }) => segments.some(isBeside) && segments.every(isOneSided));
    const both = lines.slice(Math.max(first, 0), last + 1);
    const beside = both.filter(({ segments }) => segments.some(isBeside));
    const alone = beside.filter(({ segments }) => segments.every(isBeside)).length;
    const sentences = both.filter(({ segments }) =>
      segments.some((segment) => isText(segment) && segment.words.length >= SENTENCE_WORDS),
    );
    const isSidebar =
      beside.length >= MIN_SIDEBAR_LINES &&
      alone >= Math.max(MIN_SIDEBAR_ALONE, beside.length * MIN_SHARE_ALONE) &&
      sentences.length >= MIN_SENTENCES &&
      both.every(({ segments }) => segments.every(isOneSided)) &&
      beside.every(
        ({ segments }) => segments.filter(isBeside).flatMap(({ words }) => words).length <= MAX_SIDEBAR_WORDS,
      );
    if (isSidebar) return sideThenText(lines, { first, last }, isBeside);
  }
  return null;
}

/** The left edges at which many segments begin to the right of a bar. */
function edgesOfSegments(lines: readonly Line[]): number[] {
  const starts = lines.flatMap(({ segments }) => segments.map(({ bbox }) => bbox[0]));
  const found: number[] = [];
  for (const x of starts.filter((start) => start > MIN_EDGE && start < MAX_EDGE)) {
    const isNew = found.every((edge) => Math.abs(edge - x) > SAME_EDGE);
    if (isNew && starts.filter((start) => Math.abs(start - x) < SAME_EDGE).length >= MIN_LINES) found.push(x);
  }
  return found.sort((a, b) => a - b);
}

/** The left edge at which most lines of a page begin, if it is not that of the page; otherwise null. */
function edgeOfText(lines: readonly Line[]): number | null {
  const edges = lines.map(({ segments }) => segments[0]?.bbox[0] ?? 0).filter((x) => x > MIN_EDGE && x < MAX_EDGE);
  const linesAt = (edge: number): number => edges.filter((x) => Math.abs(x - edge) < SAME_EDGE).length;
  const best = edges.reduce<number | null>((found, edge) => {
    return found === null || linesAt(edge) > linesAt(found) ? edge : found;
  }, null);
  if (best === null || linesAt(best) < Math.max(MIN_LINES, lines.length * MIN_SHARE)) return null;
  return best;
}
