import type { EventRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { escapeText, foldLine, quoteParameter } from './fold-line.ts';
import { zoneOf, type Zone } from '../../../../src-shared/ios-backup/artifacts/time-zone.ts';
import { localStamp, timeZoneLines } from './time-zone.ts';

const toBasicFormat = (time: string): string => time.slice(0, 19).replace(/[-:]/g, '');
const dayAfter = (civil: string): string =>
  new Date(Date.parse(`${civil}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
const plainDay = (civil: string): string => civil.slice(0, 10).replace(/-/g, '');
/** The contract's terms for the participation statuses of RFC 5545 3.2.12. */
const PARTICIPATION: Readonly<Record<string, string>> = {
  pending: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
  delegated: 'DELEGATED',
};

/** How the times of one event are written: as days, in its zone, or without a zone. */
interface Clock {
  name: (property: string, time: string) => string;
  isDay: boolean;
}

/**
 * Writes events as iCalendar (RFC 5545). Times use the zone in which the event was created, so that a series keeps its
 * hour when clocks change; a changed occurrence belongs to its series. `madeAt`: UTC.
 */
export function icsOf(events: readonly EventRow[], madeAt: string): string {
  const zones = new Map<string, Zone | null>();
  const zoneNamed = (name: string): Zone | null => {
    if (!zones.has(name)) zones.set(name, zoneOf(name));
    return zones.get(name) ?? null;
  };
  const changed = Map.groupBy(
    events.filter(
      ({ series_identifier: series, original_starts_at: original }) => series !== null && original !== null,
    ),
    ({ series_identifier: series }) => series ?? '',
  );
  const body = events.flatMap((event) => linesOf(event, changed.get(event.event_identifier) ?? [], madeAt, zoneNamed));
  const timedEvents = events.filter(({ is_all_day: isDay, starts_at: start }) => !isDay && start !== null);
  const definitions = [...zones.values()]
    .filter((zone) => zone !== null)
    .flatMap((zone) => {
      const years = timedEvents
        .filter(({ timezone }) => timezone === zone.name)
        .map(({ starts_at: start }) => Number(start?.slice(0, 4)));
      return timeZoneLines(zone, Math.min(...years), Math.max(...years));
    });
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hearth//Phone backup//EN',
    'CALSCALE:GREGORIAN',
    ...definitions,
    ...body,
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

function clockOf({ is_all_day: isDay, timezone }: EventRow, zoneNamed: (name: string) => Zone | null): Clock {
  if (isDay) return { isDay, name: (property, time) => `${property};VALUE=DATE:${plainDay(time)}` };
  // A floating time is the same hour in every zone.
  if (timezone === null) return { isDay, name: (property, time) => `${property}:${toBasicFormat(time)}` };
  const zone = /^(UTC|GMT|Etc\/(UTC|GMT))$/.test(timezone) ? null : zoneNamed(timezone);
  return {
    isDay,
    name: (property, time) =>
      zone
        ? `${property};TZID=${zone.name}:${localStamp(Date.parse(`${time}Z`), zone)}`
        : `${property}:${toBasicFormat(time)}Z`,
  };
}

function linesOf(
  event: EventRow,
  changed: readonly EventRow[],
  madeAt: string,
  zoneNamed: (name: string) => Zone | null,
): string[] {
  const {
    starts_at: start,
    ends_at: end,
    is_all_day: isDay,
    series_identifier: series,
    original_starts_at: original,
  } = event;
  if (start === null) return [];
  const clock = clockOf(event, zoneNamed),
    { name } = clock;
  const lastDay = end === null || end.slice(0, 10) < start.slice(0, 10) ? start.slice(0, 10) : end.slice(0, 10);
  const optional: [string, string | null][] = [
    ['SUMMARY', event.title],
    ['LOCATION', event.location],
    ['DESCRIPTION', event.notes],
  ];
  const isOccurrence = series !== null && original !== null;
  // A changed occurrence replaces its original, so the series must not exclude it as well.
  const excluded = event.excluded_dates.filter(
    (date) => !changed.some((other) => other.original_starts_at?.slice(0, date.length) === date),
  );
  // RFC 5545 3.6.1: the end of an all-day event is the first day after it.
  const endLines = (): string[] => {
    if (isDay) return [name('DTEND', dayAfter(lastDay))];
    return end !== null && end > start ? [name('DTEND', end)] : [];
  };
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(isOccurrence ? series : event.event_identifier)}@hearth`,
    `DTSTAMP:${toBasicFormat(madeAt)}Z`,
    ...(isOccurrence ? [name('RECURRENCE-ID', original)] : []),
    name('DTSTART', start),
    ...endLines(),
    ...optional.flatMap(([property, text]) => (text === null ? [] : [`${property}:${escapeText(text)}`])),
    ...(event.url ? [`URL:${event.url.replace(/[\u0000-\u001f\u007f]/g, '')}`] : []),
    ...(event.recurrence && !isOccurrence ? [`RRULE:${ruleOf(event.recurrence, clock, event.timezone === null)}`] : []),
    ...excluded.map((date) => name('EXDATE', date.length === 10 ? `${date}T${start.slice(11)}` : date)),
    ...event.attendees.flatMap((attendee) => attendeeLine(attendee)),
    ...event.alarms.flatMap((alarm) => alarmLines(alarm, event.title)),
    'END:VEVENT',
  ];
}

/**
 * The end of a rule has the form of its start: a date for all-day events, no zone for floating times (RFC 5545 3.3.10).
 */
function ruleOf(rule: string, { isDay }: Clock, isFloating: boolean): string {
  const plain = rule.replace(/[\u0000-\u001f\u007f]/g, '');
  if (isDay) return plain.replace(/UNTIL=(\d{8})T\d{6}Z?/, 'UNTIL=$1');
  return isFloating ? plain.replace(/(UNTIL=\d{8}T\d{6})Z/, '$1') : plain;
}

function attendeeLine({ name, address, status }: EventRow['attendees'][number]): string[] {
  if (!address) return [];
  const answer = status === null ? undefined : PARTICIPATION[status];
  const parameters = [name && `;CN=${quoteParameter(name)}`, answer && `;PARTSTAT=${answer}`].filter(Boolean).join('');
  const mail = address.replace(/^mailto:/i, '').replace(/[\s\u0000-\u001f\u007f]/g, '');
  return [`ATTENDEE${parameters}:mailto:${mail}`];
}

/** A reminder that displays the title (RFC 5545 3.6.6). */
function alarmLines({ seconds, at }: EventRow['alarms'][number], title: string | null): string[] {
  const atTime = at === null ? null : `TRIGGER;VALUE=DATE-TIME:${toBasicFormat(at)}Z`;
  const trigger = seconds === null ? atTime : `TRIGGER:${durationOf(seconds)}`;
  return trigger === null
    ? []
    : ['BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${escapeText(title ?? '')}`, trigger, 'END:VALARM'];
}

/** Writes a duration (RFC 5545, 3.3.6). A day there may have 23 or 25 hours, as on the phone. */
function durationOf(seconds: number): string {
  const all = Math.abs(seconds),
    days = Math.floor(all / 86_400);
  const time = (
    [
      ['H', Math.floor(all / 3600) % 24],
      ['M', Math.floor(all / 60) % 60],
      ['S', all % 60],
    ] as const
  )
    .flatMap(([unit, count]) => (count > 0 ? [`${count}${unit}`] : []))
    .join('');
  // The grammar requires minutes between hours and seconds.
  const timeText = /^\d+H\d+S$/.test(time) ? time.replace('H', 'H0M') : time;
  const sign = seconds < 0 ? '-' : '';
  const dayText = days > 0 ? `${days}D` : '';
  if (timeText === '') return days > 0 ? `${sign}P${dayText}` : `${sign}PT0S`;
  return `${sign}P${dayText}T${timeText}`;
}
