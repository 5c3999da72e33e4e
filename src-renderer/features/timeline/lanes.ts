import type { TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import { dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { xOf, type Span } from './axis.ts';

/** Where a title stands: in its bar, or beside a bar that is too short for it, before it where the chart ends behind it. */
type TitlePlace = 'inside' | 'after' | 'before';
export interface Placed {
  event: TimelineSpan;
  lane: number;
  x: number;
  width: number;
  title: TitlePlace;
}

/** An event of one day is still wide enough to be pressed. */
const MIN_WIDTH = 24;
/** A narrower bar has its title beside it. */
const INSIDE = 90;
const GAP = 6;
/** A letter of 12 px takes about this much. */
const LETTER = 6.6;
const PADDING = 18;
/** A title may run on beside its bar for so long. */
const MAX_TITLE_WIDTH = 190;

/**
 * Assigns events to as few lanes as possible, so that neither bars nor the titles next to short bars overlap. Ongoing
 * events end at `today`.
 */
export function lanesOf(
  events: readonly TimelineSpan[],
  span: Span,
  width: number,
  today: string,
): { placed: Placed[]; lanes: number } {
  const free: number[] = [];
  const placed = events.flatMap((event): Placed[] => {
    const end = event.is_ongoing
      ? Math.max(dayNumber(today), dayNumber(event.date_start))
      : dayNumber(event.date_end ?? event.date_start);
    const left = Math.max(-8, xOf(dayNumber(event.date_start), span, width));
    const right = Math.min(
      width + 8,
      Math.max(xOf(end + 1, span, width), xOf(dayNumber(event.date_start), span, width) + MIN_WIDTH),
    );
    if (right < 0 || left > width) return [];
    const titleWidth = Math.min(MAX_TITLE_WIDTH, event.title.length * LETTER + PADDING);
    const outside = right + titleWidth > width && left > titleWidth ? 'before' : 'after';
    const title: TitlePlace = right - left >= INSIDE ? 'inside' : outside;
    const from = title === 'before' ? left - titleWidth : left;
    let lane = free.findIndex((until) => until <= from);
    if (lane < 0) lane = free.length;
    free[lane] = (title === 'after' ? right + titleWidth : right) + GAP;
    return [{ event, lane, x: left, width: right - left, title }];
  });
  return { placed, lanes: free.length };
}
