import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { columnAt, type Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import type { LabCells } from './lab-rows.ts';
import { tokensOf } from '../languages/phrases.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';
import { labTokens, type LabToken } from './lab-tokens.ts';
import { isKnownTest, isWordResult } from './lab-words.ts';

const DAY = /^(?:datum|dates?|data|tag|jour|giorno|day|zeitpunkt|time)$/iu;
const MIN_TESTS = 2;
/** So many names over units are tests, even if most are unknown. */
const MIN_TESTS_ABOVE_UNITS = 4;
const MIN_DAYS_OF_ONE_TEST = 2;

/** A test as the heading of a column. */
export interface Test extends Column<'test'> {
  unit: string | null;
  range: string | null;
  /** False for "Dose" and "Remark" beside the only test. */
  isTest: boolean;
}

/**
 * Reads tables in which each test is a column and each day a row: "Date  Hb (g/l)  CRP (mg/l)" over "03.04.2024  121
 * 12". Returns the cells of each line that belongs to such a table; those of its headings are empty.
 */
export function transposedCells(page: LayoutPage, ctx: RowContext): Map<Line, LabCells[]> {
  const found = new Map<Line, LabCells[]>();
  for (let at = 0; at < page.lines.length; at += 1) {
    const heading = page.lines[at];
    const below = page.lines.slice(at + 1).find((line) => !isSpeck(line));
    const tests = heading ? (testsOf(heading, below) ?? testsAboveLabel(heading, below)) : null;
    if (!heading || !tests) continue;
    const days: Line[] = [];
    let unreadable = 0,
      last = heading;
    for (const row of page.lines.slice(at + 1)) {
      const isDay = !addUnits(tests, row) && !addRanges(tests, row, days.length === 0);
      const isResult = isDay && rowOfDay(row, tests, ctx) !== null;
      if (isResult) days.push(row);
      if (isResult || !isDay) last = row;
      else if (isUnreadableDay(row, ctx)) unreadable += 1;
      else if (!isSpeck(row)) break;
    }
    const next = page.lines.indexOf(last) + 1;
    const isOfOne = !tests.every(({ isTest }) => isTest);
    if (days.length === 0 || days.length + unreadable < (isOfOne ? MIN_DAYS_OF_ONE_TEST : 1)) continue;
    for (const line of page.lines.slice(at, next)) found.set(line, []);
    for (const row of days) found.set(row, rowOfDay(row, tests, ctx) ?? []);
    at = next - 1;
  }
  return found;
}

/** The column or row that a segment is the heading of, if it contains nothing else. */
function headingOf({ words }: Segment): LabColumn | null {
  const tokens = tokensOf(words);
  const [match] = findLabHeadings(tokens);
  return match?.from === 0 && match.to === tokens.length ? match.role : null;
}

/** The tests of a heading that begins with a word for the day or for tests; null if too few are known. */
function testsOf({ segments }: Line, below: Line | undefined): Test[] | null {
  const [day, ...names] = segments;
  if (!day) return null;
  const tests = names.map(toTest);
  const known = tests.filter(({ text }) => isKnownTest(text)).length;
  if (known >= MIN_TESTS && (known > names.length / 2 || isRowOfUnits(below)))
    return DAY.test(day.text) || headingOf(day) === 'test' ? tests : null;
  // "Date   INR   Dose", "Data   INR   Esito"
  const [first, ...others] = names;
  const isFirst = first !== undefined && isKnownTest(first.text) && others.every((name) => headingOf(name) === 'value');
  const isOfOne = known === 1 && DAY.test(day.text) && (isFirst || names.every((name) => headingOf(name) === null));
  return isOfOne ? tests.map((test) => ({ ...test, isTest: isKnownTest(test.text) })) : null;
}

/**
 * Tests over a line that begins with the word for the day, or with one for units or results: "Leukozyten  Kreatinin"
 * over "Datum  Gpt/l  µmol/l" or "Wert  4,2  71".
 */
function testsAboveLabel({ segments }: Line, below: Line | undefined): Test[] | null {
  const [label] = below?.segments ?? [];
  const isBelow = label !== undefined && label.bbox[0] + label.bbox[2] / 2 < (segments[0]?.bbox[0] ?? 0);
  const known = segments.filter(({ text }) => isKnownTest(text)).length;
  const areTests = known >= MIN_TESTS && (known > segments.length / 2 || segments.length >= MIN_TESTS_ABOVE_UNITS);
  return isBelow && areTests && (isRowOfUnits(below) || isRowOfResults(below)) ? segments.map(toTest) : null;
}

/** "Datum  g/l  µmol/l", "Unit  g/l  µmol/l" */
function isRowOfUnits(line: Line | undefined): boolean {
  const [label, ...units] = line?.segments ?? [];
  if (!label || units.length === 0 || !(DAY.test(label.text) || headingOf(label) === 'unit')) return false;
  return areUnits(units, headingOf(label) === 'unit');
}

/** "Wert   4,2   71", of which a scan may have spoilt less than half. */
function isRowOfResults(line: Line | undefined): boolean {
  const [label, ...results] = line?.segments ?? [];
  const numbers = results.filter((result) => labTokens([result])[0]?.kind === 'number').length;
  return label !== undefined && headingOf(label) === 'value' && numbers >= MIN_TESTS && numbers > results.length / 2;
}

/** "mg /dL" */
const withoutBlanks = (text: string): string => text.replace(/\s*\/\s*/g, '/');

/** Whether texts are units; behind a heading of units, a scan may have spoilt less than half of them. */
function areUnits(segments: readonly Segment[], isLabelled: boolean): boolean {
  const units = segments.filter(({ text }) => isUnit(withoutBlanks(text), { inColumn: true })).length;
  return units === segments.length || (isLabelled && units > segments.length / 2);
}

/** The rules of a table, which a scan reads as a line of a few letters each. */
const isSpeck = ({ words }: Line): boolean => words.every(({ text }) => text.length <= MAX_SPECK && !/\d/.test(text));
const MAX_SPECK = 3;

/** A test and its unit, from the heading of its column: "Hb (g/l)". */
export function toTest({ text, bbox: [from, , width] }: Segment): Test {
  const [, name = text, inside = ''] = /^(.+?)\s*[([]([^)\]]+)[)\]]$/u.exec(text) ?? [];
  const isOfUnit = isUnit(inside, { inColumn: true });
  return {
    role: 'test',
    from,
    to: from + width,
    text: isOfUnit ? name : text,
    unit: isOfUnit ? inside : null,
    range: null,
    isTest: true,
  };
}

