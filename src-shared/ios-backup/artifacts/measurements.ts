import type { SampleRow } from '../../contract/phone-backups/artifacts.ts';

/**
 * Health types that are measurements of the body, as taken in a medical practice. They may be added to a patient's
 * trends.
 */
const MEASUREMENT_TYPES: ReadonlySet<string> = new Set([
  'body_mass_index',
  'body_fat_percentage',
  'height',
  'body_mass',
  'lean_body_mass',
  'heart_rate',
  'oxygen_saturation',
  'blood_glucose',
  'blood_pressure_systolic',
  'blood_pressure_diastolic',
  'respiratory_rate',
  'body_temperature',
  'forced_vital_capacity',
  'forced_expiratory_volume_1',
  'peak_expiratory_flow_rate',
  'basal_body_temperature',
  'waist_circumference',
  'resting_heart_rate',
  'vo2_max',
  'walking_heart_rate_average',
  'heart_rate_variability_sdnn',
  'atrial_fibrillation_burden',
]);

/** Whether samples of this type may be added to a patient's trends. */
export const isMeasurement = (type: string): boolean => MEASUREMENT_TYPES.has(type);

/** A value for a patient's trends, as sent over the wire. */
export interface Measurement {
  type: string;
  value: number;
  unit: string | null;
  /** Civil date. */
  date: string;
  /** The app or device that recorded the value. */
  source: string | null;
}

/**
 * Converts samples of one type to measurements: every sample, or the mean per civil day and source. Samples without a
 * value or time are left out.
 */
export function toMeasurements(type: string, samples: readonly SampleRow[], kind: 'each' | 'daily'): Measurement[] {
  const measurements = samples.flatMap(({ value, unit, day, source }): Measurement[] =>
    value === null || day === null ? [] : [{ type, value, unit, date: day, source }],
  );
  return kind === 'each' ? measurements : dailyMeans(measurements);
}

function dailyMeans(measurements: readonly Measurement[]): Measurement[] {
  const byDay = Map.groupBy(measurements, ({ date, source }) => `${date} ${source}`);
  return [...byDay.values()].map((day) => {
    const sum = day.reduce((total, { value }) => total + value, 0);
    return { ...day[0]!, value: Math.round((sum / day.length) * 1000) / 1000 };
  });
}
