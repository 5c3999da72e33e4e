import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { tokensOf } from '../languages/phrases.ts';
import { monthOf } from '../languages/months.ts';
import { boxAround } from '../layout/geometry.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
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

const segmentOf = (words: PageWord[]): Segment => ({
  words,
  text: words.map(({ text }) => text).join(' '),
  bbox: boxAround(words),
});
