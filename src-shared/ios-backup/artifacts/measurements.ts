import type { SampleRow } from '../../contract/phone-backups/artifacts.ts';

/** A value for a patient's trends, as it goes over the wire. */
export interface Measured {
  type: string;
  value: number;
  unit: string | null;
  /** Civil date. */ date: string;
  /** The app or device that wrote it. */ source: string | null;
}

/** Samples of one type as values for the trends: each of them, or of each civil day and source their mean. What has no value or time is left out. */
export function measurementsOf(type: string, samples: readonly SampleRow[], kind: 'each' | 'daily'): Measured[] {
  const plain = samples.flatMap(({ value, unit, day, source }): Measured[] =>
    value === null || day === null ? [] : [{ type, value, unit, date: day, source }],
  );
  if (kind === 'each') return plain;
  const days = new Map<string, { first: Measured; sum: number; count: number }>();
  for (const measured of plain) {
    const key = `${measured.date} ${measured.source}`,
      day = days.get(key) ?? { first: measured, sum: 0, count: 0 };
    days.set(key, { first: day.first, sum: day.sum + measured.value, count: day.count + 1 });
  }
  return [...days.values()].map(({ first, sum, count }) => ({
    ...first,
    value: Math.round((sum / count) * 1000) / 1000,
  }));
}
