import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { DateLabel as Label } from './date-mention.ts';

/** So many columns make a table, or a form. */
export const COLUMNS_OF_TABLE = 3;
/** Distance of the left edges of a label and its value, as a fraction of the page width, and of their lines. */
const SAME_EDGE = 0.03,
  MAX_GAP_LINES = 2.2;
const MAX_LABEL_WORDS = 5;

type LabelOf = (segment: Segment) => Label | null;

/** A label in the segment directly below, on a form that prints all labels under what they name. */
export function labelBelow(page: LayoutPage, index: number, segment: Segment, labelOf: LabelOf): Label | null {
  const [line, below, next] = page.lines.slice(index, index + 3);
  if (!line || !below || below.y - line.y > MAX_GAP_LINES * page.lineHeight) return null;
  const labels = below.segments.map(labelOf);
  const isForm = hasSameColumns(line, below) && areLabels(below) && labels.filter(Boolean).length > 1;
  // A row of labels with values under it heads those.
  const isHead = next?.segments.length === below.segments.length;
  return isForm && !isHead ? weaker(labels[columnOf(below, segment)]) : null;
}

/**
 * The label below on a form of several rows, each with its labels under it: values, labels, values, labels. A table with
 * headings begins with a row of them instead.
 */
export function labelInStack(page: LayoutPage, index: number, segment: Segment, labelOf: LabelOf): Label | null {
  const isRow = (at: number, isOfLabels: boolean): boolean => {
    const [line, own] = [page.lines[at], page.lines[index]];
    return line !== undefined && own !== undefined && hasSameColumns(own, line) && areLabels(line) === isOfLabels;
  };
  const below = page.lines[index + 1];
  if (!below || !isRow(index, false) || !isRow(index + 1, true)) return null;
  let first = index;
  while (isRow(first - 1, true) && isRow(first - 2, false)) first -= 2;
  let last = index + 1;
  while (isRow(last + 1, false) && isRow(last + 2, true)) last += 2;
  const isStack = last - first > 1 && !isRow(first - 1, true) && !isRow(last + 1, false);
  return isStack ? weaker(labelOf(below.segments[columnOf(below, segment)] ?? segment)) : null;
}

const weaker = (label: Label | null | undefined): Label | null =>
  label ? { ...label, strength: label.strength * 0.8 } : null;

const hasSameColumns = ({ segments }: Line, other: Line): boolean =>
  segments.length >= COLUMNS_OF_TABLE && segments.length === other.segments.length;

const areLabels = ({ segments }: Line): boolean =>
  segments.every(({ text, words }) => words.length <= MAX_LABEL_WORDS && !/\d/.test(text));

const columnOf = ({ segments }: Line, { bbox }: Segment): number =>
  segments.findIndex((one) => Math.abs(one.bbox[0] - bbox[0]) < SAME_EDGE);
