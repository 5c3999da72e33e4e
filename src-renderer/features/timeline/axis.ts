import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';

/** A span of the axis in day numbers; zooming creates fractions. */
export interface Span {
  from: number;
  to: number;
}

/** Zoom limits: two weeks to about two lifetimes. */
const MIN_DAYS = 14;
const MAX_DAYS = 160 * 365.25;
const DAYS_PER_YEAR = 365.25;
const DAYS_PER_MONTH = DAYS_PER_YEAR / 12;
/** Margin at both ends of the initial span, as a share of it. */
const MARGIN = 0.04;

export const daysIn = (span: Span): number => span.to - span.from;
/** The x position of a day in pixels. */
export const xOf = (day: number, span: Span, width: number): number => ((day - span.from) / daysIn(span)) * width;

/** The span of a whole record with a margin, at least two months. */
export function spanOf(extent: { from: string; to: string }): Span {
  const from = dayNumber(extent.from),
    to = dayNumber(extent.to) + 1;
  const missing = Math.max(0, 2 * DAYS_PER_MONTH - (to - from)) / 2;
  const margin = (to - from + 2 * missing) * MARGIN;
  return { from: from - missing - margin, to: to + missing + margin };
}

/** Zooms in (`factor` above 1) or out around a share of the width. */
export function zoomSpan(span: Span, factor: number, at: number): Span {
  const days = Math.min(MAX_DAYS, Math.max(MIN_DAYS, daysIn(span) / factor));
  const fixedDay = span.from + daysIn(span) * at;
  return { from: fixedDay - days * at, to: fixedDay + days * (1 - at) };
}

/** Pans by a share of the span; a part of the record always stays in view. */
export function panSpan(span: Span, share: number, extent: Span): Span {
  const days = daysIn(span);
  const from = Math.min(extent.to - days * 0.1, Math.max(extent.from - days * 0.9, span.from + days * share));
  return { from, to: from + days };
}

/** The range to request: larger than the span and in steps, so that small pans need no new request. */
export function requestedRange(span: Span): { from: string; to: string } {
  const step = Math.max(7, 2 ** Math.floor(Math.log2(daysIn(span) / 2)));
  const from = Math.floor(span.from / step - 0.5) * step,
    to = Math.ceil(span.to / step + 0.5) * step;
  return {
    from: civilFromDay(Math.max(dayNumber('0001-01-01'), from)),
    to: civilFromDay(Math.min(dayNumber('9998-12-31'), to)),
  };
}

export interface Tick {
  day: number;
  date: string;
  level: 'decade' | 'year' | 'month' | 'day';
  hasLabel: boolean;
}

/** Minimum distance of labels in pixels. */
const MIN_LABEL_PX = { decade: 44, year: 40, month: 34, day: 26 } as const;
/** Minimum distance of the lines of years, which also show without labels. */
const MIN_YEAR_LINE_PX = 16;

/**
 * The ticks of the axis from coarse to fine. Months and days appear when their labels fit: without a label, a line says
 * nothing, and a record of ten years would have more than a hundred of them.
 */
export function ticksOf(span: Span, width: number): Tick[] {
  const perDay = width / daysIn(span);
  const ticks = new Map<number, Tick>();
  const addTick = (date: string, level: Tick['level'], hasLabel: boolean): void => {
    const day = dayNumber(date);
    if (day >= span.from - 1 && day <= span.to && !ticks.has(day)) ticks.set(day, { day, date, level, hasLabel });
  };
  const first = Number(civilFromDay(Math.floor(span.from)).slice(0, 4)),
    last = Number(civilFromDay(Math.ceil(span.to)).slice(0, 4));
  const year = (n: number): string => `${String(n).padStart(4, '0')}-01-01`;
  for (let n = Math.floor(first / 10) * 10; n <= last; n += 10)
    addTick(year(n), 'decade', perDay * DAYS_PER_YEAR * 10 >= MIN_LABEL_PX.decade);
  if (perDay * DAYS_PER_YEAR >= MIN_YEAR_LINE_PX)
    for (let n = first; n <= last; n += 1) addTick(year(n), 'year', perDay * DAYS_PER_YEAR >= MIN_LABEL_PX.year);
  if (perDay * DAYS_PER_MONTH >= MIN_LABEL_PX.month)
    for (let n = first; n <= last; n += 1)
      for (let month = 1; month <= 12; month += 1)
        addTick(`${year(n).slice(0, 4)}-${String(month).padStart(2, '0')}-01`, 'month', true);
  if (perDay >= MIN_LABEL_PX.day)
    for (let day = Math.floor(span.from); day <= span.to; day += 1) addTick(civilFromDay(day), 'day', true);
  return [...ticks.values()].sort((a, b) => a.day - b.day);
}
