import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { columnAt, type Column } from '../layout/table.ts';
import type { RowContext } from '../row-context.ts';
import type { LabCells } from './lab-rows.ts';
import { labTokens, type LabToken } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';

const DAY = /^(?:datum|dates?|data|tag|jour|giorno|day|zeitpunkt|time)$/iu;
const MIN_TESTS = 2;

/** A test as the heading of a column. */
interface Test extends Column<'test'> {
  unit: string | null;
}

/**
 * Reads tables in which each test is a column and each day a row: "Date  Hb (g/l)  CRP (mg/l)" over "03.04.2024  121
 * 12". Returns the cells of each line that belongs to such a table; those of its headings are empty.
 */
export function transposedCells(page: LayoutPage, ctx: RowContext): Map<Line, LabCells[]> {
  const found = new Map<Line, LabCells[]>();
  for (let at = 0; at < page.lines.length; at += 1) {
    const heading = page.lines[at];
    const tests = heading ? testsOf(heading) : null;
    if (!heading || !tests) continue;
    let next = at + 1;
    const units = page.lines[next];
    if (units?.segments.every(({ text }) => isUnit(text, { inColumn: true }))) {
      addUnits(tests, units);
      next += 1;
    }
    const rows: [Line, LabCells[]][] = [];
    for (; next < page.lines.length; next += 1) {
      const row = page.lines[next];
      const cells = row ? rowOfDay(row, tests, ctx) : null;
      if (!row || !cells) break;
      rows.push([row, cells]);
    }
    if (rows.length === 0) continue;
    for (const line of page.lines.slice(at, next)) found.set(line, []);
    for (const [row, cells] of rows) found.set(row, cells);
    at = next - 1;
  }
  return found;
}

/** The tests of a heading that begins with a word for the day; null if too few are known. */
function testsOf({ segments }: Line): Test[] | null {
  const [day, ...names] = segments;
  if (!day || !DAY.test(day.text) || names.length < MIN_TESTS) return null;
  const tests = names.map(toTest);
  const known = tests.filter(({ text }) => isKnownTest(text)).length;
  return known >= MIN_TESTS && known > names.length / 2 ? tests : null;
}

function toTest({ text, bbox: [from, , width] }: Segment): Test {
  const [, name = text, inside = ''] = /^(.+?)\s*[([]([^)\]]+)[)\]]$/u.exec(text) ?? [];
  const isOfUnit = isUnit(inside, { inColumn: true });
  return { role: 'test', from, to: from + width, text: isOfUnit ? name : text, unit: isOfUnit ? inside : null };
}

function addUnits(tests: readonly Test[], { segments }: Line): void {
  for (const { text, bbox } of segments) {
    const test = columnAt(tests, bbox[0], bbox[0] + bbox[2]) as Test | undefined;
    if (test) test.unit ??= text;
  }
}

/** The results of one day; null if the line doesn't begin with a date and contain numbers. */
function rowOfDay(line: Line, tests: readonly Test[], ctx: RowContext): LabCells[] | null {
  const [day, ...rest] = line.segments;
  const date = day ? ctx.parseDate(day.text) : null;
  const tokens = labTokens(rest);
  const numbers = tokens.filter(({ kind }) => kind === 'number');
  if (date === null || numbers.length === 0) return null;
  return numbers.flatMap((token): LabCells[] => {
    const test = columnAt(tests, token.from, token.to) as Test | undefined;
    return test ? [cellsOf(line, test, token, { date, flag: flagAfter(token, tokens) })] : [];
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
  range: null,
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
