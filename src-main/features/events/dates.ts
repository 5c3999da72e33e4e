import { fail } from '../../platform/kernel/errors.ts';

export interface EventDates {
  date_start: string | null;
  date_end: string | null;
  is_ongoing: boolean;
}
/** What a request says of them; what it does not name is undefined. */
export type DateChanges = { [K in keyof EventDates]?: EventDates[K] | undefined };

/**
 * The dates of an event after a change. What the request says counts: an end that is written ends the event, and saying that it goes on takes its end away.
 * @throws `event.invalid_date_range` when it would end before it begins, `event.ongoing_with_end` when the request says both
 */
export function datesAfter(before: EventDates, changes: DateChanges): EventDates {
  if (changes.is_ongoing === true && changes.date_end) throw fail('event.ongoing_with_end');
  const date_start = changes.date_start === undefined ? before.date_start : changes.date_start;
  const said = changes.date_end === undefined ? before.date_end : changes.date_end;
  const date_end = changes.is_ongoing === true ? null : said;
  const is_ongoing = date_end !== null ? false : (changes.is_ongoing ?? before.is_ongoing);
  if (date_start !== null && date_end !== null && date_end < date_start) throw fail('event.invalid_date_range');
  return { date_start, date_end, is_ongoing };
}