/** Whether a text before the first test has no digit, and so says what is in its row: "Normales", a misread "Einh." */
const isLabel = ({ text, bbox: [from, , width] }: Segment, tests: readonly Test[]): boolean =>
  !/\d/.test(text) && from + width / 2 < Math.min(...tests.map((test) => test.from));

/** Adds a row of units, with or without its heading; false for other rows. */
function addUnits(tests: readonly Test[], { segments }: Line): boolean {
  const [first, ...others] = segments;
  const isLabelled = first && (headingOf(first) === 'unit' || DAY.test(first.text) || isLabel(first, tests));
  const units = isLabelled ? others : segments;
  if (!areUnits(units, first !== undefined && headingOf(first) === 'unit')) return false;
  for (const { text, bbox } of units) {
    const test = columnAt(tests, bbox[0], bbox[0] + bbox[2]) as Test | undefined;
    const unit = withoutBlanks(text);
    if (test && isUnit(unit, { inColumn: true })) test.unit ??= unit;
  }
  return true;
}

/**
 * Adds a row of ranges, with its heading or in brackets; above the first day also "< 5.0   12-16" without them. False for
 * other rows.
 */
function addRanges(tests: readonly Test[], { segments }: Line, isAboveDays: boolean): boolean {
  const [first, ...others] = segments;
  const areRanges = segments.every(
    ({ text }) => (/^[[(]/.test(text) || isAboveDays) && parseReferenceRange(text) !== null,
  );
  const isLabelled =
    first !== undefined &&
    isLabel(first, tests) &&
    others.length > 0 &&
    others.every(({ text }) => parseReferenceRange(text) !== null);
  if (!first || !(areRanges || headingOf(first) === 'range' || isLabelled)) return false;
  const ranges = areRanges ? segments : others;
  for (const { text, bbox } of ranges) {
    const test = columnAt(tests, bbox[0], bbox[0] + bbox[2]) as Test | undefined;
    if (test) test.range = test.range === null ? text : `${test.range} ${text}`;
  }
  return true;
}

/** The results of one day; null if the line doesn't begin with a date, or a word for results, and contain results. */
function rowOfDay(line: Line, tests: readonly Test[], ctx: RowContext): LabCells[] | null {
  const [day, ...rest] = line.segments;
  const date = day ? ctx.parseDate(day.text) : null;
  const tokens = labTokens(rest);
  const numbers = tokens.filter(
    ({ kind, text }) => kind === 'number' || (date !== null && kind === 'name' && isWordResult(text)),
  );
  const isOfResults = date !== null || (day !== undefined && headingOf(day) === 'value');
  if (!isOfResults || numbers.length === 0) return null;
  return numbers.flatMap((token): LabCells[] => {
    const test = columnAt(tests, token.from, token.to) as Test | undefined;
    return test?.isTest ? [cellsOf(line, test, token, { date, flag: flagAfter(token, tokens) })] : [];
  });
}

/** Whether a line begins with the date of a day whose results a scan lost. */
function isUnreadableDay({ segments }: Line, ctx: RowContext): boolean {
  const [day] = segments;
  return day?.words.length === 1 && segments.length > 1 && ctx.parseDate(day.text) !== null;
}

function flagAfter(token: LabToken, tokens: readonly LabToken[]) {
  const next = tokens[tokens.indexOf(token) + 1];
  return next?.kind === 'flag' && next.from - token.to < 0.03 ? parseLabFlag(next.text) : null;
}

/** The cells of one number under the heading of its test. */
export const cellsOf = (
  line: Line,
  test: Test,
  token: LabToken,
  { date, flag }: Pick<LabCells['values'][number], 'date' | 'flag'>,
): LabCells => ({
  line,
  name: test.text,
  nameToken: null,
  values: [{ text: token.text, token, date, flag }],
  unit: test.unit,
  range: test.range,
  bound: null,
  bareBound: null,
  flag,
  beside: '',
  dateBeside: null,
  isUnderHeader: true,
  isStarred: false,
  isSusceptibility: false,
  hasOtherColumns: false,
});
