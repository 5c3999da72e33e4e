import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { DATE_LABELS } from '../languages/date-labels.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { monthOf } from '../languages/months.ts';
import { partOf, segmentOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { findLabHeadings, type LabColumn } from './lab-columns.ts';

const DAY = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}-\d\d-\d\d)$/;
const TIME = /^\d{1,2}[:.h]\d\d$/;
/** A stay from one day to another, or a label. */
const NO_HEADING = /:$|^(?:[-–—]|bis|to|until|au|al)$/iu;
const MIN_DAYS = 2;
/** Words before a day that belong to it: "Vorwert 12.3.2024". */
const OF_DAY = new Set<LabColumn>(['value', 'previous']);

/** Headings with several days that are printed so close that they look like one: "18/02/25 20/05/25 Units". */
export function withSeparateDays(line: Line): Line {
  const isClose = line.segments.some(({ words }) => words.length > 1 && dayIn(words) !== null);
  if (!isClose || countDays(line.words) < MIN_DAYS || line.words.some(({ text }) => NO_HEADING.test(text))) return line;
  const segments = line.segments.flatMap(separate);
  return segments.length === line.segments.length ? line : partOf(line, segments);
}

/** "01.12." or "01/12", above the results of that day. */
const WITHOUT_YEAR = /^(\d{1,2})([./])(\d{1,2})\.?$/;

/**
 * Headings with several days that have no year, "01.12.   04.12.": it is the last one in which they are not after the
 * newest date of the page.
 */
export function withYears(line: Line, newest: string | null, parseDate: RowContext['parseDate']): Line {
  const days = new Map(line.segments.map((segment) => [segment, dayWithoutYear(segment)]));
  if (newest === null || [...days.values()].filter((day) => day !== null).length < MIN_DAYS) return line;
  const segments = line.segments.map((segment): Segment => {
    const day = days.get(segment) ?? null;
    const year = day === null ? null : yearOf(day, newest, parseDate);
    const [word] = segment.words;
    const [x, , w] = segment.bbox;
    return year === null || !word ? segment : segmentOf([{ ...word, text: year, x, w }]);
  });
  return partOf(line, segments);
}

const MAX_WORDS_OF_DAY = 3;

/** The day of a heading, perhaps with its hour or a word: "01.12.", "21.02. 06:00", "Austritt 09.03."; otherwise null. */
function dayWithoutYear({ words }: Segment): string | null {
  const texts = words.map(({ text }) => text);
  const day = texts.find(isDayWithoutYear);
  const areOthers = texts.every((text) => text === day || TIME.test(text) || /^\p{L}+[.,]?$/u.test(text));
  return day !== undefined && texts.length <= MAX_WORDS_OF_DAY && areOthers ? day : null;
}

const isDayWithoutYear = (text: string): boolean => {
  const [, day = '', mark, month = ''] = WITHOUT_YEAR.exec(text) ?? [];
  return Number(day) >= 1 && Number(month) >= 1 && (mark === '/' ? month.length === 2 : text.endsWith('.'));
};

/** A day with its year. */
function yearOf(text: string, newest: string, parseDate: RowContext['parseDate']): string | null {
  const [, day = '', mark = '', month = ''] = WITHOUT_YEAR.exec(text) ?? [];
  const last = Number(newest.slice(0, 4));
  const dates = [last, last - 1].map((year) => [day, month, String(year)].join(mark));
  return dates.find((date) => (parseDate(date) ?? '9') <= newest) ?? null;
}

/**
 * The newest date of a page that is printed with its year, or the last day of the newest year that is printed
 * without a day ("Labor 2025"); null if it has neither. A birth date is not one of them.
 */
export function newestDate(lines: readonly Line[], parseDate: RowContext['parseDate']): string | null {
  const texts = lines.flatMap(({ words }) => withoutBirthDate(words)).map(({ text }) => text);
  const full = texts.flatMap((text) => (FULL.test(text) ? (parseDate(text) ?? []) : []));
  const years = texts.flatMap((text) => (YEAR.test(text) ? `${text}-12-31` : []));
  return (full.length > 0 ? full : years).sort().at(-1) ?? null;
}
const FULL = /\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}-\d\d-\d\d/;
const YEAR = /^20\d\d$/;

const findDateLabels = createPhraseFinder(DATE_LABELS);
/** The words of a line without the first date behind a label such as "born". */
function withoutBirthDate(words: readonly PageWord[]): readonly PageWord[] {
  const tokens = tokensOf(words);
  const birth = findDateLabels(tokens).find(({ role }) => role === 'birth');
  const star = words.findIndex(({ text }) => /^\*\d/.test(text));
  const label = birth ? (tokens[birth.from]?.word ?? -1) : star;
  const born = label < 0 ? -1 : words.findIndex(({ text }, i) => i >= label && FULL.test(text));
  return born < 0 ? words : words.filter((_, i) => i !== born);
}

/** Number of words of the day that begins at a word: "18/02/25", "3 March 2024", "Mar 3, 2024"; 0 for other words. */
function dayAt(words: readonly PageWord[], at: number): number {
  const [first = '', second = '', third = ''] = words.slice(at, at + 3).map(({ text }) => text);
  if (DAY.test(first)) return 1;
  const isYear = /^(?:19|20)?\d\d$/.test(third);
  if (isYear && /^\d{1,2}\.?$/.test(first) && monthOf(second) !== null) return 3;
  return isYear && /^\d{1,2},?$/.test(second) && /^\p{L}/u.test(first) && monthOf(first) !== null ? 3 : 0;
}

/** Where the first day begins and how many words it has. */
function dayIn(words: readonly PageWord[]): { at: number; length: number } | null {
  for (let at = 0; at < words.length; at += 1) {
    const length = dayAt(words, at);
    if (length > 0) return { at, length };
  }
  return null;
}

function countDays(words: readonly PageWord[]): number {
  const day = dayIn(words);
  return day === null ? 0 : 1 + countDays(words.slice(day.at + day.length));
}

/** The segments of a heading: each day with its time and the words that name it, and what is between them. */
function separate(segment: Segment): Segment[] {
  const day = dayIn(segment.words);
  if (day === null) return [segment];
  const before = segment.words.slice(0, day.at);
  const hasTime = TIME.test(segment.words[day.at + day.length]?.text ?? '');
  const end = day.at + day.length + (hasTime ? 1 : 0);
  const isNamed = before.length > 0 && findLabHeadings(tokensOf(before)).every(({ role }) => OF_DAY.has(role));
  const rest = segment.words.slice(end);
  return [
    ...(before.length > 0 && !isNamed ? [segmentOf(before)] : []),
    segmentOf(segment.words.slice(isNamed ? 0 : day.at, end)),
    ...(rest.length > 0 ? separate(segmentOf(rest)) : []),
  ];
}
