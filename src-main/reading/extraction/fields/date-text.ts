import { civilDate, fullYear } from '../../../../src-shared/medical/civil-date.ts';
import { foldLetters } from '../fold.ts';
import { monthOf } from '../languages/months.ts';

/** A date in a text. `dmy` and `mdy` are its readings (YYYY-MM-DD); they differ only if the order is ambiguous. */
export interface DateInText {
  /** Offsets in the text. */
  from: number;
  to: number;
  dmy: string | null;
  mdy: string | null;
  /** Whether the order of day and month is ambiguous: "10/07/2023". */
  open: boolean;
  /** Last day of a period printed as one ("12.–19. August 2026"). */
  endDmy: string | null;
  endMdy: string | null;
}

type Reading = Pick<DateInText, 'dmy' | 'mdy' | 'open'> & { endDmy?: string | null; endMdy?: string | null };
interface Form {
  pattern: RegExp;
  read: (groups: string[], today: string) => Reading | null;
}

const DASH = String.raw`(?:-|–|—|bis(?: zum)?|to|through|until|au|al|und|and|et|e|/)`;
/** An ordinal; the end of a day in bold print may be read as an "S": "5S Nov 2025". */
const ORDINAL = String.raw`(?:st|nd|rd|th|er|ere|s(?=\s)|°|º|\.)?`;
const MONTH = String.raw`([a-z]{3,10})\.?`;
const YEAR = String.raw`((?:19|20)\d\d)`;
/** Two digits before a colon are an hour: "21.02. 06:00". */
const ANY_YEAR = String.raw`((?:19|20)\d\d|['’]?\d\d(?!\d|:\d\d|h\d\d))`;

/** In order of preference: longer forms are tried first at each position. */
const FORMS: readonly Form[] = [
  // 12.–19. August 2026, 12 to 19 August 2026, 12 au 19 août 2026
  {
    pattern: new RegExp(
      [
        String.raw`(?<![\d.,])(\d{1,2})${ORDINAL}\s?${DASH}\s?(?:le |il |the )?(\d{1,2})${ORDINAL}\s?(?:of |de |`,
        String.raw`di )?${MONTH},?\s?${YEAR}(?!\d)`,
      ].join(''),
      'g',
    ),
    read: ([d1, d2, m, y]) => toWordedReading(num(y), monthOf(m ?? ''), num(d1), num(d2)),
  },
  // 28. September bis 3. Oktober 2026
  {
    pattern: new RegExp(
      [
        String.raw`(?<![\d.,])(\d{1,2})${ORDINAL}\s?${MONTH}\s?${DASH}\s?(?:le |il |`,
        String.raw`the )?(\d{1,2})${ORDINAL}\s?${MONTH},?\s?${YEAR}(?!\d)`,
      ].join(''),
      'g',
    ),
    read: ([d1, m1, d2, m2, y]) => wordedPeriod(num(y), monthOf(m1 ?? ''), num(d1), monthOf(m2 ?? ''), num(d2)),
  },
  // August 12–19, 2026
  {
    pattern: new RegExp(
      String.raw`\b${MONTH}\s?(\d{1,2})${ORDINAL}\s?${DASH}\s?(\d{1,2})${ORDINAL},?\s?${YEAR}(?!\d)`,
      'g',
    ),
    read: ([m, d1, d2, y]) => toWordedReading(num(y), monthOf(m ?? ''), num(d1), num(d2)),
  },
  // 2023-10-07, 2023/10/07, 2023.10.07
  {
    pattern: new RegExp(String.raw`(?<![\d.,])${YEAR}\s?[-./–]\s?(\d{1,2})\s?[-./–]\s?(\d{1,2})(?![\d])`, 'g'),
    read: ([y, m, d]) => toReading(num(y), num(m), num(d)),
  },
  // 12.08. – 19.08.2026, 12.8. bis 19.8.26
  {
    pattern: new RegExp(
      [
        String.raw`(?<![\d.,/])(\d{1,2})([./])\s?(\d{1,2})\.?\s?${DASH}\s?(\d{1,2})\s?\2\s?(\d{1,2})\s?\2\s?${ANY_YEAR}`,
        String.raw`(?![\d])`,
      ].join(''),
      'g',
    ),
    read: ([a1, sep, b1, a2, b2, y], today) =>
      numericPeriod(num(a1), num(b1), num(a2), num(b2), year(y, today), sep === '/'),
  },
  // 12.–19.08.2026
  {
    pattern: new RegExp(
      String.raw`(?<![\d.,/])(\d{1,2})\.?\s?${DASH}\s?(\d{1,2})\.\s?(\d{1,2})\.\s?${YEAR}(?![\d])`,
      'g',
    ),
    read: ([d1, d2, m, y]) => toWordedReading(num(y), num(m), num(d1), num(d2)),
  },
  // 7.10.2023, 07.10.23, 10/07/2023, 07-10-2023, 7,10,2023 (a misread dot)
  {
    pattern: new RegExp(
      String.raw`(?<![\d.,/-])(\d{1,2})\s?([./,:–-])\s?(\d{1,2})\s?[./,:–-]\s?${ANY_YEAR}(?![\d]|[.,/-]\d)`,
      'g',
    ),
    read: ([a, sep, b, y], today) =>
      y?.length === 2 && sep !== '.' && sep !== '/'
        ? null
        : numeric(num(a), num(b), year(y, today), sep !== '.' && sep !== ',' && sep !== ':'),
  },
  // 0710.2023, 07.102023 (a lost dot)
  {
    pattern: new RegExp(String.raw`(?<![\d.,/-])(\d\d)([./]?)\s?(\d\d)([./]?)\s?${YEAR}(?![\d]|[.,/-]\d)`, 'g'),
    read: ([a, s1, b, s2, y]) => (s1 === '' && s2 === '' ? null : numeric(num(a), num(b), num(y), (s1 || s2) === '/')),
  },
  // 07 10 2023 in the boxes of a form
  {
    pattern: new RegExp(String.raw`(?<![\d.,/-]|\d\s)(\d\d) (\d\d) ${YEAR}(?!\s?\d)`, 'g'),
    read: ([a, b, y]) => numeric(num(a), num(b), num(y), false),
  },
  // 7 Oct 2023, 7. Oktober 2023, 1er mars 2024, 07-Oct-23, 7th of October 2023
  {
    pattern: new RegExp(
      String.raw`(?<![\d.,])(\d{1,2})${ORDINAL}[\s.\/-]?\s?(?:of |de |di |d')?${MONTH}[\s,./-]{0,3}${ANY_YEAR}(?!\d)`,
      'g',
    ),
    read: ([d, m, y], today) => toWordedReading(year(y, today), monthOf(m ?? ''), num(d)),
  },
  // October 7, 2023, Oct. 7th 2023
  {
    pattern: new RegExp(String.raw`\b${MONTH}\s?(\d{1,2})${ORDINAL},?\s?${YEAR}(?!\d)`, 'g'),
    read: ([m, d, y]) => toWordedReading(num(y), monthOf(m ?? ''), num(d)),
  },
];

