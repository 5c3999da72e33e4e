import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { tokensOf } from '../languages/phrases.ts';
import { monthOf } from '../languages/months.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { distanceTo, findHeaders, type Column, type Header } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';
import { newestDate, withSeparateDays, withYears } from './lab-days.ts';
import { unitOfPanel } from './lab-panels.ts';
import { labTokens } from './lab-tokens.ts';
import { daysBesideUnits } from './lab-day-headers.ts';
import { withResultsByPlace } from './lab-place-headings.ts';
import { isKnownTest } from './lab-words.ts';

/**
 * Columns of a laboratory table; two tables side by side are two groups. The text of a value column is its date, if it
 * has one.
 */
export interface LabTable {
  groups: Column<LabColumn>[][];
  /** The unit in the heading of the results: "MIC (mg/L)". */
  unit: string | null;
  /** The newest date of a column, if the heading of another one can't be read; a column may have the wrong date. */
  sureDate: string | null;
  /** Whether the results are concentrations that inhibit a germ. */
  isOfConcentrations: boolean;
}

const CONCENTRATION = /^(?:mic|mhk|cmi)(?!\p{L})/iu;

const MAX_WORDS_OF_DATE = 5;
const MIN_DAYS = 2;
const MIN_ROLES_OF_SEGMENT = 3;
/** Rows below a header in which names of a second table are searched, and how many there have to be. */
const ROWS_TO_COMPARE = 8;
const MIN_NAMES = 2;
/** A number farther than this from every heading is under none of them, as a fraction of the page width. */
const MAX_DISTANCE = 0.05;
/** Tolerance for aligned edges, as a fraction of the page width. */
const SAME_EDGE = 0.02;
/** Names at the left of the page begin before this fraction of its width. */
const MAX_LEFT_OF_NAMES = 0.2;

/** Tables keyed by the line after which their rows begin, and all lines that are headers. */
export function labTables(
  printed: LayoutPage,
  ctx: RowContext,
): { tables: Map<number, LabTable>; headerLines: Set<number> } {
  const newest = newestDate(printed.lines, ctx.parseDate) ?? ctx.dates(printed.page).collected;
  const lines = printed.lines.map((line) =>
    withYears(withSeparateDays(withResultsByPlace(line)), newest, ctx.parseDate),
  );
  const page = { ...printed, lines: lines.map((line) => (isTitle(line) ? { ...line, ...NOTHING } : line)) };
  const tables = new Map<number, LabTable>(),
    headerLines = new Set<number>();
  const otherHeading = (segment: Segment) => datedHeading(segment, ctx) ?? headingOfGroup(segment);
  for (const header of findHeaders(page, findLabHeadings, otherHeading).filter(
    (one) => isLabHeader(one) && !hasNoHeadingOfNumbers(one, page),
  )) {
    const headings = page.lines.slice(header.first, header.index + 1).flatMap(({ segments }) => segments);
    const { groups } = toTable(header, page);
    tables.set(header.index, {
      groups,
      unit: unitOfHeading(headings) ?? unitOfGroup(groups.flat(), header.line),
      sureDate: sureDateOf(groups.flat(), headings),
      isOfConcentrations: groups.flat().some(({ role, text }) => role === 'value' && CONCENTRATION.test(text)),
    });
    for (let index = header.first; index <= header.index; index += 1) headerLines.add(index);
  }
  for (const [index, columns] of columnsOfDays(page, ctx)) {
    if (headerLines.has(index)) continue;
    tables.set(index, { groups: [columns], unit: null, sureDate: null, isOfConcentrations: false });
    headerLines.add(index);
  }
  for (const { lines, columns } of daysBesideUnits(page, (segment) => datedHeading(segment, ctx)))
    if (!lines.some((index) => tables.has(index))) {
      tables.set(lines.at(-1) ?? 0, { groups: [columns], unit: null, sureDate: null, isOfConcentrations: false });
      for (const index of lines) headerLines.add(index);
    }
  return { tables, headerLines };
}

/** "Résultats d’analyses", alone in its line: its words do not head the columns below. */
const isTitle = ({ segments: [title, ...others] }: Line): boolean =>
  title !== undefined && others.length === 0 && TITLE.test(title.text);
