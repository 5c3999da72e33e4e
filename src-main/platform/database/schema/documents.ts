import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { EVENT_TYPES, SEVERITIES } from '../../../../src-shared/contract/event-types.ts';
import { DOCUMENT_STATUSES, LINK_TYPES } from '../../../../src-shared/contract/rows.ts';
import { patients, users } from './accounts.ts';
import { flag, json } from './columns.ts';
import { doctors, facilities, norm_diagnoses, norm_specialties } from './names.ts';

/** Where a value was read. */
export type Evidence = { page: number; bbox: [number, number, number, number]; confidence: number; label?: string };
type StoredReason = { code: string; field?: string; params?: Record<string, string | number> };

export const events = sqliteTable(
  'events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    patient_id: integer('patient_id')
      .notNull()
      .references(() => patients.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    slug: text('slug').notNull(),
    event_type: text('event_type', { enum: EVENT_TYPES }).notNull(),
    description: text('description'),
    date_start: text('date_start'),
    date_end: text('date_end'),
    is_ongoing: flag('is_ongoing').notNull().default(false),
    severity: text('severity', { enum: SEVERITIES }),
    diagnosis_text: text('diagnosis_text'),
    icd10_code: text('icd10_code'),
    specialty_text: text('specialty_text'),
    norm_diagnosis_id: integer('norm_diagnosis_id').references(() => norm_diagnoses.id, { onDelete: 'set null' }),
    norm_specialty_id: integer('norm_specialty_id').references(() => norm_specialties.id, { onDelete: 'set null' }),
    notes: text('notes'),
    color: text('color'),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
  },
  (t) => [
    index('events_patient').on(t.patient_id, t.date_start),
    uniqueIndex('events_slug').on(t.patient_id, t.slug),
    index('events_diagnosis').on(t.norm_diagnosis_id),
    index('events_specialty').on(t.norm_specialty_id),
  ],
);

/** Small rows, so that lists read few pages: long texts are in `document_texts`. */
export const documents = sqliteTable(
  'documents',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    patient_id: integer('patient_id').references(() => patients.id),
    /** Relative to the vault, with forward slashes; empty for an imaging study that waits for its report. */
    file_path: text('file_path').notNull(),
    original_filename: text('original_filename').notNull(),
    mime_type: text('mime_type').notNull(),
    /** Given by a user; without one, clients compose a title from type, facility and content. */
    title: text('title'),
    doc_type: text('doc_type'),
    event_date: text('event_date'),
    issued_date: text('issued_date'),
    date_received: text('date_received'),
    /**
     * The date from the source, such as that of the message it was attached to; used while the document itself has no
     * date.
     */
    original_date: text('original_date'),
    doctor_id: integer('doctor_id').references(() => doctors.id, { onDelete: 'set null' }),
    facility_id: integer('facility_id').references(() => facilities.id, { onDelete: 'set null' }),
    norm_specialty_id: integer('norm_specialty_id').references(() => norm_specialties.id, { onDelete: 'set null' }),
    specialty_original: text('specialty_original'),
    summary_en: text('summary_en'),
    summary_original: text('summary_original'),
    insurance_company: text('insurance_company'),
    insurance_policy: text('insurance_policy'),
    event_id: integer('event_id').references(() => events.id, { onDelete: 'set null' }),
    notes: text('notes'),
    user_notes: text('user_notes'),
    /** Comma-separated. */
    tags: text('tags'),
    page_count: integer('page_count'),
    file_size: integer('file_size').notNull(),
    /** SHA-256, lower-case hex. */
    file_hash: text('file_hash').notNull(),
    language_source: text('language_source'),
    ocr_text_en_model: text('ocr_text_en_model'),
    ocr_text_en_translated_at: text('ocr_text_en_translated_at'),
    ocr_confidence: real('ocr_confidence'),
    ocr_engine: text('ocr_engine'),
    llm_provider: text('llm_provider'),
    cost_amount: real('cost_amount'),
    cost_currency: text('cost_currency'),
    status: text('status', { enum: DOCUMENT_STATUSES }).notNull(),
    error_message: text('error_message'),
    retry_count: integer('retry_count').notNull().default(0),
    process_at: text('process_at'),
    extracted_patient_name: text('extracted_patient_name'),
    /** The patient's birth date as printed. */
    extracted_birth_date: text('extracted_birth_date'),
    /**
     * A user has to decide whose document this is. Until then its values belong to nobody's record: queries read the
     * views `record_documents` and `record_studies`, and its lab results have no patient.
     */
    patient_undecided: flag('patient_undecided').notNull().default(false),
    /** Stem that the reader proposed for the file name. */
    filename_stem: text('filename_stem'),
    evidence: json<Record<string, Evidence>>('evidence'),
    review_reasons: json<StoredReason[]>('review_reasons'),
    /** Fields edited by a user; reading the document again does not change them. */
    edited_fields: json<string[]>('edited_fields'),
    /** Clockwise rotation by users in degrees, by page, in addition to the detected rotation. */
    page_turns: json<Record<string, number>>('page_turns'),
    uploaded_by_user_id: integer('uploaded_by_user_id').references(() => users.id, { onDelete: 'set null' }),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
  },
  (t) => [
    // Each index ends with the patient, so that access can be checked without reading the row.
    index('documents_path').on(t.file_path),
    uniqueIndex('documents_one_path')
      .on(t.file_path)
      .where(sql`file_path <> ''`),
    index('documents_hash').on(t.file_hash),
    index('documents_patient_date').on(t.patient_id, t.event_date, t.id, t.patient_undecided),
    index('documents_patient_specialty').on(t.patient_id, t.norm_specialty_id, t.event_date, t.id, t.patient_undecided),
    index('documents_undecided')
      .on(t.id)
      .where(sql`patient_undecided = 1`),
    index('documents_date').on(t.event_date, t.id, t.patient_id),
    index('documents_type').on(t.doc_type, t.event_date, t.id, t.patient_id),
    index('documents_status').on(t.status, t.event_date, t.id, t.patient_id),
    index('documents_doctor').on(t.doctor_id, t.event_date, t.id, t.patient_id),
    index('documents_facility').on(t.facility_id, t.event_date, t.id, t.patient_id),
    index('documents_specialty').on(t.norm_specialty_id, t.event_date, t.id, t.patient_id),
    index('documents_event').on(t.event_id, t.event_date, t.id, t.patient_id),
    index('documents_created').on(t.created_at, t.id, t.patient_id),
    index('documents_filename').on(t.original_filename, t.id, t.patient_id),
  ],
);

