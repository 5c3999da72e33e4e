import { fail } from '../../platform/kernel/errors.ts';

export interface EventDates {
  date_start: string | null;
  date_end: string | null;
  is_ongoing: boolean;
}
/** The dates in a request; undefined for an omitted field. */
export type DateChanges = { [K in keyof EventDates]?: EventDates[K] | undefined };

/**
 * The dates of an event after a change. Setting an end date ends the event; setting it as ongoing removes the end date.
 * @throws `event.invalid_date_range` if it would end before it starts, `event.ongoing_with_end` if the request sets
 * both
 */
export function datesAfter(before: EventDates, changes: DateChanges): EventDates {
  if (changes.is_ongoing === true && changes.date_end) throw fail('event.ongoing_with_end');
  const date_start = changes.date_start === undefined ? before.date_start : changes.date_start;
  const requestedEnd = changes.date_end === undefined ? before.date_end : changes.date_end;
  const date_end = changes.is_ongoing === true ? null : requestedEnd;
  const is_ongoing = date_end !== null ? false : (changes.is_ongoing ?? before.is_ongoing);
  if (date_start !== null && date_end !== null && date_end < date_start) throw fail('event.invalid_date_range');
  return { date_start, date_end, is_ongoing };
}
