import { dateFormat } from '../../../ui/format/formats.ts';

const DAY_S = 86_400;
const MONTH_S = 30 * DAY_S;
const YEAR_S = 365 * DAY_S;

/** Steps of the axis in seconds, none below a day: the values are those of whole days. */
export const DAY_STEPS = [
  ...[1, 2, 3, 5, 10, 15].map((days) => days * DAY_S),
  ...[1, 2, 3, 6].map((months) => months * MONTH_S),
  ...[1, 2, 5, 10, 20].map((years) => years * YEAR_S),
];

/**
 * Labels of an axis of days at `splits`, which are `step` seconds apart: days, months or years. The month is in
 * letters, and the first label of each year has the year.
 */
export function dayLabels(splits: readonly number[], step: number, locale: string): string[] {
  const labelOf = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, { ...options, timeZone: 'UTC' });
  const parts: Intl.DateTimeFormatOptions = step >= MONTH_S ? { month: 'short' } : { day: 'numeric', month: 'short' };
  const year = labelOf({ year: 'numeric' });
  const [short, long] = step >= YEAR_S ? [year, year] : [labelOf(parts), labelOf({ ...parts, year: 'numeric' })];
  const yearOf = (at: number): number => new Date(at * 1000).getUTCFullYear();
  return splits.map((at, index) => {
    const before = splits[index - 1];
    return (before !== undefined && yearOf(before) === yearOf(at) ? short : long).format(at * 1000);
  });
}
