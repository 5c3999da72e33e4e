import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { labResult } from './rows.ts';
import { civilDate, freeText, id, idParams, idText, nameText, timestamp, wholeText } from './wire.ts';

const text = z.string().nullable();
const number = z.number().nullable();
const measured = z.number().min(-1e15).max(1e15);

export type LabResult = z.output<typeof labResult>;

/** What a printed value carries before its number: `< 0.3` lies somewhere below 0.3. */
export const comparator = z.enum(['<', '>', '≤', '≥']);
export type Comparator = z.output<typeof comparator>;
export const labFlag = z.enum(['high', 'low', 'abnormal']);

/** `value` and `value_text` follow each other where only one is sent: `"<0.3"` is the value 0.3 with a comparator. */
const changes = z.strictObject({
  test_name_original: nameText,
  norm_lab_test_id: id.nullish(),
  value: measured.nullish(),
  value_text: freeText(200).nullish(),
  unit: freeText(50).nullish(),
  reference_range_low: measured.nullish(),
  reference_range_high: measured.nullish(),
  is_abnormal: z.boolean().nullish(),
  sample_type: freeText(100).nullish(),
  panel_name: freeText(200).nullish(),
  test_date: civilDate.nullish(),
});
/** With `document_id` the result hangs on that document of its patient from now on, such as one that was kept when its own was deleted. */
const labChanges = changes.extend({ document_id: id }).partial();
export type LabChanges = z.output<typeof labChanges>;

const page = { limit: wholeText(1, 2000).default(500), offset: wholeText(0, 10_000_000).default(0) };
const rows = z.object({ items: z.array(labResult), total: z.int() });
/** Names a test within one patient's results; made by the summary, opaque to clients. Where a test is asked for, its printed or canonical name does, too. */
const testKey = z.string().min(1).max(300);

/** A test as the patient's results know it: by its canonical entry, else by its printed name. */
const test = z.object({
  key: testKey,
  name: z.string(),
  /** The name by language, where it comes from the knowledge base and nobody changed it. */
  names: z.record(z.string(), z.string()).nullable(),
  norm_lab_test_id: id.nullable(),
  canonical_code: text,
  loinc_code: text,
  /** Category of the canonical entry, else the panel that was printed. */
  category: text,
});
export type LabTest = z.output<typeof test>;

/** A number of a series in the series' unit. */
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
    reference_range_low: number,
    reference_range_high: number,
    flag: labFlag.nullable(),
  }),
  /** The latest numbers in one unit, oldest first; those that do not convert are left out. */
  series: z.array(reading),
  /** The last number against the one before; null without two that compare. */
  trend: z.enum(['up', 'down', 'steady']).nullable(),
});
export type LabSummaryItem = z.output<typeof summaryItem>;

const whereFrom = { id, document_id: id.nullable(), laboratory: text, page: z.int().nullable() };
const twin = z.object({ id, document_id: id.nullable(), document_filename: text });

/** One result of a series, in its unit; `original` is what the report says. */
const point = reading.extend({
  ...whereFrom,
  reference_range_low: number,
  reference_range_high: number,
  flag: labFlag.nullable(),
  converted: z.boolean(),
  original: z.object({ value_text: text, unit: text, reference_range_low: number, reference_range_high: number }),
  /** The same result in other units on the same report: `48 mmol/mol` beside `6.5 %`. */
  also_printed: z.array(z.object({ id, value_text: text, unit: text })),
  /** The same result in other copies of the report; counted once. */
  also_in: z.array(twin),
});
export type LabPoint = z.output<typeof point>;

/** Why a result stands apart from its series. */
export const APART_REASONS = [
  'not_a_number',
  'no_date',
  'no_unit',
  'unknown_unit',
  'other_quantity',
  'needs_molar_mass',
] as const;
const apart = z.object({
  ...whereFrom,
  date: civilDate.nullable(),
  value: number,
  value_text: text,
  unit: text,
  flag: labFlag.nullable(),
  reason: z.enum(APART_REASONS),
  also_in: z.array(twin),
});
export type LabApart = z.output<typeof apart>;

const series = z.object({
  test,
  printed_names: z.array(z.string()),
  unit: text,
  /** Units in which results of this test came, and the preferred one; the series can be asked for in those that convert. */
  units: z.array(z.object({ unit: z.string(), count: z.int(), converts: z.boolean() })),
  /** How units of this series became one; `factor` and `offset`: converted = printed × factor + offset. */
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
  apart: z.array(apart),
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
      'Lab results that the caller may see, newest first; `test_name` finds part of a printed or canonical name.',
  }),
  orphans: endpoint({
    method: 'GET',
    path: '/api/lab-results/orphans',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText.optional(), ...page }),
    reply: rows,
    summary: 'Lab results that were kept when their document was deleted.',
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
          value: number,
          unit: text,
          reference_range_low: number,
          reference_range_high: number,
          document_id: id.nullable(),
        }),
      ),
    }),
    summary:
      'Numbers of one test as they were printed, oldest first; a series in one unit is at /api/lab-results/series.',
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
    summary: 'Every test of a patient with its last result, its latest numbers and where they go.',
  }),
  series: endpoint({
    method: 'GET',
    path: '/api/lab-results/series',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText, test: testKey, unit: z.string().max(50).optional() }),
    reply: series,
    errors: ['lab_result.no_test'],
    summary:
      'One test over time in one unit, each result with the range of its own laboratory; copies counted once, what does not convert listed apart.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/lab-results',
    access: { document: 'write', from: 'body.document_id' },
    audit: 'lab_result.create',
    status: 201,
    body: changes.extend({ document_id: id }),
    reply: labResult,
    errors: ['document.not_found', 'lab_result.no_test', 'lab_result.bad_range'],
    summary: 'Adds a result to a document; its patient is the document’s. Reading the document again leaves it.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/lab-results/{id}',
    access: { lab_result: 'write' },
    audit: 'lab_result.update',
    params: idParams,
    body: labChanges,
    reply: labResult,
    errors: ['lab_result.not_found', 'lab_result.no_test', 'lab_result.bad_range', 'document.not_found'],
    summary:
      'Changes a result, or the document of the same patient on which it hangs; reading its document again leaves it as it is now.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/lab-results/{id}',
    access: { lab_result: 'write' },
    audit: 'lab_result.delete',
    params: idParams,
    reply: z.object({ ok: z.literal(true), trash_id: id, undo_until: timestamp }),
    errors: ['lab_result.not_found'],
    summary: 'Moves a result to the trash, where it can be undone for 30 days.',
  }),
} as const;
