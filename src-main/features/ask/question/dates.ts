import {
  civilDate,
  civilFromDay,
  dayNumber,
  daysInMonth,
  fullYear,
} from '../../../../src-shared/medical/civil-date.ts';

/** Days from the first to the last, both included; an open end is null. */
export interface Period {
  from: string | null;
  to: string | null;
}
export interface FoundPeriod {
  period: Period | null;
  /** The question without the words of the period. */
  rest: string;
}

/** The beginnings of the names of the months in English and German. */
const MONTHS = [
  'jan',
  'feb',
  'm[aä]r|maerz',
  'apr',
  'ma[iy]',
  'jun',
  'jul',
  'aug',
  'sep',
  'o[ck]t',
  'nov',
  'de[cz]',
] as const;
const MONTH = String.raw`(?<month>(?:${MONTHS.join('|')})\p{L}{0,6})\.?`;
const YEAR = String.raw`(?<year>(?:19|20)\d\d)`;
const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  ein: 1,
  eine: 1,
  einem: 1,
  einer: 1,
  two: 2,
  zwei: 2,
  three: 3,
  drei: 3,
  four: 4,
  vier: 4,
  five: 5,
  fünf: 5,
  six: 6,
  sechs: 6,
  ten: 10,
  zehn: 10,
  twelve: 12,
  zwölf: 12,
};
const COUNT = String.raw`(?<count>\d{1,3}|${Object.keys(COUNTS).join('|')})`;
const UNIT = String.raw`(?<unit>days?|tage?n?|weeks?|wochen?|months?|monate?n?|years?|jahre?n?)`;

type Groups = Readonly<Record<string, string | undefined>>;
interface Form {
  pattern: string;
  read: (groups: Groups, today: string) => Period | null;
}

const whole = (year: number, month: number): Period => ({
  from: civilDate(year, month, 1),
  to: civilDate(year, month, daysInMonth(year, month)),
});
const wholeYear = (year: number): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` });
const day = (date: string | null): Period | null => (date === null ? null : { from: date, to: date });

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((beginning) => new RegExp(`^(?:${beginning})`, 'u').test(name ?? '')) + 1;
}

/** The day `count` units before. */
function before(today: string, count: number, unit: string): string {
  const year = Number(today.slice(0, 4)),
    month = Number(today.slice(5, 7)),
    ofMonth = Number(today.slice(8, 10));
  if (/^(?:d|t)/.test(unit)) return civilFromDay(dayNumber(today) - count);
  if (unit.startsWith('w')) return civilFromDay(dayNumber(today) - 7 * count);
  const months = year * 12 + month - 1 - (unit.startsWith('m') ? count : 12 * count);
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1];
  return civilDate(toYear, toMonth, Math.min(ofMonth, daysInMonth(toYear, toMonth))) ?? today;
}

const countOf = ({ count }: Groups): number => COUNTS[count ?? ''] ?? Number(count ?? 1);
const ymd = ({ year, month, day: ofMonth }: Groups): Period | null =>
  day(civilDate(Number(year), Number(month), Number(ofMonth)));

/** The most specific forms first. */
const FORMS: readonly Form[] = [
  { pattern: String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`, read: ymd },
  {
    pattern: String.raw`(?<day>\d{1,2})[./]\s?(?<month>\d{1,2})[./]\s?(?<year>\d{4}|\d\d)(?!\d)`,
    read: ({ year, ...rest }, today) =>
      ymd({ ...rest, year: year?.length === 2 ? String(fullYear(Number(year), today)) : year }),
  },
  {
    pattern: String.raw`(?<day>\d{1,2})(?:\.|st|nd|rd|th)?\s(?:of\s)?${MONTH},?\s${YEAR}`,
    read: ({ month, ...rest }) => ymd({ ...rest, month: String(monthOf(month)) }),
  },
  {
    pattern: String.raw`${MONTH}\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s${YEAR}`,
    read: ({ month, ...rest }) => ymd({ ...rest, month: String(monthOf(month)) }),
  },
  { pattern: String.raw`${MONTH},?\s${YEAR}`, read: ({ year, month }) => whole(Number(year), monthOf(month)) },
  {
    pattern: String.raw`(?:in )?(?:the |den |der |die )?(?:last|past|letzten?|vergangenen) ${COUNT} ${UNIT}`,
    read: (groups, today) => ({ from: before(today, countOf(groups), groups['unit'] ?? ''), to: today }),
  },
  {
    pattern: String.raw`(?:${COUNT} ${UNIT} ago|vor (?<count2>\d{1,3}|${Object.keys(COUNTS).join('|')}) (?<unit2>tage?n?|wochen?|monate?n?|jahre?n?))`,
    read: ({ count, count2, unit, unit2 }, today) =>
      aroundThen(today, countOf({ count: count ?? count2 }), unit ?? unit2 ?? ''),
  },
  {
    pattern: String.raw`(?:last|previous|letzte[sn]?|voriges|vorigen|vergangene[sn]?) (?:year|jahr)`,
    read: (_groups, today) => wholeYear(Number(today.slice(0, 4)) - 1),
  },
  {
    pattern: String.raw`(?:this|diese[sn]?|heuer) (?:year|jahr)`,
    read: (_groups, today) => wholeYear(Number(today.slice(0, 4))),
  },
  {
    pattern: String.raw`(?:last|previous|letzte[rsn]?|vorigen|vergangenen) (?:month|monat)`,
    read: (_groups, today) => monthAround(before(today, 1, 'm')),
  },
  { pattern: String.raw`(?:this|diesen|diesem) (?:month|monat)`, read: (_groups, today) => monthAround(today) },
  {
    pattern: 'yesterday|gestern',
    read: (_groups, today) => day(civilFromDay(dayNumber(today) - 1)),
  },
  { pattern: String.raw`${YEAR}(?!\d)`, read: ({ year }) => wholeYear(Number(year)) },
];

