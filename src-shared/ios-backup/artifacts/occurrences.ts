import * as library from 'rrule';
import type { EventRow } from '../../contract/phone-backups/artifacts.ts';
import { zoneOf } from './time-zone.ts';

/** Node loads rrule as CommonJS, with its exports on `default`; bundlers load its ES module, which has no default. */
const { RRule } = (Reflect.get(library, 'default') as typeof library | undefined) ?? library;
/** The limit for a daily series that began long ago. */
const MAX_OCCURRENCES = 2000;
const DAY_MS = 86_400_000;

const parse = (time: string): number => Date.parse(`${time}Z`);
const format = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** The offset of a zone's clocks from UTC at a moment, in milliseconds; 0 for an unknown zone, whose events float. */
const offsetAt = (zone: string | null, ms: number): number =>
  zone === null ? 0 : (zoneOf(zone)?.offset(ms) ?? 0) * 60_000;

/** The moment at which a zone's clocks show this local time. */
const fromLocal = (zone: string | null, local: number): number => {
  const first = local - offsetAt(zone, local);
  return local - offsetAt(zone, first);
};

/** An all-day event has the same day in every zone. */
const zoneNameOf = ({ is_all_day: isDay, timezone }: EventRow): string | null => (isDay ? null : timezone);

/**
 * An all-day event is identified by its day, other events by their start time, or by the day if the time is unknown.
 */
const isMoved = (moved: ReadonlySet<string> | undefined, { starts_at: at, is_all_day: isDay }: EventRow): boolean =>
  moved !== undefined &&
  at !== null &&
  (moved.has(at) ||
    moved.has(at.slice(0, 10)) ||
    (isDay && [...moved].some((time) => time.startsWith(at.slice(0, 10)))));

/**
 * Lists each occurrence of the events from the first to the last day, inclusive, in order. A series keeps its local
 * time when the clocks of its zone change; excluded dates and moved occurrences are omitted. Days are those of the zone
 * in which an event was created.
 */
export function occurrencesOf(events: readonly EventRow[], from: string, to: string): EventRow[] {
  const moved = new Map<string, Set<string>>();
  // A moved occurrence excludes its original start if the phone recorded it, otherwise the day of its new start.
  for (const { series_identifier: series, original_starts_at: originalStart, starts_at } of events) {
    const excluded = originalStart ?? starts_at?.slice(0, 10);
    if (series !== null && excluded != null) moved.set(series, (moved.get(series) ?? new Set()).add(excluded));
  }
  const occurrences: EventRow[] = [];
  for (const event of events) {
    if (event.starts_at === null) continue;
    const start = parse(event.starts_at),
      zone = zoneNameOf(event);
    const first = fromLocal(zone, parse(`${from}T00:00:00`)),
      end = fromLocal(zone, parse(`${to}T00:00:00`) + DAY_MS);
    const length = event.ends_at === null ? 0 : Math.max(0, parse(event.ends_at) - start);
    for (const at of event.recurrence === null ? [start] : timesOf(event, start, first - length, end)) {
      if (at >= end || at + length < first || (length > 0 && at + length === first)) continue;
      const occurrence = {
        ...event,
        starts_at: format(at),
        ends_at: event.ends_at === null ? null : format(at + length),
      };
      if (
        event.recurrence !== null &&
        (event.excluded_dates.includes(occurrence.starts_at) ||
          (event.is_all_day &&
            event.excluded_dates.some((date) => date.slice(0, 10) === occurrence.starts_at.slice(0, 10))) ||
          isMoved(moved.get(event.event_identifier), occurrence))
      )
        continue;
      occurrences.push(occurrence);
    }
  }
  return occurrences.sort(
    (a, b) =>
      (a.starts_at ?? '').localeCompare(b.starts_at ?? '') || a.event_identifier.localeCompare(b.event_identifier),
  );
}

/** Start times of a series. The rule is evaluated in the local time of its zone; an invalid rule has one occurrence. */
function timesOf(event: EventRow, start: number, from: number, to: number): number[] {
  const zone = zoneNameOf(event);
  const local = start + offsetAt(zone, start);
  try {
    const rule = new RRule({ ...RRule.parseString(event.recurrence ?? ''), dtstart: new Date(local) });
    return rule
      .between(new Date(from - DAY_MS), new Date(to + DAY_MS), true, (_date, count) => count < MAX_OCCURRENCES)
      .map((date) => fromLocal(zone, date.getTime()));
  } catch {
    return [start];
  }
}
