import type { EventRow } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { PhoneLabels } from './labels.ts';

const DAY_SECONDS = 86_400;
const UNITS = [
  ['week', 7 * DAY_SECONDS],
  ['day', DAY_SECONDS],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/**
 * Describes when the phone reminds of an event: "15 minutes before", "At the start", a moment, or "1 day before at
 * 09:00" for an all-day event.
 */
export function alarmText(
  { seconds, at }: EventRow['alarms'][number],
  isAllDay: boolean,
  { t, formats, day, time }: Pick<PhoneLabels, 't' | 'formats' | 'day' | 'time'>,
): string {
  if (seconds === null) return at === null ? t('date_unknown') : `${day(at)} ${time(at)}`;
  const offsetText = (offset: number): string =>
    t(offset < 0 ? 'alarm.before' : 'alarm.after', { span: spanOf(Math.abs(offset), formats.locale) });
  if (!isAllDay) return seconds === 0 ? t('alarm.start') : offsetText(seconds);
  // The offset counts from midnight, but people think of a day and an hour.
  const days = Math.floor(seconds / DAY_SECONDS),
    hour = new Intl.DateTimeFormat(formats.locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }).format(
      (seconds - days * DAY_SECONDS) * 1000,
    );
  return t('alarm.at', { day: days === 0 ? t('alarm.same_day') : offsetText(days * DAY_SECONDS), hour });
}

/** "1 hour 30 minutes"; no unit larger than a week. */
function spanOf(seconds: number, locale: string): string {
  let rest = seconds;
  return UNITS.flatMap(([unit, size]) => {
    // Ten days are not "1 week 3 days".
    const count = unit === 'week' && rest % size !== 0 ? 0 : Math.floor(rest / size);
    rest -= count * size;
    return count === 0
      ? []
      : [new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)];
  }).join(' ');
}
