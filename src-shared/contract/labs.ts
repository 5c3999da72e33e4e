import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { refusal } from './field-errors.ts';
import { LAB_DOUBTS, labDoubt } from './lab-doubt.ts';
import { labResult } from './rows.ts';
import { TRASH_DAYS } from './trash.ts';
import { civilDate, comparator, freeText, id, idParams, idText, nameText, timestamp, wholeText } from './wire.ts';

const text = z.string().nullable();
const number = z.number().nullable();
const measuredValue = z.number().min(-1e15).max(1e15);
const resultText = freeText(200);
interface SentValue {
  value?: number | string | null | undefined;
  value_text?: string | null | undefined;
}
const hasOneText = ({ value, value_text }: SentValue): boolean =>
  typeof value !== 'string' || (value_text ?? value) === value;
const TWO_TEXTS = { ...refusal('field.given_twice'), path: ['value_text'] };
type TextApart<T extends SentValue> = Omit<T, 'value'> & { value?: number | null | undefined };
/** Moves a text from `value` to `value_text`. */
const withTextApart = <T extends SentValue>({ value, ...rest }: T): TextApart<T> =>
  typeof value === 'string' ? { ...rest, value_text: value } : { ...rest, value };

export type LabResult = z.output<typeof labResult>;

export const labFlag = z.enum(['high', 'low', 'abnormal']);

/**
 * If only one of `value` and `value_text` is sent, the other is derived from it: `"<0.3"` is the value 0.3 with a
 * comparator. A text in `value` is read as `value_text`.
 */
const changes = z.strictObject({
  test_name_original: nameText,
  norm_lab_test_id: id.nullish(),
  value: z.union([measuredValue, resultText]).nullish(),
  value_text: resultText.nullish(),
  unit: freeText(50).nullish(),
  reference_range_low: measuredValue.nullish(),
  reference_range_high: measuredValue.nullish(),
  reference_range_comparator: comparator.nullish(),
  is_abnormal: z.boolean().nullish(),
  sample_type: freeText(100).nullish(),
  panel_name: freeText(200).nullish(),
  test_date: civilDate.nullish(),
});
/**
 * `document_id` links the result to another document of its patient, for example after its own document was deleted.
 */
const labChanges = changes
  .extend({
    document_id: id,
    /** The user compared the result with the page: it is right, and no longer marked as doubtful. */
    confirmed: z.literal(true),
    /** Undoes an answer: the doubts and edited fields that the result had before. */
    reopened: z.strictObject({
      doubt: z.array(labDoubt).max(LAB_DOUBTS.length),
      edited_fields: z.array(z.string().max(50)).max(50).nullable(),
    }),
  })
  .partial()
  .refine(hasOneText, TWO_TEXTS)
  .transform(withTextApart);
export type LabChanges = z.output<typeof labChanges>;

const page = { limit: wholeText(1, 2000).default(500), offset: wholeText(0, 10_000_000).default(0) };
const rows = z.object({ items: z.array(labResult), total: z.int() });
/**
 * Identifies a test within the results of a patient; opaque to clients. Requests also accept the printed or canonical
 * name.
 */
const testKey = z.string().min(1).max(300);

/** A test of a patient, named after its canonical entry or, without one, its printed name. */
const test = z.object({
  key: testKey,
  name: z.string(),
  /** The name by language, if it comes from the knowledge base and was not edited. */
  names: z.record(z.string(), z.string()).nullable(),
  norm_lab_test_id: id.nullable(),
  canonical_code: text,
  loinc_code: text,
  /** Category of the canonical entry, otherwise the printed panel. */
  category: text,
});
export type LabTest = z.output<typeof test>;

/** A value in the unit of its series. */
const reading = z.object({ date: civilDate, value: z.number(), comparator: comparator.nullable() });

const summaryItem = test.extend({
  last: z.object({
    id,
    document_id: id.nullable(),
    date: civilDate.nullable(),
    value: number,
    comparator: comparator.nullable(),
    value_text: text,
    unit: text,
    /** The range of its report; where that has none, the latest one printed for this test in the same unit. */
    reference_range_low: number,
    reference_range_high: number,
    reference_range_comparator: comparator.nullable(),
    flag: labFlag.nullable(),
    doubt: z.array(labDoubt),
  }),
  /** The latest sure values in one unit, oldest first; values that can't be converted are omitted. */
  series: z.array(reading),
  /** The last value compared with the one before; null without two comparable values, or if the last is doubtful. */
  trend: z.enum(['up', 'down', 'steady']).nullable(),
});
export type LabSummaryItem = z.output<typeof summaryItem>;

/** The tests of a patient by their last results. */
const patientSummary = z.object({
  patient_id: id,
  total: z.int(),
  /** Doubtful results count only as doubtful. */
  out_of_range: z.int(),
  doubtful: z.int(),
  latest_date: civilDate.nullable(),
  /** Tests whose last result is doubtful or out of range, the doubtful ones first, then the newest. */
  notable: z.array(summaryItem),
});
export type LabPatientSummary = z.output<typeof patientSummary>;

const provenance = { id, document_id: id.nullable(), laboratory: text, page: z.int().nullable() };
const duplicateResult = z.object({ id, document_id: id.nullable(), document_filename: text });

