import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { labTokens } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';

const SAME_EDGE = 0.012;
/** Where the names beside a margin begin, as a fraction of the page width. */
const MIN_EDGE = 0.2,
  MAX_EDGE = 0.5;
/** So many rows show the column of the names, and so many lines the margin, of which some have nothing beside them. */
const MIN_ROWS = 3,
  MIN_LINES = 5,
  MIN_ALONE = 2;
const MAX_WORDS = 6;

/**
 * Leaves out the letterhead, patient and dates that are printed in a column to the left of the results, at heights that
 * have nothing to do with their rows. Other pages stay as they are.
 */
export function withoutMarginColumn(page: LayoutPage): LayoutPage {
  const edge = edgeOfNames(page.lines);
  if (edge === null) return page;
  const isBeside = ({ bbox: [x, , width] }: Segment): boolean => x + width < edge - SAME_EDGE;
  const beside = page.lines.filter(({ segments }) => segments.some(isBeside));
  const alone = beside.filter(({ segments }) => segments.every(isBeside));
  const texts = beside.flatMap(({ segments }) => segments.filter(isBeside));
  const isMargin =
    beside.length >= MIN_LINES &&
    alone.length >= MIN_ALONE &&
    beside.some(isRow(edge)) &&
    texts.every((segment) => segment.words.length <= MAX_WORDS && !isKnownTest(segment.text)) &&
    texts.every((segment) => !labTokens([segment]).some(({ kind }) => kind === 'range'));
  if (!isMargin) return page;
  const lines = page.lines.flatMap((line) => {
    const rest = line.segments.filter((segment) => !isBeside(segment));
    if (rest.length === line.segments.length) return [line];
    return rest.length > 0 ? [partOf(line, rest)] : [];
  });
  return { ...page, lines };
}

/** The left edge of the names of tests, if they begin far from that of the page; otherwise null. */
function edgeOfNames(lines: readonly Line[]): number | null {
  const edges = lines.flatMap(({ segments }) => {
    const at = segments.findIndex(({ text }) => isKnownTest(text));
    const name = segments[at];
    return name && hasNumber(segments.slice(at + 1)) ? [name.bbox[0]] : [];
  });
  const first = Math.min(...edges);
  const rows = edges.filter((edge) => Math.abs(edge - first) < SAME_EDGE).length;
  return rows >= MIN_ROWS && first > MIN_EDGE && first < MAX_EDGE ? first : null;
}

const isRow =
  (edge: number) =>
  ({ segments }: Line): boolean => {
    const at = segments.findIndex(({ bbox }) => Math.abs(bbox[0] - edge) < SAME_EDGE);
    return at > 0 && hasNumber(segments.slice(at + 1));
  };

const hasNumber = (segments: readonly Segment[]): boolean => labTokens(segments).some(({ kind }) => kind === 'number');
