import { z } from 'zod';
import { civilDate, timestamp } from '../wire.ts';

const when = timestamp.nullable();
const text = z.string().nullable();

export const sampleRow = z.object({
  sample_identifier: z.string(),
  /** The type's number in the phone's database, and Hearth's name for it: `heart_rate`, or `type_17` if unknown. */
  type_number: z.int(),
  type: z.string(),
  kind: z.enum(['quantity', 'category', 'correlation', 'workout', 'ecg', 'other']),
  /**
   * Value in `unit`, which is the same for all samples of a type: rates per minute, fractions in percent, everything
   * else as the phone stores it.
   */
  value: z.number().nullable(),
  unit: text,
  /** As the person or device entered it, such as `154.3 lb`; null if the phone did not store it. */
  entered_value: z.number().nullable(),
  entered_unit: text,
  /** Meaning of a category's value, such as `asleep_deep`. */
  meaning: text,
  started_at: when,
  ended_at: when,
  /** IANA name of the time zone of the recording; null if the phone stored none or an unknown one. */
  timezone: text,
  /** Civil day of the start in that time zone, or in this computer's zone if `timezone` is null. */
  day: civilDate.nullable(),
  source: text,
  source_bundle: text,
  device: text,
  is_user_entered: z.boolean(),
});
export type SampleRow = z.output<typeof sampleRow>;
export const healthType = z.object({
  type: z.string(),
  type_number: z.int(),
  kind: sampleRow.shape.kind,
  unit: text,
  count: z.int(),
  first_at: when,
  last_at: when,
  sources: z.array(z.object({ source: z.string(), count: z.int() })),
  /** Whether samples can be added to a patient's trends. */
  is_measurement: z.boolean(),
});
export type HealthType = z.output<typeof healthType>;
export const characteristics = z.object({
  date_of_birth: text,
  sex: z.enum(['female', 'male', 'other']).nullable(),
  blood_type: text,
  skin_type: z.int().nullable(),
  wheelchair: z.boolean().nullable(),
});
export type Characteristics = z.output<typeof characteristics>;
export const clinicalRecord = z.object({
  record_identifier: z.string(),
  resource_type: text,
  title: text,
  recorded_at: when,
  source: text,
  fhir_version: text,
  fhir: z.unknown(),
});
export type ClinicalRecord = z.output<typeof clinicalRecord>;
export const medicationRow = z.object({
  medication_identifier: z.string(),
  name: text,
  nickname: text,
  form: text,
  strength: text,
  is_archived: z.boolean(),
  created_at: when,
  doses: z.array(
    z.object({
      taken_at: when,
      quantity: z.number().nullable(),
      unit: text,
      status: z.enum(['taken', 'skipped', 'unknown']),
    }),
  ),
});
export type MedicationRow = z.output<typeof medicationRow>;
