import { tokensOf } from '../languages/phrases.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { Column } from '../layout/table.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';

const MIN_DAYS = 2;
/** Number of lines between the days and the headings of units: numbers and times of the samples. */
const MAX_LINES_BETWEEN = 3;
const MIN_WIDTH_OF_NAMES = 0.05;
const BESIDE = new Set<LabColumn>(['unit', 'range']);

type Heading = Pick<Column<LabColumn>, 'role' | 'text'>;
interface DayHeader {
  /** All lines of the headings, from top to bottom. */
  lines: number[];
  columns: Column<LabColumn>[];
}

/**
 * Headings of cumulative reports in which the days are in another line than the units: "Date   14/02/24   03/03/25"
 * over "Lab no   1234567   2345678   Units   Reference".
 */
export function daysBesideUnits(page: LayoutPage, dayOf: (segment: Segment) => Heading | null): DayHeader[] {
  return page.lines.flatMap((line, index) => {
    const days = daysAlone(line, dayOf);
    const right = Math.max(...days.map(({ to }) => to));
    const at = days.length < MIN_DAYS ? -1 : nearest(page, index, right);
    const [first] = days;
    if (!first || at < 0) return [];
    const lines: number[] = [];
    for (let one = Math.min(index, at); one <= Math.max(index, at) || isOfSamples(page.lines[one]); one += 1)
      lines.push(one);
    const names = { role: 'test' as const, from: 0, to: Math.max(MIN_WIDTH_OF_NAMES, first.from - 0.05), text: '' };
    return [{ lines, columns: [names, ...days, ...headingsBeside(page.lines[at], right)] }];
  });
}

/** The columns of a line that has nothing but days, perhaps behind one word such as "Date". */
function daysAlone(line: Line, dayOf: (segment: Segment) => Heading | null): Column<LabColumn>[] {
  const columns = line.segments.map((segment) => columnOf(segment, dayOf(segment)));
  const [first, ...rest] = columns;
  const days = first?.role === 'value' ? columns : rest;
  const isLabel = first?.role === 'value' || (line.segments[0]?.words.length ?? 0) === 1;
  return isLabel && days.every((day) => day?.role === 'value' && day.text !== '')
    ? days.filter((day) => day !== null)
    : [];
}

const columnOf = ({ bbox: [from, , width] }: Segment, heading: Heading | null): Column<LabColumn> | null =>
  heading === null ? null : { ...heading, from, to: from + width };

/** The line near the days that has headings of units or ranges to their right; -1 if there is none. */
function nearest(page: LayoutPage, index: number, right: number): number {
  for (let distance = 1; distance <= MAX_LINES_BETWEEN; distance += 1)
    for (const at of [index + distance, index - distance])
      if (headingsBeside(page.lines[at], right).length > 0) return at;
  return -1;
}

/** The headings of units and ranges to the right of the days. */
function headingsBeside(line: Line | undefined, right: number): Column<LabColumn>[] {
  return (line?.segments ?? []).flatMap((segment) => {
    const tokens = tokensOf(segment.words),
      [match] = findLabHeadings(tokens);
    const isWhole = match?.from === 0 && match.to === tokens.length && BESIDE.has(match.role);
    const column = isWhole ? columnOf(segment, { role: match.role, text: segment.text }) : null;
    return column !== null && column.from > right ? [column] : [];
  });
}

/** "Time   0910   0845" below the headings. */
const isOfSamples = (line: Line | undefined): boolean =>
  line !== undefined &&
  /^(?:time|zeit|uhrzeit|heure|ora|lab|request|specimen|sample|fasting)(?!\p{L})/iu.test(line.text);