const TITLE =
  /^(?:r[ée]sultats?|risultati|ergebnisse|results?)\s+(?:d[’']|des?\s|du\s|di\s|delle\s|degli\s|der\s|of\s)\s*\p{L}/iu;
const NOTHING: Pick<Line, 'segments' | 'words' | 'text'> = { segments: [], words: [], text: '' };

/** The columns of lines that contain nothing but dates, above a test and its numbers. */
function columnsOfDays({ lines }: LayoutPage, ctx: RowContext): [number, Column<LabColumn>[]][] {
  return lines.flatMap((line, index): [number, Column<LabColumn>[]][] => {
    const [name, ...numbers] = lines[index + 1]?.segments ?? [];
    const first = line.segments[0];
    const days = line.segments.map((segment) => datedHeading(segment, ctx));
    const isOfTest = name !== undefined && isKnownTest(name.text) && labTokens(numbers)[0]?.kind === 'number';
    if (!first || days.length < MIN_DAYS || !isOfTest || first.bbox[0] < name.bbox[0] + name.bbox[2]) return [];
    const columns = line.segments.flatMap(({ bbox: [from, , width] }, i): Column<LabColumn>[] => {
      const day = days[i];
      return day?.role === 'value' && day.text !== '' ? [{ ...day, from, to: from + width }] : [];
    });
    if (columns.length < days.length) return [];
    return [[index, [{ role: 'test', from: 0, to: Math.max(0.05, first.bbox[0] - 0.05), text: '' }, ...columns]]];
  });
}

/** A laboratory header names the test or the result column, and at least one more column. */
const isLabHeader = ({ columns, line }: Header<LabColumn>): boolean => {
  if (isResult(line)) return false;
  const roles = new Set(columns.map((column) => column.role));
  // "Normal results"
  if (line.segments.length === 1 && roles.size < MIN_ROLES_OF_SEGMENT) return false;
  return (
    (roles.has('test') && (roles.has('value') || roles.has('unit') || roles.has('range'))) ||
    (roles.has('value') && (roles.has('unit') || roles.has('range')))
  );
};

/**
 * "Ihr Wert      liegt   Normbereich" at the left, above names: the numbers beside these have no heading, and each row is
 * read by itself.
 */
function hasNoHeadingOfNumbers({ columns, index }: Header<LabColumn>, { lines }: LayoutPage): boolean {
  const [first, ...others] = columns;
  if (first?.role === 'test')
    return isHeadingOfNumbersLost(columns, lines.slice(index + 1, index + 1 + ROWS_TO_COMPARE));
  if (first?.role !== 'value' || isDated(first) || others.some(({ role }) => role === 'test' || role === 'value'))
    return false;
  const rows = lines.slice(index + 1, index + 1 + ROWS_TO_COMPARE).filter(({ segments }) => {
    const [name, number] = segments;
    const isUnderValue = name !== undefined && Math.abs(name.bbox[0] - first.from) < SAME_EDGE;
    return (
      isUnderValue &&
      /^\p{L}/u.test(name.text) &&
      number !== undefined &&
      number.bbox[0] > first.to + SAME_EDGE &&
      labTokens([number])[0]?.kind === 'number'
    );
  });
  return rows.length >= MIN_NAMES;
}

/** "Analyse      Normwerte" of a scan that lost the heading between: the results are beside both. */
function isHeadingOfNumbersLost(columns: readonly Column<LabColumn>[], lines: readonly Line[]): boolean {
  if (columns.some(({ role }) => role === 'value')) return false;
  const rows = lines.filter(({ segments: [, number] }) => {
    if (number === undefined || labTokens([number])[0]?.kind !== 'number') return false;
    const [from, , width] = number.bbox;
    return columns.every((column) => distanceTo(column, from, from + width) > MAX_DISTANCE);
  });
  return rows.length >= MIN_NAMES;
}

/** "Harnstoff   38   mg/dl   17 – 48   UV-Test" has a unit and the word "Test", but also a number and its range. */
function isResult({ segments }: Line): boolean {
  const tokens = labTokens(segments);
  const number = tokens.find(({ kind, text }) => kind === 'number' && !/^(?:19|20)\d\d$/.test(text));
  return (
    tokens.some(
      (token) =>
        token !== number && (token.kind === 'range' || (token.kind === 'number' && /^[<>≤≥]/.test(token.text))),
    ) && number !== undefined
  );
}

/** "%", "rel. %", "abs. g/l": shares and amounts of a count or of proteins, each under its unit. */
const SHARE_OR_AMOUNT =
  /^(?:(?:rel|abs|relativ|absolut|anteile?|konz|conc|assolut[oi]|relativ[oi]|absolue?|relatif)\.?\s(\S+)|(?=%$)(%))$/iu;

/** A date above a column, alone or with a word that describes it: "Vorwert 12.3.2024". */
function datedHeading(segment: Segment, ctx: RowContext): { role: LabColumn; text: string } | null {
  if (segment.words.length > MAX_WORDS_OF_DATE) return null;
  // "Allergen   kU/l   Klasse": a unit is the heading of the results.
  if (segment.words.length === 1 && /\p{L}\/\p{L}/u.test(segment.text) && isUnit(segment.text))
    return { role: 'value', text: segment.text };
  const share = SHARE_OR_AMOUNT.exec(segment.text)
    ?.slice(1)
    .find((unit) => unit);
  if (share !== undefined && isUnit(share, { inColumn: true })) return { role: 'value', text: share };
  const date = ctx.parseDate(segment.text);
  if (date === null) return null;
  const roles = new Set(findLabHeadings(tokensOf(segment.words)).map(({ role }) => role));
  const others = segment.words.filter(({ text }) => /\p{L}{2}/u.test(text) && monthOf(text) === null).length;
  if (roles.has('previous')) return { role: 'previous', text: segment.text };
  if (roles.size > 0 && !roles.has('value')) return null;
  return others > (roles.has('value') ? 2 : 0) ? null : { role: 'value', text: date };
}

/** Whether the heading of a column is a day, so that its cells are the results of that day. */
export const isDated = (column: Column<LabColumn>): boolean => /^\d{4}-\d\d-\d\d$/.test(column.text);

/** One digit alone is a speck or the edge of a sheet; more are left of any date. */
const MIN_DIGITS_OF_DATE = 2;

/** The newest date, if a heading beside dates has digits and is none: "3  19". */
function sureDateOf(columns: readonly Column<LabColumn>[], headings: readonly Segment[]): string | null {
  const dates = columns.filter(isDated);
  const isUnread = ({ text, bbox }: Segment): boolean =>
    /^\W*\d/.test(text) && columns.every(({ from, to }) => bbox[0] > to || bbox[0] + bbox[2] < from);
  const unread = headings.filter(isUnread).map(({ text }) => text);
  if (dates.length === 0 || unread.join('').replace(/\D/g, '').length < MIN_DIGITS_OF_DATE) return null;
  return (
    dates
      .map(({ text }) => text)
      .sort()
      .at(-1) ?? null
  );
}

/** The unit in brackets after the only heading of results. */
function unitOfHeading(segments: readonly Segment[]): string | null {
  const units = segments.flatMap(({ text, words }) => {
    const isValue = findLabHeadings(tokensOf(words)).some(({ role }) => role === 'value');
    const unit = /[[(]([^\])]+)[\])]$/.exec(text)?.[1] ?? /(?:^|\s)(\S+\/\S+)$/.exec(text)?.[1];
    return (isValue || unit === text) && unit && isUnit(unit) ? [unit] : [];
  });
  return units.length === 1 ? (units[0] ?? null) : null;
}

