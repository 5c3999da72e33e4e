import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';

/** A stretch of the axis in day numbers; fractions are hours of a zoom in between. */
export interface Span {
  from: number;
  to: number;
}

/** Two weeks fill the page, or two lifetimes. */
const MIN_DAYS = 14;
const MAX_DAYS = 160 * 365.25;
const YEAR = 365.25;
const MONTH = YEAR / 12;
/** Room at both ends of what is shown at first, as a share of it. */
const MARGIN = 0.04;

export const daysIn = (span: Span): number => span.to - span.from;
/** Pixels from the left edge for a day. */
export const xOf = (day: number, span: Span, width: number): number => ((day - span.from) / daysIn(span)) * width;

/** The whole of a record with a margin, never less than two months. */
export function spanOf(extent: { from: string; to: string }): Span {
  const from = dayNumber(extent.from),
    to = dayNumber(extent.to) + 1;
  const missing = Math.max(0, 2 * MONTH - (to - from)) / 2;
  const margin = (to - from + 2 * missing) * MARGIN;
  return { from: from - missing - margin, to: to + missing + margin };
}

/** Zooms in (`factor` above 1) or out around a share of the width. */
export function zoomed(span: Span, factor: number, at: number): Span {
  const days = Math.min(MAX_DAYS, Math.max(MIN_DAYS, daysIn(span) / factor));
  const fixed = span.from + daysIn(span) * at;
  return { from: fixed - days * at, to: fixed + days * (1 - at) };
}

/** Moves by a share of what is shown, as far as something of the record stays in sight. */
export function panned(span: Span, share: number, extent: Span): Span {
  const days = daysIn(span);
  const from = Math.min(extent.to - days * 0.1, Math.max(extent.from - days * 0.9, span.from + days * share));
  return { from, to: from + days };
}

/** What to ask the server for: more than is shown, in steps, so that a little pan asks for nothing new. */
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
  labelled: boolean;
}

/** Pixels that a label needs. */
const LABEL = { decade: 44, year: 40, month: 34, day: 26 } as const;
const LINE_APART = 7;

/** Lines of the axis, coarse to fine: each level as soon as its lines stand apart, with words as soon as those fit. */
export function ticksOf(span: Span, width: number): Tick[] {
  const perDay = width / daysIn(span);
  const ticks = new Map<number, Tick>();
  const put = (date: string, level: Tick['level'], labelled: boolean): void => {
    const day = dayNumber(date);
    if (day >= span.from - 1 && day <= span.to && !ticks.has(day)) ticks.set(day, { day, date, level, labelled });
  };
  const first = Number(civilFromDay(Math.floor(span.from)).slice(0, 4)),
    last = Number(civilFromDay(Math.ceil(span.to)).slice(0, 4));
  const year = (n: number): string => `${String(n).padStart(4, '0')}-01-01`;
  for (let n = Math.floor(first / 10) * 10; n <= last; n += 10)
    put(year(n), 'decade', perDay * YEAR * 10 >= LABEL.decade);
  if (perDay * YEAR >= LINE_APART)
    for (let n = first; n <= last; n += 1) put(year(n), 'year', perDay * YEAR >= LABEL.year);
  if (perDay * MONTH >= LINE_APART)
    for (let n = first; n <= last; n += 1)
      for (let month = 1; month <= 12; month += 1)
        put(`${year(n).slice(0, 4)}-${String(month).padStart(2, '0')}-01`, 'month', perDay * MONTH >= LABEL.month);
  if (perDay >= LINE_APART)
    for (let day = Math.floor(span.from); day <= span.to; day += 1) put(civilFromDay(day), 'day', perDay >= LABEL.day);
  return [...ticks.values()].sort((a, b) => a.day - b.day);
}
