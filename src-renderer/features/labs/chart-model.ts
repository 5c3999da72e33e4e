import type { LabPoint } from '../../../src-shared/contract/labs.ts';
import type { Comparator } from '../../../src-shared/contract/wire.ts';

/** A period with one reference range, in seconds since the epoch; null is an open end of the period or range. */
export interface Band {
  from: number | null;
  to: number | null;
  low: number | null;
  high: number | null;
  /** The printed sign of a range with one bound. */
  comparator: Comparator | null;
}

/** Noon UTC of a civil date in seconds, so that the axis shows the same day in every time zone. */
export const secondsOf = (civil: string): number =>
  Date.UTC(Number(civil.slice(0, 4)), Number(civil.slice(5, 7)) - 1, Number(civil.slice(8, 10)), 12) / 1000;

type Ranged = Pick<LabPoint, 'date' | 'reference_range_low' | 'reference_range_high' | 'reference_range_comparator'>;

/**
 * The reference ranges over time. Each laboratory's range applies until half way to the next result; results without a
 * range leave a gap.
 */
export function bandsOf(points: readonly Ranged[]): Band[] {
  const bands: Band[] = [];
  points.forEach((point, index) => {
    const at = secondsOf(point.date),
      before = points[index - 1],
      after = points[index + 1];
    const from = before ? (secondsOf(before.date) + at) / 2 : null,
      to = after ? (at + secondsOf(after.date)) / 2 : null;
    const { reference_range_low: low, reference_range_high: high, reference_range_comparator: comparator } = point;
    const last = bands.at(-1);
    if (low === null && high === null) return;
    const isSame = last?.low === low && last.high === high && last.comparator === comparator;
    if (last && isSame && last.to === from) last.to = to;
    else bands.push({ from, to, low, high, comparator });
  });
  return bands;
}

/** Bounds further out than this factor of the largest value do not stretch the axis; their band is clipped. */
const MAX_BOUND_FACTOR = 1.4;
const MARGIN = 0.08;

/** The extent of the value axis: all results, nearby bounds, and zero if it is near. */
export function extentOf(
  points: readonly Pick<LabPoint, 'value' | 'reference_range_low' | 'reference_range_high'>[],
): [number, number] {
  const values = points.map((point) => point.value);
  if (values.length === 0) return [0, 1];
  const top = Math.max(...values),
    bottom = Math.min(...values);
  const highs = points
    .flatMap((point) => point.reference_range_high ?? [])
    .filter((high) => high <= top * MAX_BOUND_FACTOR);
  const lows = points
    .flatMap((point) => point.reference_range_low ?? [])
    .filter((low) => low >= bottom / MAX_BOUND_FACTOR || low <= top);
  const high = Math.max(top, ...highs, ...lows),
    low = Math.min(bottom, ...lows.filter((bound) => bound <= top));
  const margin = (high - low || Math.abs(high) || 1) * MARGIN;
  return [low >= 0 && low < high * 0.6 ? 0 : low - margin, high + margin];
}

/** Columns for uPlot: seconds, then the values of each series. Results of the same day become separate rows. */
export function columnsOf(all: readonly (readonly Pick<LabPoint, 'date' | 'value'>[])[]): {
  columns: [number[], ...(number | null)[][]];
  rows: { series: number; index: number }[];
} {
  const rows = all
    .flatMap((points, series) =>
      points.map((point, index) => ({ at: secondsOf(point.date), value: point.value, series, index })),
    )
    .sort((a, b) => a.at - b.at || a.series - b.series || a.index - b.index);
  const values = all.map((_, series) => rows.map((row) => (row.series === series ? row.value : null)));
  return {
    columns: [rows.map((row) => row.at), ...values],
    rows: rows.map(({ series, index }) => ({ series, index })),
  };
}

/** The start of a span of years that ends with the last result; null for all. */
export function spanStart(last: string | undefined, years: number | null): number | null {
  if (!last || years === null) return null;
  return secondsOf(`${String(Number(last.slice(0, 4)) - years).padStart(4, '0')}${last.slice(4)}`);
}

const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 480] as const;
const DAY_STEPS = [1, 2, 7, 14] as const;
const DAY = 86_400;
const MONTH = 30.4 * DAY;

export interface Tick {
  at: number;
  unit: 'day' | 'month' | 'year';
}

/** Ticks of the time axis: the finest step of days, months or years with at most `maxTicks` between two seconds. */
export function ticksOf(from: number, to: number, maxTicks: number): Tick[] {
  const minStep = (to - from) / Math.max(1, maxTicks);
  const days = DAY_STEPS.find((step) => step * DAY >= minStep);
  if (days !== undefined) {
    const first = Math.ceil(from / DAY / days) * days;
    return range(first, Math.floor(to / DAY), days).map((day) => ({ at: day * DAY, unit: 'day' }));
  }
  const months = MONTH_STEPS.find((step) => step * MONTH >= minStep) ?? MONTH_STEPS[MONTH_STEPS.length - 1] ?? 12;
  const monthOf = (seconds: number): number => {
    const date = new Date(seconds * 1000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  return range(Math.ceil(monthOf(from) / months) * months, monthOf(to), months)
    .map((month): Tick => ({
      at: Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000,
      unit: month % 12 === 0 ? 'year' : 'month',
    }))
    .filter(({ at }) => at >= from && at <= to);
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);