/** "Bilan lipidique (mmol/l)" at the left, above the names of its tests. */
const headingOfGroup = (segment: Segment): { role: 'test'; text: string } | null => {
  const isAtLeft = segment.bbox[0] < MAX_LEFT_OF_NAMES && findLabHeadings(tokensOf(segment.words)).length === 0;
  return isAtLeft && unitOfPanel({ segments: [segment], text: segment.text }) !== null
    ? { role: 'test', text: '' }
    : null;
};

/** "Elektrolyte (mmol/l)   Resultat   Referenz": a group of tests and its unit, in place of a column of units. */
function unitOfGroup(columns: readonly Column<LabColumn>[], { segments: [group], ...line }: Line): string | null {
  if (!group || columns.some(({ role }) => role === 'unit')) return null;
  return unitOfPanel(partOf({ ...line, segments: [group] }, [group]));
}

/** "Résultats d’analyses" over "Analyses   23/08/2025   27/02/2025" is the title of the table, and no column of it. */
function withoutTitle({ columns, first, index }: Header<LabColumn>, { lines }: LayoutPage): Column<LabColumn>[] {
  const [title, ...others] = index > first ? (lines[first]?.segments ?? []) : [];
  if (!title || others.length > 0) return columns;
  const isOfTitle = ({ role, from, to, text }: Column<LabColumn>): boolean =>
    (role === 'value' || role === 'test') &&
    title.text.includes(text) &&
    from >= title.bbox[0] - SAME_EDGE &&
    to <= title.bbox[0] + title.bbox[2] + SAME_EDGE;
  const rest = columns.filter((column) => isDated(column) || !isOfTitle(column));
  return rest.some(isDated) && rest.some(({ role }) => role === 'test') ? rest : columns;
}

