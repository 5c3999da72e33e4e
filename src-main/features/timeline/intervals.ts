import { civilFromDay, dayNumber, daysBetween } from '../../../src-shared/medical/civil-date.ts';
import type { TimelineUnit } from '../../../src-shared/contract/timeline.ts';

/** Maximum number of separate marks that the axis can show. */
export const MAX_INTERVALS = 400;
const DAYS_PER = { week: 7, month: 30, year: 365 } as const;

/** Selects the finest unit for which the range has at most MAX_INTERVALS intervals. */
export function unitOf(from: string, to: string): TimelineUnit {
  const days = daysBetween(from, to) + 1;
  if (days <= MAX_INTERVALS) return 'day';
  if (days <= MAX_INTERVALS * DAYS_PER.week) return 'week';
  return days <= MAX_INTERVALS * DAYS_PER.month ? 'month' : 'year';
}

/** Returns the first day of the interval that contains a day; weeks start on Monday. */
export function startOf(unit: TimelineUnit, date: string): string {
  switch (unit) {
    case 'day':
      return date;
    case 'month':
      return `${date.slice(0, 7)}-01`;
    case 'year':
      return `${date.slice(0, 4)}-01-01`;
    // Day 0 was a Wednesday, so Mondays have the remainder 5.
    case 'week':
      return civilFromDay(dayNumber(date) - ((dayNumber(date) + 2) % 7));
  }
}

export interface Interval {
  date: string;
  documents: number;
  results: number;
  abnormal: number;
  uncertain: number;
  imaging: number;
}
export type Counted = { date: string } & Partial<Omit<Interval, 'date'>>;

/** Sums counts by day into intervals, in order; empty intervals are omitted. */
export function intervalsOf(unit: TimelineUnit, counted: readonly Counted[]): Interval[] {
  const intervals = new Map<string, Interval>();
  for (const { date, documents = 0, results = 0, abnormal = 0, uncertain = 0, imaging = 0 } of counted) {
    const start = startOf(unit, date);
    const interval = intervals.get(start) ?? {
      date: start,
      documents: 0,
      results: 0,
      abnormal: 0,
      uncertain: 0,
      imaging: 0,
    };
    interval.documents += documents;
    interval.results += results;
    interval.abnormal += abnormal;
    interval.uncertain += uncertain;
    interval.imaging += imaging;
    intervals.set(start, interval);
  }
  return [...intervals.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}
