import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { columnAt, type Column } from '../layout/table.ts';
import { tokensOf } from '../languages/phrases.ts';
import { findLabHeadings } from './lab-columns.ts';
import type { LabCells } from './lab-rows.ts';
import { cellsOf, toTest, type Test } from './lab-transposed.ts';
import { labTokens, type LabToken } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';
import { isNameOfTest } from './plausible-limits.ts';

/** The heading of the times at which samples of a tolerance test were taken. */
const TIMES =
  /^(?:temp[io]|zeit(?:punkt)?|uhrzeit|minuten?|times?|time ?point|temps|minutes?|moment|prelievo|entnahme|probe|sample)$/iu;
/** "Basale", "60 min", "2 h", "nach 120 Minuten". */
const TIME = new RegExp(
  [
    String.raw`^(?:t?0['′’]?|bas(?:ale|al|eline|e)|nüchtern(?:wert)?|fasting|à jeun|a digiuno|`,
    String.raw`(?:(?:dopo|nach|after|apr[èe]s)\s)?(?:t\s?)?\d{1,3}\s?`,
    String.raw`(?:min(?:uten|utes|uti)?\.?|mn|['′’]|h|std\.?|stunden?|hours?|ore|heures?))$`,
  ].join(''),
  'iu',
);
const MIN_TIMES = 2;

/** A column of a test, or one of ranges, which are those of the test before it. */
interface TimedColumn extends Column<'test' | 'range'> {
  test: Test;
}

/**
 * Reads tables of a tolerance test, with a time in each row and a test in each column: "Zeit  Glukose (mg/dl)" over
 * "60 min  181". Returns the cells of each line of such a table, with the time behind the name; those of its headings
 * are empty.
 */
export function timedCells({ lines }: LayoutPage): Map<Line, LabCells[]> {
  const found = new Map<Line, LabCells[]>();
  lines.forEach((heading, at) => {
    const columns = columnsOf(heading);
    if (columns === null) return;
    const end = lines.findIndex((line, i) => i > at && !isOfTime(line));
    const rows = lines.slice(at + 1, end < 0 ? lines.length : end);
    if (rows.length < MIN_TIMES) return;
    found.set(heading, []);
    for (const row of rows) found.set(row, cellsOfTime(row, columns));
  });
  return found;
}

/** The columns of a line that begins with a heading of times and has a known test behind it; null for other lines. */
function columnsOf({ segments: [first, ...headings] }: Line): TimedColumn[] | null {
  if (!first || !TIMES.test(first.text.replace(/\s?\(.*\)$/u, ''))) return null;
  const columns: TimedColumn[] = [];
  for (const heading of headings) {
    const own = toTest(heading);
    const test =
      isKnownTest(own.text) || isNameOfTest(own.text)
        ? own
        : (columns.findLast(({ test: { text } }) => names(heading, text)) ?? columns.at(-1))?.test;
    if (!test) return null;
    columns.push({ role: test === own ? 'test' : 'range', from: own.from, to: own.to, text: own.text, test });
    if (test !== own && !isOfRanges(heading)) return null;
  }
  return columns.length > 0 ? columns : null;
}

const names = ({ text }: Segment, test: string): boolean => text.toLowerCase().includes(test.toLowerCase());

const isOfRanges = ({ words }: Segment): boolean =>
  findLabHeadings(tokensOf(words)).some(({ role, from }) => role === 'range' && from === 0);

const isOfTime = ({ segments: [time, ...results] }: Line): boolean =>
  time !== undefined && TIME.test(time.text) && labTokens(results).some(({ kind }) => kind === 'number');

function cellsOfTime(line: Line, columns: readonly TimedColumn[]): LabCells[] {
  const [time, ...results] = line.segments;
  const tokens = labTokens(results).map((token) => ({
    token,
    column: columnAt(columns, token.from, token.to) as TimedColumn | undefined,
  }));
  const rangeOf = (test: Test): string | null =>
    tokens
      .filter(({ column }) => column?.role === 'range' && column.test === test)
      .map(({ token }) => token.text)
      .join(' ') || null;
  const isNumber = ({ kind }: LabToken): boolean => kind === 'number';
  return tokens.flatMap(({ token, column }): LabCells[] => {
    if (!time || column?.role !== 'test' || !isNumber(token)) return [];
    const test = { ...column.test, text: `${column.test.text} ${time.text}`, range: rangeOf(column.test) };
    return [cellsOf(line, test, token, { date: null, flag: null })];
  });
}