const DATE = /^(?:datum|dates?|data)$/iu;

function toTable(header: Header<LabColumn>, page: LayoutPage): Pick<LabTable, 'groups'> {
  const { index } = header;
  const named = withoutTitle(header, page).map((column, _, all): Column<LabColumn> => {
    // "Result (previous)" heads both, the earlier one in brackets.
    const isBoth = column.role === 'previous' && /\(/.test(column.text) && all.every(({ role }) => role !== 'value');
    return isBoth ? { ...column, role: 'value' } : column;
  });
  // "Previous result | Date": the day of the earlier result, not of the row.
  named.forEach((column, i) => {
    if (column.role === 'other' && DATE.test(column.text) && named[i - 1]?.role === 'previous')
      named[i] = { ...column, role: 'previous' };
  });
  // Beside a result column without a date, columns with dates contain earlier results.
  const isOverNames = isHeadingOfNames(named);
  const hasResult = named.some((column, i) => column.role === 'value' && !isDated(column) && !(isOverNames && i === 0));
  // "Earlier results" is printed once, above the first of their columns.
  const earlier = named.findIndex((column) => column.role === 'previous');
  const columns = named.map((column, i): Column<LabColumn> =>
    isDated(column) && (hasResult || (earlier >= 0 && i > earlier)) ? { ...column, role: 'previous' } : column,
  );
  const [first] = columns;
  if (first && isOverNames) columns[0] = { ...first, role: 'test' };
  if (!columns.some((column) => column.role === 'test')) addNames(columns);
  const shares = sharesAndAmounts(columns);
  if (shares) return { groups: shares };
  withoutShares(columns);
  addNamesOfSecondTable(columns, page.lines.slice(index + 1, index + 1 + ROWS_TO_COMPARE));
  const groups: Column<LabColumn>[][] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    if (
      !last ||
      (column.role === 'test' &&
        last.some((other) => other.role === 'test') &&
        last.some((other) => other.role === 'value' || other.role === 'range'))
    )
      groups.push([column]);
    else last.push(column);
  }
  return { groups };
}

/**
 * "Test   %   Range   Absolute   Range   Unit" has two results in each row: two groups of columns that share their
 * names. Null for other tables.
 */
function sharesAndAmounts([test, ...columns]: readonly Column<LabColumn>[]): Column<LabColumn>[][] | null {
  const starts = columns.flatMap(({ role }, i) => (role === 'value' ? [i] : []));
  const parts = starts.map((start, i) => columns.slice(start, starts[i + 1]));
  const areBoth = parts.every(
    ([value, range, ...rest]) =>
      value !== undefined && !isDated(value) && range?.role === 'range' && rest.every(({ role }) => role === 'unit'),
  );
  const [first] = starts;
  const isShare = parts.some(([value]) => value !== undefined && isUnit(value.text, { inColumn: true }));
  return test?.role === 'test' && first === 0 && parts.length === 2 && areBoth && isShare
    ? parts.map((part) => [test, ...part])
    : null;
}

