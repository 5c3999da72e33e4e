import type { TimelineReply, TimelineUnit } from '../../../src-shared/contract/timeline.ts';
import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { daysIn, xOf, type Span } from './axis.ts';

/** Minimum target size in pixels (WCAG 2.2, 2.5.8). */
export const CELL_PX = 24;

export type Kind = 'documents' | 'results' | 'imaging';
type Document = NonNullable<TimelineReply['documents']>[number];
type Labs = NonNullable<TimelineReply['labs']>[number];
type Study = NonNullable<TimelineReply['imaging']>[number];
export interface Items {
  documents: Document[];
  results: Labs[];
  imaging: Study[];
}

/** Marks of one kind that share a position on the axis. `items` is null if the server only sent counts. */
export interface Cell {
  key: number;
  /** Left edge; every cell is as wide as `CELL`. */
  x: number;
  count: number;
  abnormal: number;
  uncertain: number;
  /** First and last day of the cell. */
  from: string;
  to: string;
  items: Items[Kind] | null;
  /** Marks with their offset from the left edge; empty if only counts are known. */
  marks: { x: number; color: string | null; abnormal: Share }[];
}

/** How many of some results are out of range. */
export type Share = 'none' | 'few' | 'many';
/** From this share on, results out of range are many. */
const MANY = 0.25;

/** A single result among others, or a small part of them, is few. */
export function shareOf({ count, abnormal }: { count: number; abnormal: number }): Share {
  if (abnormal === 0) return 'none';
  return (abnormal === 1 && count > 1) || abnormal / count < MANY ? 'few' : 'many';
}

const MAX_DAYS_PER_UNIT: Record<TimelineUnit, number> = { day: 1, week: 7, month: 31, year: 366 };
/** `day` is the middle of the period as a day number. */
interface Point {
  date: string;
  end: string;
  day: number;
  count: number;
  abnormal: number;
  uncertain: number;
  color: string | null;
  item: Document | Labs | Study | null;
}

function pointsOf(kind: Kind, reply: TimelineReply): Point[] {
  const single = kind === 'results' ? reply.labs : reply[kind];
  if (single)
    return single.map((item) => ({
      date: item.date,
      end: item.date,
      day: dayNumber(item.date) + 0.5,
      count: 'results' in item ? item.results : 1,
      abnormal: 'results' in item ? item.abnormal : 0,
      uncertain: 'results' in item ? item.uncertain : 0,
      color: 'event_color' in item ? item.event_color : null,
      item,
    }));
  return reply.intervals
    .filter((interval) => interval[kind] > 0)
    .map((interval) => ({
      date: interval.date,
      end: civilFromDay(dayNumber(interval.date) + MAX_DAYS_PER_UNIT[reply.unit] - 1),
      day: dayNumber(interval.date) + MAX_DAYS_PER_UNIT[reply.unit] / 2,
      count: interval[kind],
      abnormal: kind === 'results' ? interval.abnormal : 0,
      uncertain: kind === 'results' ? interval.uncertain : 0,
      color: null,
      item: null,
    }));
}

/** Groups marks that would overlap into cells of the minimum target size. Cells keep their position while panning. */
export function cellsOf(kind: Kind, reply: TimelineReply, span: Span, width: number): Cell[] {
  const perDay = width / daysIn(span);
  const cells = new Map<number, Cell>();
  for (const { date, end, day, count, abnormal, uncertain, color, item } of pointsOf(kind, reply)) {
    const key = Math.floor((day * perDay) / CELL_PX);
    const x = xOf((key * CELL_PX) / perDay, span, width);
    if (x < -CELL_PX || x > width) continue;
    const cell = cells.get(key) ?? {
      key,
      x,
      count: 0,
      abnormal: 0,
      uncertain: 0,
      from: date,
      to: end,
      items: item ? [] : null,
      marks: [],
    };
    cell.count += count;
    cell.abnormal += abnormal;
    cell.uncertain += uncertain;
    if (date < cell.from) cell.from = date;
    if (end > cell.to) cell.to = end;
    if (item) {
      (cell.items as (typeof item)[] | null)?.push(item);
      cell.marks.push({ x: xOf(day, span, width) - x, color, abnormal: shareOf({ count, abnormal }) });
    }
    cells.set(key, cell);
  }
  return [...cells.values()].sort((a, b) => a.key - b.key);
}
