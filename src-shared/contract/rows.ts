import { z } from 'zod';
import { documentNaming, documentType, highlights } from './document-naming.ts';
import { errorReference } from './errors.ts';
import { labDoubt } from './lab-doubt.ts';
import { SECTION_TYPES } from '../medical/document-type.ts';
import { jobKind } from './job-kinds.ts';
import { civilDate, comparator, id, timestamp } from './wire.ts';

/** Wire shapes of documents and their rows. */

export const DOCUMENT_STATUSES = ['pending', 'processing', 'done', 'failed', 'needs_review', 'cancelled'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];
export const documentStatus = z.enum(DOCUMENT_STATUSES);

const text = z.string().nullable();
const number = z.number().nullable();
const date = civilDate.nullable();

export const bbox = z.tuple([z.number(), z.number(), z.number(), z.number()]);
/**
 * Where a value was read: box in fractions of the upright page, `confidence` 0–1, and the printed `label` that
 * identified it.
 */
export const evidence = z.object({
  page: z.int(),
  bbox,
  confidence: z.number(),
  label: z.string().optional(),
  /** What a second look at the number of a lab result read, if it differs. */
  second_reading: z.string().optional(),
});
export type Evidence = z.output<typeof evidence>;

/** Fields that a user edited; null for an unedited row. */
const editedFields = z.array(z.string()).nullable();

export const reviewReason = z.object({
  code: z.string(),
  field: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  detail: z.string(),
});

export const documentRow = z.object({
  id,
  patient_id: id.nullable(),
  file_path: z.string(),
  original_filename: z.string(),
  mime_type: z.string(),
  /** Given by a user; null for a title that clients compose (see `document-naming.ts`). */
  title: text,
  doc_type: documentType.nullable(),
  event_date: date,
  issued_date: date,
  date_received: date,
  doctor_id: id.nullable(),
  facility_id: id.nullable(),
  summary_en: text,
  summary_original: text,
  norm_specialty_id: id.nullable(),
  specialty_original: text,
  insurance_company: text,
  insurance_policy: text,
  event_id: id.nullable(),
  notes: text,
  user_notes: text,
  tags: text,
  page_count: z.int().nullable(),
  file_size: z.int(),
  file_hash: z.string(),
  language_source: text,
  ocr_text_en_model: text,
  ocr_text_en_translated_at: timestamp.nullable(),
  ocr_confidence: number,
  ocr_engine: text,
  llm_provider: text,
  cost_amount: number,
  cost_currency: text,
  status: documentStatus,
  error_message: text,
  /** The error that `error_message` describes in English; null without an error. */
  error: errorReference.nullable(),
  retry_count: z.int(),
  process_at: timestamp.nullable(),
  uploaded_by_user_id: id.nullable(),
  /** A user has to decide whose document this is; until then its values are in nobody's record. */
  patient_undecided: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});
export const joinedNames = z.object({
  patient_name: text,
  doctor_name: text,
  facility_name: text,
  specialty_display: text,
  specialty_canonical_display: text,
  specialty_canonical_code: text,
  event_title: text,
  event_type: text,
  event_color: text,
  highlights,
});
/**
 * List items: what lists show and the specification names, without long texts and without details of reading and
 * filing (ADR 0084). Search hits have `snippet` (hits between U+E000 and U+E001) and `rank`.
 */
export const documentListItem = documentRow
  .omit({
    mime_type: true,
    date_received: true,
    summary_original: true,
    norm_specialty_id: true,
    insurance_company: true,
    insurance_policy: true,
    language_source: true,
    ocr_text_en_model: true,
    ocr_text_en_translated_at: true,
    ocr_confidence: true,
    ocr_engine: true,
    llm_provider: true,
    cost_amount: true,
    cost_currency: true,
    retry_count: true,
    process_at: true,
    uploaded_by_user_id: true,
    updated_at: true,
  })
  .extend(joinedNames.shape)
  .extend({
    review_reasons: z.array(reviewReason),
    snippet: z.string().optional(),
    rank: z.number().optional(),
  });
