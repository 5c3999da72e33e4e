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
const MIN_DAYS_OF_ONE_TEST = 2;

/** A test as the heading of a column. */
interface Test extends Column<'test'> {
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
    const tests = heading ? (testsOf(heading) ?? testsAboveDay(heading, page.lines[at + 1])) : null;
    if (!heading || !tests) continue;
    let next = at + 1;
    const days: Line[] = [];
    for (; next < page.lines.length; next += 1) {
      const row = page.lines[next];
      if (!row) break;
      if (addUnits(tests, row) || addRanges(tests, row)) continue;
      if (!rowOfDay(row, tests, ctx)) break;
      days.push(row);
    }
    if (days.length < (tests.every(({ isTest }) => isTest) ? 1 : MIN_DAYS_OF_ONE_TEST)) continue;
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
function testsOf({ segments }: Line): Test[] | null {
  const [day, ...names] = segments;
  if (!day) return null;
  const tests = names.map(toTest);
  const known = tests.filter(({ text }) => isKnownTest(text)).length;
  if (known >= MIN_TESTS && known > names.length / 2)
    return DAY.test(day.text) || headingOf(day) === 'test' ? tests : null;
  // "Date   INR   Dose"
  const isOfOne = known === 1 && DAY.test(day.text) && names.every((name) => headingOf(name) === null);
  return isOfOne ? tests.map((test) => ({ ...test, isTest: isKnownTest(test.text) })) : null;
}

/** Tests over a line that begins with the word for the day: "Leukozyten  Kreatinin" over "Datum  Gpt/l  µmol/l". */
function testsAboveDay({ segments }: Line, below: Line | undefined): Test[] | null {
  const [day, ...units] = below?.segments ?? [];
  const isBelow = day !== undefined && DAY.test(day.text) && day.bbox[0] < (segments[0]?.bbox[0] ?? 0);
  const areUnits = units.length > 0 && units.every(({ text }) => isUnit(text, { inColumn: true }));
  const known = segments.filter(({ text }) => isKnownTest(text)).length;
  return isBelow && areUnits && known >= MIN_TESTS && known > segments.length / 2 ? segments.map(toTest) : null;
}

function toTest({ text, bbox: [from, , width] }: Segment): Test {
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

/** Adds a row of units, with or without its heading; false for other rows. */
function addUnits(tests: readonly Test[], { segments }: Line): boolean {
  const [first, ...others] = segments;
  const units = first && (headingOf(first) === 'unit' || DAY.test(first.text)) ? others : segments;
  if (!units.every(({ text }) => isUnit(text, { inColumn: true }))) return false;
  for (const { text, bbox } of units) {
    const test = columnAt(tests, bbox[0], bbox[0] + bbox[2]) as Test | undefined;
    if (test) test.unit ??= text;
  }
  return true;
}

/** Adds a row of ranges with its heading; false for other rows. */
function addRanges(tests: readonly Test[], { segments }: Line): boolean {
  const [first, ...others] = segments;
  const areRanges = segments.every(({ text }) => /^[[(]/.test(text) && parseReferenceRange(text) !== null);
  if (!first || !(areRanges || headingOf(first) === 'range')) return false;
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

function flagAfter(token: LabToken, tokens: readonly LabToken[]) {
  const next = tokens[tokens.indexOf(token) + 1];
  return next?.kind === 'flag' && next.from - token.to < 0.03 ? parseLabFlag(next.text) : null;
}

const cellsOf = (
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
