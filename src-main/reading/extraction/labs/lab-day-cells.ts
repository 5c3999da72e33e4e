import { partOf, segmentOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { columnAt, distanceTo, type Column } from '../layout/table.ts';
import type { LabColumn } from './lab-columns.ts';
import { isDated } from './lab-table.ts';
import type { LabToken } from './lab-tokens.ts';

/** A number farther than this from a day is not of it. */
const MAX_DISTANCE = 0.05;

/** "[5,4]": some laboratories print results outside of their range in brackets. */
const IN_BRACKETS = /^\[([<>]?\d+(?:[.,]\d+)?)\]$/;

/** A line between two cells of a table, which a scan reads as a letter or sign. */
const LINE_OF_TABLE = /^[I|l[\]]$/u;

/** Takes from a row what belongs to no cell: brackets around results, and the lines of a table between its days. */
export const tidyCells = (line: Line, columns: readonly Column<LabColumn>[]): Line =>
  withoutBracketsOfResults(withoutLinesOfTable(line, columns), columns);

/** Beside numbers, a lone "I" or "|" under the headings of days is a line of the table and no result. */
function withoutLinesOfTable(line: Line, columns: readonly Column<LabColumn>[]): Line {
  const isCellOfDay = ({ bbox: [x, , width] }: Segment): boolean => {
    const column = columnAt(columns, x, x + width);
    return column !== undefined && isDated(column);
  };
  const hasNumber = line.segments.some((segment) => /\d/.test(segment.text) && isCellOfDay(segment));
  if (!hasNumber) return line;
  const segments = line.segments.flatMap((segment): Segment[] => {
    const words = segment.words.filter(({ text }) => !LINE_OF_TABLE.test(text));
    if (words.length === 0) return isCellOfDay(segment) ? [] : [segment];
    const isResult = words.length < segment.words.length && /^[<>]?\d/.test(words[0]?.text ?? '');
    return [isResult ? segmentOf(words) : segment];
  });
  return segments.every((segment, i) => segment === line.segments[i]) ? line : partOf(line, segments);
}

function withoutBracketsOfResults(line: Line, columns: readonly Column<LabColumn>[]): Line {
  const segments = line.segments.map((segment): Segment => {
    const [word, ...others] = segment.words;
    const text = IN_BRACKETS.exec(segment.text)?.[1];
    const column = columnAt(columns, segment.bbox[0], segment.bbox[0] + segment.bbox[2]);
    if (!word || others.length > 0 || text === undefined || column?.role !== 'value') return segment;
    return { ...segment, text, words: [{ ...word, text }] };
  });
  return segments.every((segment, i) => segment === line.segments[i]) ? line : partOf(line, segments);
}

/** Moves the numbers of a row that are under the heading of another column to their own. */
export function spreadOverColumns(
  cells: { role: LabColumn; token: LabToken; column: Column<LabColumn> }[],
  columns: readonly Column<LabColumn>[],
): void {
  spreadOverDays(cells, columns);
  spreadOverEarlier(cells, columns);
}

/**
 * Signs and right edges move numbers out of the columns of their days, to the next one or to that of the units. One
 * number for each day is in the order of the days; a number beside a day without one is of that day.
 */
function spreadOverDays(
  cells: { role: LabColumn; token: LabToken; column: Column<LabColumn> }[],
  columns: readonly Column<LabColumn>[],
): void {
  const days = columns.filter((column) => column.role === 'value' && isDated(column)).sort((a, b) => a.from - b.from);
  const own = cells
    .filter(
      ({ role, token, column }) => role === 'value' && isOfDay(token) && (isDated(column) || column.role === 'unit'),
    )
    .sort((a, b) => a.token.from - b.token.from);
  if (days.length < 2 || own.every(({ column }) => isDated(column) && only(own, column))) return;
  own.forEach((cell, i) => {
    const free = days.filter(
      (day) => only(own, day, 0) && distanceTo(day, cell.token.from, cell.token.to) < MAX_DISTANCE,
    );
    const day = own.length === days.length ? days[i] : free.at(-1);
    if (day && (own.length === days.length || !isDated(cell.column))) cell.column = day;
  });
}

/**
 * Numbers at the right edge of their column may be nearer to the next heading: "Vorwert   Aktuell   Einheit". One number
 * for each column of results, of which two would be in the same one, are in the order of the columns.
 */
function spreadOverEarlier(
  cells: { role: LabColumn; token: LabToken; column: Column<LabColumn> }[],
  columns: readonly Column<LabColumn>[],
): void {
  const results = columns.filter(({ role }) => role === 'value' || role === 'previous').sort((a, b) => a.from - b.from);
  const end = columns.find(({ role, from }) => role === 'unit' && from > (results.at(-1)?.from ?? 1));
  const own = cells
    .filter(({ token: { kind }, column }) => kind === 'number' && (results.includes(column) || column === end))
    .filter(({ token, column }) => column !== end || token.from < column.from)
    .sort((a, b) => a.token.from - b.token.from);
  const [value, ...others] = results.filter(({ role }) => role === 'value');
  if (!value || isDated(value) || others.length > 0 || results.length < 2 || own.length !== results.length) return;
  if (results.every((column) => only(own, column))) return;
  own.forEach((cell, i) => Object.assign(cell, { column: results[i], role: results[i]?.role }));
}

const isOfDay = ({ kind }: LabToken): boolean => kind !== 'flag' && kind !== 'unit';
/** Whether so many cells are in a column. */
const only = (cells: readonly { column: Column<LabColumn> }[], column: Column<LabColumn>, count = 1): boolean =>
  cells.filter((cell) => cell.column === column).length === count;