export type DocumentListItem = z.output<typeof documentListItem>;

export const labResult = z.object({
  id,
  document_id: id.nullable(),
  patient_id: id.nullable(),
  test_name_original: z.string(),
  norm_lab_test_id: id.nullable(),
  value: number,
  value_text: text,
  unit: text,
  reference_range_low: number,
  reference_range_high: number,
  is_abnormal: z.boolean().nullable(),
  sample_type: text,
  panel_name: text,
  test_date: date,
  /** Why the result may have been read wrongly; empty once a user edited or confirmed it. */
  doubt: z.array(labDoubt),
  /** The printed sign of a range with one bound: `≤ 5.7` is not `< 5.7`. */
  reference_range_comparator: comparator.nullable(),
  test_name_canonical: text,
  /** The name of the test by language, if it comes from the knowledge base and was not edited. */
  test_names: z.record(z.string(), z.string()).nullable(),
  canonical_code: text,
  unit_preferred: text,
  document_filename: text,
  document_doc_type: text,
  document_doc_date: date,
  document_missing: z.boolean(),
  evidence: evidence.nullable(),
  edited_fields: editedFields,
});

export const encounter = z.object({
  id,
  document_id: id,
  doctor_id: id.nullable(),
  doctor_name: text,
  facility_id: id.nullable(),
  facility_name: text,
  encounter_date: date,
  admission_date: date,
  discharge_date: date,
  norm_diagnosis_id: id.nullable(),
  diagnosis_original: text,
  diagnosis_code: text,
  specialty_original: text,
  notes: text,
  findings: text,
  follow_up_date: date,
  follow_up_instructions: text,
  follow_up_done_date: date,
  evidence: evidence.nullable(),
  edited_fields: editedFields,
});
export const medication = z.object({
  id,
  document_id: id,
  norm_medication_id: id.nullable(),
  brand_name: text,
  active_ingredient_original: text,
  dosage: text,
  form: text,
  frequency: text,
  duration: text,
  quantity: text,
  prescribed_date: date,
  evidence: evidence.nullable(),
  edited_fields: editedFields,
});
export const vaccination = z.object({
  id,
  document_id: id,
  vaccine_name: z.string(),
  manufacturer: text,
  lot_number: text,
  dose_number: z.int().nullable(),
  date_administered: date,
  evidence: evidence.nullable(),
  edited_fields: editedFields,
});
export const invoiceItem = z.object({
  id,
  document_id: id,
  description: z.string(),
  quantity: number,
  unit_price: number,
  amount: number,
  currency: text,
  tariff_code: text,
  tax_rate: number,
  category: text,
  evidence: evidence.nullable(),
});
export const section = z.object({
  id,
  section_index: z.int(),
  page_start: z.int(),
  page_end: z.int(),
  section_type: z.enum(SECTION_TYPES),
  ocr_text: text,
  summary_en: text,
});
export const LINK_TYPES = ['invoice_for', 'report_for', 'imaging_for', 'follow_up', 'related'] as const;
export type LinkType = (typeof LINK_TYPES)[number];
export const linkType = z.enum(LINK_TYPES);
/** A link as seen from one document, with what names the other. */
export const documentLink = documentNaming.extend({
  id,
  link_id: id,
  source_document_id: id,
  target_document_id: id,
  link_type: linkType,
  created_at: timestamp,
});
export const regionTranslation = z.object({
  id,
  page: z.int(),
  bbox_x: z.number(),
  bbox_y: z.number(),
  bbox_w: z.number(),
  bbox_h: z.number(),
  ocr_text: text,
  translated_text: text,
  ocr_provider_id: text,
  llm_provider_id: text,
  llm_model: text,
  thumbnail_path: text,
  target_language: text,
  created_at: timestamp,
  /** `queued`, `running`, `done`, `failed` or `cancelled`. */
  status: text,
  /** Why it failed, in English. */
  error: text,
  /** The error that `error` describes. */
  failure: errorReference.nullable(),
});
/** The translation of a whole document: its state, and why the last one failed. */
export const translationState = z.object({
  status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  error: errorReference.nullable(),
});
/** A series of an imaging study. */
export const imagingSeries = z.object({
  id,
  series_id: id,
  series_number: z.int().nullable(),
  series_description: text,
  modality: text,
  num_images: z.int(),
  series_instance_uid: text,
  folder_path: text,
});
/** An imaging study as its document shows it. */
export const imagingStudy = z.object({
  id,
  document_id: id.nullable(),
  patient_id: id.nullable(),
  modality: text,
  body_part: text,
  study_description: text,
  accession_number: text,
  study_instance_uid: text,
  study_date: date,
  num_series: z.int(),
  num_images: z.int(),
  folder_path: text,
  report_status: z.enum(['placeholder', 'attached']),
  series: z.array(imagingSeries),
});