const num = (text: string | undefined): number => Number(text ?? NaN);
const year = (text: string | undefined, today: string): number => {
  const digits = (text ?? '').replace(/\D/g, '');
  return digits.length === 2 ? fullYear(Number(digits), today) : Number(digits);
};

function toReading(y: number, m: number, d: number): Reading | null {
  const date = civilDate(y, m, d);
  return date ? { dmy: date, mdy: date, open: false } : null;
}

function toWordedReading(y: number, m: number | null, d: number, endDay?: number): Reading | null {
  const first = m ? toReading(y, m, d) : null;
  const end = m && endDay !== undefined ? civilDate(y, m, endDay) : null;
  return first && (endDay === undefined || end) ? { ...first, endDmy: end, endMdy: end } : null;
}

function wordedPeriod(y: number, m1: number | null, d1: number, m2: number | null, d2: number): Reading | null {
  if (!m1 || !m2) return null;
  const first = toReading(m1 > m2 ? y - 1 : y, m1, d1);
  const end = civilDate(y, m2, d2);
  return first && end ? { ...first, endDmy: end, endMdy: end } : null;
}

function numeric(a: number, b: number, y: number, mayBeMonthFirst: boolean): Reading | null {
  const dmy = civilDate(y, b, a);
  const mdy = mayBeMonthFirst ? civilDate(y, a, b) : dmy;
  if (!dmy && !mdy) return null;
  return { dmy: dmy ?? mdy, mdy: mdy ?? dmy, open: dmy !== null && mdy !== null && dmy !== mdy };
}

function numericPeriod(
  a1: number,
  b1: number,
  a2: number,
  b2: number,
  y: number,
  mayBeMonthFirst: boolean,
): Reading | null {
  const first = numeric(a1, b1, y, mayBeMonthFirst);
  const end = numeric(a2, b2, y, mayBeMonthFirst);
  return first && end ? { ...first, open: first.open || end.open, endDmy: end.dmy, endMdy: end.mdy } : null;
}

/**
 * Returns the dates of a text from left to right, in any form of the four languages. `today` (YYYY-MM-DD) determines
 * the century of two-digit years.
 */
export function findDates(text: string, today: string): DateInText[] {
  const plain = straightenDigits(text);
  const found: DateInText[] = [];
  for (const { pattern, read } of FORMS) {
    for (const match of plain.matchAll(pattern)) {
      const from = match.index,
        to = match.index + match[0].length;
      if (found.some((f) => from < f.to && f.from < to)) continue;
      const reading = read(match.slice(1), today);
      if (reading) found.push({ endDmy: null, endMdy: null, ...reading, from, to });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

/**
 * Lower-cases and removes accents while preserving offsets; letters inside numbers that OCR confuses ("O1.l0.2O23")
 * become digits.
 */
function straightenDigits(text: string): string {
  const folded = [...text].map((c) => (foldLetters(c).length === c.length ? foldLetters(c) : c)).join('');
  return folded.replace(/[\doqli|sbz$.,/:-]{4,}/g, (chunk, at: number) => {
    const before = folded[at - 1] ?? ' ',
      after = folded[at + chunk.length] ?? ' ';
    if ((chunk.match(/\d/g) ?? []).length < 3 || /[a-z]/.test(before) || /[a-z]/.test(after)) return chunk;
    return chunk
      .replace(/[oq]/g, '0')
      .replace(/[li|]/g, '1')
      .replace(/[s$]/g, '5')
      .replace(/b/g, '8')
      .replace(/z/g, '2');
  });
}