/** Shares without a range of their own are beside the amounts, which have one. */
function withoutShares(columns: Column<LabColumn>[]): void {
  if (!columns.some(({ role, text }) => role === 'value' && text !== '%')) return;
  columns.forEach((column, i) => {
    if (column.role === 'value' && column.text === '%') columns[i] = { ...column, role: 'other' };
  });
}

/**
 * "Results   11/02/2025   Target", "Wert   Ergebnis   Einheit": at the left and beside a day or another word for
 * results, the word for results is above their names.
 */
const isHeadingOfNames = ([first, second, ...rest]: readonly Column<LabColumn>[]): boolean =>
  first?.role === 'value' &&
  !isDated(first) &&
  first.from < MAX_LEFT_OF_NAMES &&
  second !== undefined &&
  (isDated(second) || second.role === 'value') &&
  rest.every(({ role }) => role !== 'test');

/** Names without a heading are at the left; "Date" may be printed above them, before the dates of the columns. */
function addNames(columns: Column<LabColumn>[]): void {
  const [first, second] = columns;
  if (first && first.from > 0.12)
    columns.unshift({ role: 'test', from: 0, to: Math.max(0.05, first.from - 0.05), text: '' });
  else if (first?.role === 'other' && second && isDated(second)) columns[0] = { ...first, role: 'test' };
}

/** "Value  Norm     Value  Norm": the names of a second table have no heading; the rows show where they begin. */
function addNamesOfSecondTable(columns: Column<LabColumn>[], rows: readonly Line[]): void {
  for (let i = 2; i < columns.length; i += 1) {
    const [before, value] = [columns[i - 1], columns[i]];
    const earlier = columns.slice(0, i);
    const start = earlier.findLastIndex(({ role }) => role === 'test');
    if (!before || value?.role !== 'value' || isDated(value) || before.role === 'test') continue;
    if (!earlier.slice(start + 1).some(({ role }) => role === 'value')) continue;
    const names = rows.flatMap(({ segments }) =>
      segments.filter(
        ({ text, bbox }) =>
          bbox[0] > before.to && bbox[0] + bbox[2] / 2 < value.from && /\p{L}{3}/u.test(text) && !isUnit(text),
      ),
    );
    if (names.length < MIN_NAMES) continue;
    const from = Math.min(...names.map(({ bbox }) => bbox[0]));
    columns.splice(i, 0, { role: 'test', from, to: Math.max(from, value.from - 0.02), text: '' });
    i += 1;
  }
}

/** Splits a line where a second table begins. */
export function partsOf(line: Line, table: LabTable): [Column<LabColumn>[], Line][] {
  const [only] = table.groups;
  if (only && table.groups.length === 1) return [[only, line]];
  const areShared = table.groups.every(([test]) => test === only?.[0]);
  return table.groups.flatMap((columns, i): [Column<LabColumn>[], Line][] => {
    const startOf = (group: Column<LabColumn>[] | undefined): number | undefined => group?.[areShared ? 1 : 0]?.from;
    const from = i === 0 ? -1 : (startOf(columns) ?? 0) - 0.02,
      to = (startOf(table.groups[i + 1]) ?? 2) - 0.02,
      names = areShared ? (startOf(only) ?? 0) - 0.02 : -1;
    const isOwn = ({ bbox: [x] }: Segment): boolean => x < names || (x >= from && x < to);
    const segments = line.segments.filter(isOwn);
    return segments.length > 0 ? [[columns, partOf(line, segments)]] : [];
  });
}

/** What is printed at the left of the column of names, such as opening hours in a letterhead, is not part of a row. */
export function withoutMargin(line: Line, columns: readonly Column<LabColumn>[]): Line {
  const test = columns.find(({ role }) => role === 'test');
  const start = line.segments.findIndex(({ bbox }) => test !== undefined && Math.abs(bbox[0] - test.from) < SAME_EDGE);
  const isMargin = ({ bbox: [x, , width] }: Line['segments'][number]): boolean =>
    x + width < (test?.from ?? 0) - MARGIN;
  const [first] = line.segments;
  const isLeftmost = columns.every(({ from }) => from >= (test?.from ?? 0));
  return start > 0 && isLeftmost && first && isMargin(first) ? partOf(line, line.segments.slice(start)) : line;
}
/** The margin ends at least this far from the column of names. */
const MARGIN = 0.05;
