/** Narrow no-break space (U+202F), between a number and its unit. */
export const NARROW_SPACE = '\u202f';

const utcOf = (civil: string) =>
  Date.UTC(Number(civil.slice(0, 4)), Number(civil.slice(5, 7)) - 1, Number(civil.slice(8, 10)));
/** The instant of an API timestamp, which is UTC without a zone. */
const instantOf = (timestamp: string) => Date.parse(`${timestamp}Z`);

/** British English shortens September to four letters and all other months to three. */
const threeLetters = (month: string): string => month.replace(/^Sept(?=\.?$)/, 'Sep');

/**
 * A formatter whose short months all have the same length, of single dates and of periods. It loads the data of its
 * locale when it is first used: a page uses three of fourteen.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions) {
  let loaded: Intl.DateTimeFormat | null = null;
  const format = (): Intl.DateTimeFormat => (loaded ??= new Intl.DateTimeFormat(locale, options));
  const join = (parts: readonly { type: string; value: string }[]): string =>
    parts.map(({ type, value }) => (type === 'month' ? threeLetters(value) : value)).join('');
  return {
    format: (time: number): string => join(format().formatToParts(time)),
    /** Days of one month have no spaces around their dash. */
    period: (from: number, to: number): string =>
      join(format().formatRangeToParts(from, to)).replace(/^(\d+\.?)\s*–\s*(?=\d)/u, '$1–'),
  };
}

/**
 * The formatters of a locale. Civil dates are formatted in UTC, so that no time zone shifts them. `thisYear` is the year
 * that short dates leave out.
 */
export function formatsOf(locale: string, thisYear: () => number) {
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, options);
  const medium = format({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const dayMonth = format({ day: 'numeric', month: 'short', timeZone: 'UTC' });
  const long = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const month = format({ month: 'short', timeZone: 'UTC' });
  const monthAndYear = format({ month: 'short', year: 'numeric', timeZone: 'UTC' });
  const monthYear = format({ month: 'long', year: 'numeric', timeZone: 'UTC' });
  const full = format({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const weekday = format({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  const moment = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
  const momentWithYear = format({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const time = format({ hour: '2-digit', minute: '2-digit' });
  const exact = format({ dateStyle: 'long', timeStyle: 'medium' });
  const dayFormat = (...civil: string[]) =>
    civil.every((date) => Number(date.slice(0, 4)) === thisYear()) ? dayMonth : medium;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const count = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const size = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  return {
    locale,
    /** "2 Nov 2026" */
    date: (civil: string | null) => (civil ? medium.format(utcOf(civil)) : ''),
    /** "12 Nov" of this year, "12 Nov 2024" of another */
    day: (civil: string | null) => (civil ? dayFormat(civil).format(utcOf(civil)) : ''),
    /** "12–21 Oct" of this year, "12–21 Oct 2024" of another */
    period: (from: string, to: string) => dayFormat(from, to).period(utcOf(from), utcOf(to)),
    /** "Nov" */
    month: (civil: string) => month.format(utcOf(civil)),
    /** "Nov 2026" */
    monthAndYear: (civil: string) => monthAndYear.format(utcOf(civil)),
    /** "November 2026" */
    monthYear: (civil: string) => monthYear.format(utcOf(civil)),
    /** "12 November 2026" */
    dateFull: (civil: string | null) => (civil ? full.format(utcOf(civil)) : ''),
    /** "Thursday, 12 November 2026", for hover */
    dateLong: (civil: string | null) => (civil ? long.format(utcOf(civil)) : ''),
    /** "Thursday, 12 November" */
    weekday: (civil: string) => weekday.format(utcOf(civil)),
    /** A UTC timestamp in local time: "12 Nov, 09:30"; with its year if it is not this one */
    moment(timestamp: string): string {
      const instant = instantOf(timestamp);
      return (new Date(instant).getFullYear() === thisYear() ? moment : momentWithYear).format(instant);
    },
    /** A UTC timestamp in local time, without its day: "09:30" */
    time: (timestamp: string) => time.format(instantOf(timestamp)),
    /** Day and time to the second, for hover */
    momentExact: (timestamp: string) => exact.format(instantOf(timestamp)),
    number: (value: number) => number.format(value),
    count: (value: number) => count.format(value),
    /** A number with its unit: "3.4 mmol/L" */
    withUnit: (value: number | string, unit: string | null) =>
      `${typeof value === 'number' ? number.format(value) : value}${unit ? NARROW_SPACE + unit : ''}`,
    /** "214.60 CHF": the code behind the amount, as invoices print it */
    money: (amount: number, currency: string) => `${money.format(amount)}${NARROW_SPACE}${currency}`,
    /** "64 %" of a share 0–1 */
    percent: (share: number) => `${count.format(share * 100)}${NARROW_SPACE}%`,
    /** "2.4 MB" */
    bytes: (bytes: number) => {
      const step = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
      return `${size.format(bytes / 1000 ** step)}${NARROW_SPACE}${['B', 'kB', 'MB', 'GB', 'TB'][step]}`;
    },
  };
}
export type Formats = ReturnType<typeof formatsOf>;

/** Formats a number with at least the printed decimals. */
export function formatDecimal(value: number, decimals: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: Math.min(decimals, 6),
    maximumFractionDigits: 6,
    useGrouping: 'min2',
  }).format(value);
}
