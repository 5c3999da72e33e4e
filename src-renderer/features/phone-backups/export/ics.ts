import type { EventRow } from '../../../../src-shared/contract/phone-artifacts.ts';
import { escapeText, foldLine } from './fold-line.ts';

const stamp = (utc: string): string => `${utc.replace(/[-:]/g, '')}Z`;
const dayAfter = (civil: string): string => new Date(Date.parse(`${civil}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
const plainDay = (civil: string): string => civil.slice(0, 10).replace(/-/g, '');

/** Events as iCalendar (RFC 5545). Times are written in UTC, days as days; a series keeps its rule. */
export function icsOf(events: readonly EventRow[], madeAt: string): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Hearth//Phone backup//EN', 'CALSCALE:GREGORIAN', ...events.flatMap((event) => linesOf(event, madeAt)), 'END:VCALENDAR'];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

function linesOf(event: EventRow, madeAt: string): string[] {
  const { starts_at: start, ends_at: end, is_all_day: isDay } = event;
  if (start === null) return [];
  const lastDay = end === null || end.slice(0, 10) < start.slice(0, 10) ? start.slice(0, 10) : end.slice(0, 10);
  const optional: [string, string | null][] = [['SUMMARY', event.title], ['LOCATION', event.location], ['DESCRIPTION', event.notes]];
  return [
    'BEGIN:VEVENT', `UID:${escapeText(event.event_identifier)}@hearth`, `DTSTAMP:${stamp(madeAt)}`,
    // The end of a day event is the first day after it.
    ...(isDay ? [`DTSTART;VALUE=DATE:${plainDay(start)}`, `DTEND;VALUE=DATE:${plainDay(dayAfter(lastDay))}`] : [`DTSTART:${stamp(start)}`, ...(end !== null && end > start ? [`DTEND:${stamp(end)}`] : [])]),
    ...optional.flatMap(([name, text]) => (text === null ? [] : [`${name}:${escapeText(text)}`])),
    ...(event.url ? [`URL:${event.url.replace(/[\r\n]/g, '')}`] : []),
    ...(event.recurrence ? [`RRULE:${event.recurrence.replace(/[\r\n]/g, '')}`] : []),
    ...event.excluded_dates.map((date) => (isDay || date.length === 10 ? `EXDATE;VALUE=DATE:${plainDay(date)}` : `EXDATE:${stamp(date)}`)),
    ...event.attendees.flatMap(({ name, address }) => (address ? [`ATTENDEE${name ? `;CN="${name.replace(/["\r\n]/g, '')}"` : ''}:mailto:${address.replace(/^mailto:|[\r\n]/g, '')}`] : [])),
    'END:VEVENT',
  ];
}