/** The words used by search, by column of the index. Updated in the transaction that writes the row. */
export const document_texts = sqliteTable('document_texts', {
  id: integer('id')
    .primaryKey()
    .references(() => documents.id, { onDelete: 'cascade' }),
  title: text('title').notNull().default(''),
  body: text('body').notNull().default(''),
  english: text('english').notNull().default(''),
  people: text('people').notNull().default(''),
  labels: text('labels').notNull().default(''),
});

/** Raw results of readers, for audit and for reading again. */
export const document_extractions = sqliteTable('document_extractions', {
  document_id: integer('document_id')
    .primaryKey()
    .references(() => documents.id, { onDelete: 'cascade' }),
  raw_extraction: text('raw_extraction').notNull(),
});

/** One page's words with boxes: gzip of a `PageText` as JSON. */
export const document_pages = sqliteTable(
  'document_pages',
  {
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    page: integer('page').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.document_id, t.page] })],
);

/** OCR results by page content, so that reading again with the same engine costs nothing. */
export const page_cache = sqliteTable(
  'page_cache',
  {
    key: text('key').primaryKey(),
    file_hash: text('file_hash').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('page_cache_file').on(t.file_hash)],
);

export const document_tags = sqliteTable(
  'document_tags',
  {
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    tag: text('tag').notNull(),
  },
  (t) => [primaryKey({ columns: [t.document_id, t.tag] }), index('document_tags_tag').on(t.tag, t.document_id)],
);

export const document_links = sqliteTable(
  'document_links',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    source_document_id: integer('source_document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    target_document_id: integer('target_document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    link_type: text('link_type', { enum: LINK_TYPES }).notNull(),
    created_at: text('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('document_links_pair').on(t.source_document_id, t.target_document_id, t.link_type),
    index('document_links_target').on(t.target_document_id),
  ],
);

export const event_documents = sqliteTable(
  'event_documents',
  {
    event_id: integer('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    relevance: text('relevance', { enum: ['primary', 'secondary', 'background'] })
      .notNull()
      .default('primary'),
    auto_linked: flag('auto_linked').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.event_id, t.document_id] }), index('event_documents_document').on(t.document_id)],
);