/** A result in the unit of its series; `original` is as printed on the report. */
const point = reading.extend({
  ...provenance,
  reference_range_low: number,
  reference_range_high: number,
  reference_range_comparator: comparator.nullable(),
  flag: labFlag.nullable(),
  /** Why the result may have been read wrongly; such a result is drawn as an open dot. */
  doubt: z.array(labDoubt),
  converted: z.boolean(),
  original: z.object({ value_text: text, unit: text, reference_range_low: number, reference_range_high: number }),
  /** The same result in other units on the same report: `48 mmol/mol` and `6.5 %`. */
  also_printed: z.array(z.object({ id, value_text: text, unit: text })),
  /** The same result in other copies of the report; counts once. */
  also_in: z.array(duplicateResult),
});
export type LabPoint = z.output<typeof point>;

/** Reasons why a result is not part of its series. */
export const EXCLUSION_REASONS = [
  'not_a_number',
  'no_date',
  'no_unit',
  'unknown_unit',
  'other_quantity',
  'needs_molar_mass',
] as const;
const excludedResult = z.object({
  ...provenance,
  date: civilDate.nullable(),
  value: number,
  value_text: text,
  unit: text,
  flag: labFlag.nullable(),
  doubt: z.array(labDoubt),
  reason: z.enum(EXCLUSION_REASONS),
  also_in: z.array(duplicateResult),
});
export type ExcludedLabResult = z.output<typeof excludedResult>;

const series = z.object({
  test,
  printed_names: z.array(z.string()),
  unit: text,
  /** Units of the results of this test, and the preferred one; the series is available in those with `converts`. */
  units: z.array(z.object({ unit: z.string(), count: z.int(), converts: z.boolean() })),
  /** Conversions to the unit of the series: converted = printed × `factor` + `offset`. */
  conversions: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      factor: z.number(),
      offset: z.number(),
      by: z.enum(['units', 'substance']),
      count: z.int(),
    }),
  ),
  points: z.array(point),
  apart: z.array(excludedResult),
  events: z.array(
    z.object({
      id,
      title: z.string(),
      event_type: z.string(),
      date_start: civilDate,
      date_end: civilDate.nullable(),
      color: text,
    }),
  ),
  medications: z.array(z.object({ id, document_id: id, name: z.string(), dosage: text, date: civilDate })),
});
export type LabSeries = z.output<typeof series>;

export const labs = {
  list: endpoint({
    method: 'GET',
    path: '/api/lab-results',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({
      patient_id: idText.optional(),
      test_name: z.string().max(200).optional(),
      date_from: civilDate.optional(),
      date_to: civilDate.optional(),
      ...page,
    }),
    reply: rows,
    summary:
      'Lists lab results that the caller may see, newest first; `test_name` matches part of a printed or canonical ' +
      'name.',
  }),
  orphans: endpoint({
    method: 'GET',
    path: '/api/lab-results/orphans',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText.optional(), ...page }),
    reply: rows,
    summary: 'Lists lab results that were kept when their document was deleted.',
  }),
  timeline: endpoint({
    method: 'GET',
    path: '/api/lab-results/timeline',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText, test_name: z.string().min(1).max(200) }),
    reply: z.object({
      data: z.array(
        z.object({
          test_date: civilDate.nullable(),
          /** Null for a result in words. */
          value: number,
          value_text: text,
          comparator: comparator.nullable(),
          unit: text,
          reference_range_low: number,
          reference_range_high: number,
          reference_range_comparator: comparator.nullable(),
          doubt: z.array(labDoubt),
          is_abnormal: z.boolean().nullable(),
          canonical_display: text,
          document_id: id.nullable(),
        }),
      ),
    }),
    summary: 'Returns the results of one test as printed, oldest first. For one unit see /api/lab-results/series.',
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/lab-results/summary',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText }),
    reply: z.object({
      items: z.array(summaryItem),
      total: z.int(),
      orphans: z.int(),
      latest_document_id: id.nullable(),
    }),
    summary: 'Lists the tests of a patient with the last result, the latest values and their trend.',
  }),
  household: endpoint({
    method: 'GET',
    path: '/api/lab-results/household',
    access: 'session',
    reply: z.object({ patients: z.array(patientSummary) }),
    summary: 'Lists, for each patient that the caller may see, the tests that are out of range or doubtful at present.',
  }),
  series: endpoint({
    method: 'GET',
    path: '/api/lab-results/series',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText, test: testKey, unit: z.string().max(50).optional() }),
    reply: series,
    errors: ['lab_result.test_not_found'],
    summary:
      'Returns one test over time in one unit, each result with the reference range of its laboratory. Copies ' +
      'count once; results that cannot be converted are listed in `apart`.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/lab-results',
    access: { document: 'write', from: 'body.document_id' },
    audit: 'lab_result.create',
    status: 201,
    body: changes.extend({ document_id: id }).refine(hasOneText, TWO_TEXTS).transform(withTextApart),
    reply: labResult,
    errors: ['document.not_found', 'lab_result.test_not_found', 'lab_result.invalid_range'],
    summary: 'Adds a result to a document and its patient. It is preserved when the document is read again.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/lab-results/{id}',
    access: { lab_result: 'write' },
    audit: 'lab_result.update',
    params: idParams,
    body: labChanges,
    reply: labResult,
    errors: ['lab_result.not_found', 'lab_result.test_not_found', 'lab_result.invalid_range', 'document.not_found'],
    summary:
      'Changes a result, or links it to another document of the same patient. The change is preserved when the ' +
      'document is read again.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/lab-results/{id}',
    access: { lab_result: 'write' },
    audit: 'lab_result.delete',
    params: idParams,
    reply: z.object({ ok: z.literal(true), trash_id: id, undo_until: timestamp }),
    errors: ['lab_result.not_found'],
    summary: `Moves a result to the trash. Can be undone for ${TRASH_DAYS} days.`,
  }),
} as const;
