import type { TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import { dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { xOf, type Span } from './axis.ts';

/** Position of a title: inside its bar, or after a short bar, or before it near the end of the chart. */
type TitlePlace = 'inside' | 'after' | 'before';
export interface PlacedEvent {
  event: TimelineSpan;
  lane: number;
  x: number;
  width: number;
  title: TitlePlace;
}

/** Minimum width of a bar, so that one-day events can be clicked. */
const MIN_WIDTH = 24;
/** Minimum width of a bar with its title inside. */
const MIN_INSIDE_WIDTH = 90;
const GAP = 6;
/** Average width of a letter at 12 px. */
const LETTER_WIDTH = 6.6;
const PADDING = 18;
/** Maximum width of a title beside its bar. */
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
): { placed: PlacedEvent[]; lanes: number } {
  const laneEnds: number[] = [];
  const placed = events.flatMap((event): PlacedEvent[] => {
    const end = event.is_ongoing
      ? Math.max(dayNumber(today), dayNumber(event.date_start))
      : dayNumber(event.date_end ?? event.date_start);
    const left = Math.max(-8, xOf(dayNumber(event.date_start), span, width));
    const right = Math.min(
      width + 8,
      Math.max(xOf(end + 1, span, width), xOf(dayNumber(event.date_start), span, width) + MIN_WIDTH),
    );
    if (right < 0 || left > width) return [];
    const titleWidth = Math.min(MAX_TITLE_WIDTH, event.title.length * LETTER_WIDTH + PADDING);
    const outside = right + titleWidth > width && left > titleWidth ? 'before' : 'after';
    const title: TitlePlace = right - left >= MIN_INSIDE_WIDTH ? 'inside' : outside;
    const from = title === 'before' ? left - titleWidth : left;
    let lane = laneEnds.findIndex((until) => until <= from);
    if (lane < 0) lane = laneEnds.length;
    laneEnds[lane] = (title === 'after' ? right + titleWidth : right) + GAP;
    return [{ event, lane, x: left, width: right - left, title }];
  });
  return { placed, lanes: laneEnds.length };
}
