import type { PhoneLabels } from './labels.ts';

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** Parts of a rule that have a label; the start of the week rarely changes its meaning. */
const LABEL_KEYS = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'WKST']);
const FREQUENCIES = {
  DAILY: 'repeat.daily',
  WEEKLY: 'repeat.weekly',
  MONTHLY: 'repeat.monthly',
  YEARLY: 'repeat.yearly',
} as const;

/**
 * Describes how often an event repeats: "Every week · Monday · 6 times". A complex rule is returned in the syntax of
 * RFC 5545.
 */
export function repeatText(
  rule: string,
  isAllDay: boolean,
  { t, formats, day }: Pick<PhoneLabels, 't' | 'formats' | 'day'>,
): string {
  const parts = new Map(
    rule.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name, value] as const;
    }),
  );
  const frequency = FREQUENCIES[parts.get('FREQ') as keyof typeof FREQUENCIES];
  const valuesOf = (name: string): string[] => parts.get(name)?.split(',') ?? [];
  const days = valuesOf('BYDAY').map((each) => DAYS.indexOf(each)),
    dates = valuesOf('BYMONTHDAY').map(Number),
    months = valuesOf('BYMONTH').map(Number);
  const until = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(parts.get('UNTIL') ?? '');
  const isPlain =
    days.every((each) => each >= 0) &&
    dates.every((each) => each > 0) &&
    months.every((each) => each >= 1 && each <= 12) &&
    (until !== null || !parts.has('UNTIL'));
  if (frequency === undefined || !isPlain || [...parts.keys()].some((name) => !LABEL_KEYS.has(name))) return rule;
  const joinList = (parts: readonly string[]): string =>
    new Intl.ListFormat(formats.locale, { type: 'conjunction' }).format(parts);
  // 1 January 2023 was a Sunday.
  const weekdayName = (each: number): string =>
    new Intl.DateTimeFormat(formats.locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2023, 0, 1 + each));
  const monthName = (each: number): string =>
    new Intl.DateTimeFormat(formats.locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2023, each - 1));
  const untilDay = until && `${until[1]}-${until[2]}-${until[3]}`,
    count = Number(parts.get('COUNT') ?? 0);
  return [
    t(frequency, { count: Number(parts.get('INTERVAL') ?? 1) }),
    joinList(days.map(weekdayName)),
    dates.length > 0 && t('repeat.dates', { count: dates.length, dates: joinList(dates.map(String)) }),
    joinList(months.map(monthName)),
    count > 0 && t('repeat.times', { count }),
    untilDay &&
      t('repeat.until', {
        date: isAllDay || !until[4] ? formats.date(untilDay) : day(`${untilDay}T${until[4]}:${until[5]}:${until[6]}`),
      }),
  ]
    .filter(Boolean)
    .join(' · ');
}
