/** iOS stores birthdays without a year in this year. */
const NO_YEAR = '1604';

/** Parts of a birthday; `year` is null if the contact has none. */
export function birthdayOf(civil: string): { year: string | null; month: string; day: string } | null {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)/.exec(civil) ?? [];
  return year === '' ? null : { year: year === NO_YEAR ? null : year, month, day };
}

/** "9 May 1979", or "9 May" without a year. */
export function birthdayText(civil: string, locale: string): string {
  const birthday = birthdayOf(civil);
  if (!birthday) return civil;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    ...(birthday.year !== null && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${civil.slice(0, 10)}T00:00:00Z`));
}
