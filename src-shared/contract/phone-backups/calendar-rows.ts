import { z } from 'zod';
import { timestamp } from '../wire.ts';

const when = timestamp.nullable();
const text = z.string().nullable();

export const calendarRow = z.object({
  calendar_identifier: z.string(),
  title: text,
  color: text,
  account: text,
  event_count: z.int(),
});
export type CalendarRow = z.output<typeof calendarRow>;
export const eventRow = z.object({
  event_identifier: z.string(),
  calendar_identifier: text,
  title: text,
  location: text,
  notes: text,
  starts_at: when,
  ends_at: when,
  is_all_day: z.boolean(),
  /** IANA name of the time zone in which the event was created; null for floating times. */
  timezone: text,
  url: text,
  /** Recurrence rule (RFC 5545, 3.3.10) without `RRULE:`; null for a single event. */
  recurrence: text,
  excluded_dates: z.array(z.string()),
  /** The series, if this is a modified occurrence. */
  series_identifier: text,
  /** Original start of a modified occurrence, which the series skips. Null if the phone did not store it. */
  original_starts_at: when,
  attendees: z.array(z.object({ name: text, address: text, status: text })),
  /** Reminders: either `seconds` relative to the start (negative: before it), or the absolute time `at`. */
  alarms: z.array(z.object({ seconds: z.int().nullable(), at: when })),
});
export type EventRow = z.output<typeof eventRow>;
