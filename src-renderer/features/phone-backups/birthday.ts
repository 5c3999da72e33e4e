/** The phone keeps a birthday without a year as one of this year. */
const NO_YEAR = '1604';

/** A civil birthday with what is known of it: `year` is null where the phone has none. */
export function birthdayOf(civil: string): { year: string | null; month: string; day: string } | null {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)/.exec(civil) ?? [];
  return year === '' ? null : { year: year === NO_YEAR ? null : year, month, day };
}

/** "9 May 1979", or "9 May" where no year is known. */
export function birthdayText(civil: string, locale: string): string {
  const known = birthdayOf(civil);
  if (!known) return civil;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    ...(known.year !== null && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${civil.slice(0, 10)}T00:00:00Z`));
}