/** A document with all its rows. */
/** How a document belongs to an event. */
export const relevance = z.enum(['primary', 'secondary', 'background']);
export const eventLink = z.strictObject({ event_id: id, relevance });
export type EventLink = z.output<typeof eventLink>;

export const documentDetail = documentRow.extend(joinedNames.shape).extend({
  ocr_text: text,
  ocr_text_en: text,
  /** Null if nobody asked for one. */
  translation: translationState.nullable(),
  lab_results: z.array(labResult),
  encounters: z.array(encounter),
  medications: z.array(medication),
  vaccinations: z.array(vaccination),
  imaging_studies: z.array(imagingStudy),
  links: z.array(documentLink),
  event_links: z.array(eventLink),
  sections: z.array(section),
  region_translations: z.array(regionTranslation),
  invoice_items: z.array(invoiceItem),
  /** The patient name printed in the document. */
  extracted_patient_name: text,
  /** The patient's birth date printed in the document. */
  extracted_birth_date: date,
  /** What tells whose document it is: a user, the name on the page, the upload, or the inbox folder of the patient. */
  patient_source: z.enum(['user', 'page', 'upload', 'inbox']).nullable(),
  /** Fields of the document that a user edited. */
  edited_fields: editedFields,
  evidence: z.record(z.string(), evidence),
  review_reasons: z.array(reviewReason),
});
export type DocumentDetail = z.output<typeof documentDetail>;

/** What the models of a stage used. */
export const stageUsage = z.object({
  /** The last one that answered. */
  provider: z.string(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  /** By the prices of the entries; null if none has any. */
  amount: z.number().nullable(),
  currency: z.string().nullable(),
});
export type StageUsage = z.output<typeof stageUsage>;

/** How far a stage of a job is. */
export const STAGE_STATUSES = ['started', 'completed', 'failed', 'skipped', 'cancelled'] as const;

export const stageEvent = z.object({
  id,
  stage: z.enum([
    'ocr',
    'vision_extraction',
    // Extraction: runs the built-in rules. The specification fixes the name.
    'llm_extraction',
    'page_classification',
    'section_extraction',
    'organizing',
    'thumbnail',
    'cache_ocr',
    'translation',
    'region_ocr',
    'region_translation',
  ]),
  status: z.enum(STAGE_STATUSES),
  job_kind: jobKind,
  /** Why the stage did not complete, in English. */
  message: text,
  /** The error that `message` describes; null without an error. */
  error: errorReference.nullable(),
  page_current: z.int().nullable(),
  page_total: z.int().nullable(),
  /** Null if no model was asked. */
  usage: stageUsage.nullable(),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type StageEvent = z.output<typeof stageEvent>;

export const pageText = z.object({
  page: z.int(),
  width: z.number(),
  height: z.number(),
  source: z.enum(['text_layer', 'ocr']),
  confidence: z.number(),
  /** `[text, x, y, w, h]` in fractions of the upright page, in reading order. */
  words: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()])),
});
export type WirePageText = z.output<typeof pageText>;
