import type { SampleRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';

export interface Day {
  /** Civil date. */
  day: string;
  mean: number;
  low: number;
  high: number;
  sum: number;
  count: number;
}

/** Units of values that add up over a day: steps, meters, calories. */
const ADDS_UP = /^(count|m|km|mi|cal|Cal|kcal|kJ|J|mL|L|min|s|hr)$/;
/** Types with one of these units that are a state rather than a sum. */
const STATES =
  /rate|mass|height|temperature|pressure|saturation|glucose|index|vo2|speed|level|length|asymmetry|support/;

export const addsUp = (type: string, unit: string | null): boolean =>
  unit !== null && ADDS_UP.test(unit) && !STATES.test(type);

/** Summarizes values by civil day, oldest first. */
export function byDay(samples: readonly Pick<SampleRow, 'value' | 'day'>[]): Day[] {
  const days = new Map<string, Day>();
  for (const { value, day } of samples) {
    if (value === null || day === null) continue;
    const entry = days.get(day);
    if (!entry) days.set(day, { day, mean: value, low: value, high: value, sum: value, count: 1 });
    else {
      entry.sum += value;
      entry.count += 1;
      entry.mean = entry.sum / entry.count;
      entry.low = Math.min(entry.low, value);
      entry.high = Math.max(entry.high, value);
    }
  }
  return [...days.values()].sort((a, b) => a.day.localeCompare(b.day));
}
