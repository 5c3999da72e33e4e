import type { EventRow } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import { alarmText } from './alarm-text.ts';
import { repeatText } from './repeat-text.ts';
import type { PhoneLabels } from './labels.ts';

type EventLabels = Pick<PhoneLabels, 't' | 'formats' | 'day' | 'time'>;

/** Lists the facts of a calendar entry except its title, each with its label; several of one kind get a line each. */
export function eventFacts(
  event: EventRow,
  calendar: string,
  labels: EventLabels,
): readonly (readonly [name: string, value: string])[] {
  const { t } = labels;
  const facts: [string, string | null][] = [
    [t('time'), whenOf(event, labels)],
    [t('place'), event.location],
    [t('calendar'), calendar],
    [
      t('pdf_export.repeats'),
      event.recurrence === null ? null : repeatText(event.recurrence, event.is_all_day, labels),
    ],
    [t('pdf_export.zone'), event.recurrence === null ? null : event.timezone],
    [t('alarm.name'), event.alarms.map((alarm) => alarmText(alarm, event.is_all_day, labels)).join('\n')],
    [
      t('pdf_export.people'),
      event.attendees.map(({ name, address }) => [name, address].filter(Boolean).join(' · ')).join('\n'),
    ],
    [t('labelled.url'), event.url],
    [t('note'), event.notes],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

function whenOf(
  { starts_at: start, ends_at: end, is_all_day: isDay }: EventRow,
  { t, day, time, formats }: EventLabels,
): string {
  if (start === null) return t('date_unknown');
  // All-day events have civil days, which are the same in every time zone.
  if (isDay) {
    const [firstDay, lastDay] = [start.slice(0, 10), end?.slice(0, 10) ?? ''];
    const until = lastDay > firstDay ? ` – ${formats.date(lastDay)}` : '';
    return `${formats.date(firstDay)}${until} · ${t('whole_day')}`;
  }
  if (end === null || end === start) return `${day(start)} ${time(start)}`;
  return day(start) === day(end)
    ? `${day(start)} ${time(start)} – ${time(end)}`
    : `${day(start)} ${time(start)} – ${day(end)} ${time(end)}`;
}