const monthAround = (date: string): Period => whole(Number(date.slice(0, 4)), Number(date.slice(5, 7)));

/** "Two years ago" is the year, "three days ago" the day. */
function aroundThen(today: string, count: number, unit: string): Period | null {
  const then = before(today, count, unit);
  if (/^(?:y|j)/.test(unit)) return wholeYear(Number(then.slice(0, 4)));
  return unit.startsWith('m') ? monthAround(then) : day(then);
}

const BOUNDARY = { before: String.raw`(?<![\p{L}\p{N}])`, after: String.raw`(?![\p{L}\p{N}])` };
const compile = ({ pattern, read }: Form) => ({
  pattern: new RegExp(`${BOUNDARY.before}(?:${pattern})${BOUNDARY.after}`, 'u'),
  read,
});
let compiled: ReturnType<typeof compile>[] | null = null;

interface Found {
  period: Period;
  start: number;
  end: number;
}

function findOne(text: string, today: string): Found | null {
  for (const { pattern, read } of (compiled ??= FORMS.map(compile))) {
    const match = pattern.exec(text);
    const period = match && read(match.groups ?? {}, today);
    if (match && period) return { period, start: match.index, end: match.index + match[0].length };
  }
  return null;
}

/** From the beginning of the earlier period to the end of the later one. */
function around(a: Period, b: Period): Period {
  const [earlier, later] = (a.from ?? '') <= (b.from ?? '') ? [a, b] : [b, a];
  return { from: earlier.from, to: later.to };
}

/** What comes before a date and makes it one end of a period. */
const ENDS: readonly { words: RegExp; read: (period: Period) => Period }[] = [
  { words: /(?:since|seit|ab|starting|beginning)\s(?:the |dem |der )?$/u, read: ({ from }) => ({ from, to: null }) },
  {
    words: /(?:after|nach)\s(?:the |dem |der )?$/u,
    read: ({ to }) => ({ from: to && civilFromDay(dayNumber(to) + 1), to: null }),
  },
  {
    words: /(?:before|vor)\s(?:the |dem |der )?$/u,
    read: ({ from }) => ({ from: null, to: from && civilFromDay(dayNumber(from) - 1) }),
  },
  { words: /(?:until|till|up to|by|bis(?: zum| ende)?)\s(?:the )?$/u, read: ({ to }) => ({ from: null, to }) },
];

/**
 * Finds a day or a period in a question in English or German. A year or a month is the whole of it; "since" and
 * "before" leave one end open. Days of dates with dots or slashes come first.
 */
export function findPeriod(question: string, today: string): FoundPeriod {
  const text = question.toLowerCase();
  const first = findOne(text, today);
  if (!first) return { period: null, rest: question };
  const blank = text.slice(0, first.start) + ' '.repeat(first.end - first.start) + text.slice(first.end);
  const second = findOne(blank, today);
  const found = second ? [first, second].sort((a, b) => a.start - b.start) : [first];
  const rest = found.reduce(
    (kept, { start, end }) => kept.slice(0, start) + ' '.repeat(end - start) + kept.slice(end),
    question,
  );
  if (second) return { period: around(first.period, second.period), rest };
  const end = ENDS.find(({ words }) => words.test(text.slice(0, first.start)));
  return { period: end ? end.read(first.period) : first.period, rest };
}

/** Whether a date is in a period; a fact without a date is in none. */
export const isWithin = (date: string | null, period: Period | null): boolean =>
  period === null ||
  (date !== null && (period.from === null || date >= period.from) && (period.to === null || date <= period.to));
