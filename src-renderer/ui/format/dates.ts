import { LANGUAGE_FACTS } from '../../locales/index.ts';
import { dateFormat } from './formats.ts';

/** Order in which a locale writes day, month and year, e.g. `dmy` for de-CH. */
export function dateOrder(locale: string): 'dmy' | 'mdy' | 'ymd' {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(0).map((part) => part.type);
  if (parts.indexOf('year') < parts.indexOf('month')) return 'ymd';
  return parts.indexOf('day') < parts.indexOf('month') ? 'dmy' : 'mdy';
}

const isCalendarDate = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** Month 1–12 by name or prefix in the locale or any interface language; 0 if none matches. */
function monthByName(word: string, locale: string): number {
  const prefix = word.toLowerCase().replace(/\.$/, '');
  for (const language of [locale, ...Object.keys(LANGUAGE_FACTS)]) {
    for (let month = 0; month < 12; month++) {
      const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
        .format(Date.UTC(2000, month, 1))
        .toLowerCase();
      if (prefix.length >= 3 && name.startsWith(prefix)) return month + 1;
    }
  }
  return 0;
}

/** The order of day, month and year in a typed date. */
function orderOf(parts: readonly string[], text: string, locale: string): 'dmy' | 'mdy' | 'ymd' {
  if (parts[0]?.length === 4) return 'ymd';
  const monthName = parts.findIndex((part) => /\p{L}/u.test(part));
  if (monthName >= 0) return monthName === 0 ? 'mdy' : 'dmy';
  return text.includes('.') ? 'dmy' : dateOrder(locale);
}

/**
 * Parses a date as users type it: "12.11.2026", "12 Nov 2026", "2026-11-12", or "11/12/26" in the order of the locale.
 * Years of two digits are of this century; with `latest`, a civil date, of the last one if the date were after it.
 * @returns the civil date `YYYY-MM-DD`, '' for empty text, or null if the date is invalid
 */
export function parseDate(text: string, locale: string, latest?: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const parts = trimmed.split(/[\s./,-]+/).filter(Boolean);
  if (parts.length !== 3) return null;
  const order = orderOf(parts, trimmed, locale);
  const partOf = (part: 'd' | 'm' | 'y') => parts[order.indexOf(part)] ?? '';
  const month = /\p{L}/u.test(partOf('m')) ? monthByName(partOf('m'), locale) : Number(partOf('m'));
  const day = Number(partOf('d'));
  const isShort = partOf('y').length === 2;
  const year = Number(partOf('y')) + (isShort ? 2000 : 0);
  const isTooLate = latest !== undefined && isShort && civilOf(year, month, day) > latest;
  const meantYear = isTooLate ? year - 100 : year;
  if (!(meantYear >= 1850 && meantYear <= 2200) || !isCalendarDate(meantYear, month, day)) return null;
  return civilOf(meantYear, month, day);
}

const civilOf = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Whether numbers alone tell day and month apart: "12.11.2026" is always day first, "11/12/2026" depends on the reader. */
const isNumericClear = (locale: string): boolean => /^\d+\.\s?\d+\./.test(new Intl.DateTimeFormat(locale).format(0));

/** Formats a civil date for input in the locale ("12.11.2026", "12 Nov 2026"); '' for none. */
export function formatDateForInput(civil: string | null, locale: string): string {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(civil ?? '');
  if (!match) return '';
  const time = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  const month = isNumericClear(locale) ? '2-digit' : 'short';
  return dateFormat(locale, { day: '2-digit', month, year: 'numeric', timeZone: 'UTC' }).format(time);
}
