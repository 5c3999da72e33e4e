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
  /** Width that its title can have before it meets a neighbour in its lane or the edge of the chart, in pixels. */
  room: number;
}

/** Minimum width of a bar, so that one-day events can be clicked. */
const MIN_WIDTH = 24;
/** Minimum width of a bar with its title inside. */
const MIN_INSIDE_WIDTH = 90;
const GAP = 6;
/** Average width of a letter at 12 px. */
const LETTER_WIDTH = 6.6;
const PADDING = 18;
/** Width that the lanes reserve for a long title: this, or half of the chart if that is more. */
const RESERVED_WIDTH = 190;

/** A bar with its title, and the part of its lane that both take. */
interface Claim extends Omit<PlacedEvent, 'room'> {
  from: number;
  to: number;
  /** Its index among the claims of its lane. */
  at: number;
}

/** Returns where a title has most room; inside its bar only if it fits there or the bar is wide. */
function titlePlaceOf(needed: number, left: number, right: number, width: number): TitlePlace {
  const bar = right - left;
  if (bar >= Math.min(width, Math.max(needed, MIN_INSIDE_WIDTH))) return 'inside';
  if (right + needed <= width) return 'after';
  if (left > needed) return 'before';
  if (bar >= MIN_INSIDE_WIDTH) return 'inside';
  return left > width - right ? 'before' : 'after';
}

function claimOf(event: TimelineSpan, span: Span, width: number, today: string): Omit<Claim, 'lane' | 'at'> | null {
  const end = event.is_ongoing
    ? Math.max(dayNumber(today), dayNumber(event.date_start))
    : dayNumber(event.date_end ?? event.date_start);
  const start = xOf(dayNumber(event.date_start), span, width);
  const x = Math.max(-8, start);
  const right = Math.min(width + 8, Math.max(xOf(end + 1, span, width), start + MIN_WIDTH));
  if (right < 0 || x > width) return null;
  const needed = event.title.length * LETTER_WIDTH + PADDING;
  const title = titlePlaceOf(needed, x, right, width);
  const reserved = Math.min(needed, Math.max(RESERVED_WIDTH, width / 2));
  return {
    event,
    x,
    width: right - x,
    title,
    from: title === 'before' ? Math.max(0, x - reserved) : x,
    to: title === 'after' ? right + reserved : right,
  };
}

/** Returns the width that is free for the title of a claim between its neighbours in the lane. */
function roomOf({ title, x, width: bar }: Claim, before: Claim | undefined, after: Claim | undefined, width: number) {
  if (title === 'inside') return bar;
  if (title === 'before') return x - (before === undefined ? 0 : before.to + GAP);
  return Math.max(MIN_WIDTH, (after === undefined ? width : Math.min(width, after.from - GAP)) - x - bar);
}

/**
 * Assigns events to as few lanes as possible, so that neither bars nor the titles next to short bars overlap. Ongoing
 * events end at `today`. A title is cut only where its lane has no more room.
 */
export function lanesOf(
  events: readonly TimelineSpan[],
  span: Span,
  width: number,
  today: string,
): { placed: PlacedEvent[]; lanes: number } {
  const lanes: Claim[][] = [];
  const claims = events.flatMap((event): Claim[] => {
    const claimed = claimOf(event, span, width, today);
    if (claimed === null) return [];
    const free = lanes.findIndex((taken) => (taken.at(-1)?.to ?? -Infinity) + GAP <= claimed.from);
    const lane = free < 0 ? lanes.length : free;
    const taken = (lanes[lane] ??= []);
    const claim = { ...claimed, lane, at: taken.length };
    taken.push(claim);
    return [claim];
  });
  const placed = claims.map((claim): PlacedEvent => {
    const { from: _from, to: _to, at, ...place } = claim;
    const taken = lanes[claim.lane] ?? [];
    return { ...place, room: roomOf(claim, taken[at - 1], taken[at + 1], width) };
  });
  return { placed, lanes: lanes.length };
}
