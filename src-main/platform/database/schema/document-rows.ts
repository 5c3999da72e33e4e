import { sql } from 'drizzle-orm';
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import type { Comparator } from '../../../../src-shared/contract/wire.ts';
import { patients } from './accounts.ts';
import { flag, json } from './columns.ts';
import { documents, type Evidence } from './documents.ts';
import { doctors, facilities, norm_diagnoses, norm_lab_tests, norm_medications } from './names.ts';

const ofDocument = () =>
  integer('document_id')
    .notNull()
    .references(() => documents.id, { onDelete: 'cascade' });
const rowId = () => integer('id').primaryKey({ autoIncrement: true });
/**
 * Rows that users can edit. `edited_fields` is null for an unedited row; otherwise it lists the edited fields, and
 * reading the document again does not change the row. `read_key` identifies the row of a reading; null for rows that a
 * user added.
 */
const editColumns = () => ({ edited_fields: json<string[]>('edited_fields'), read_key: text('read_key') });

/**
 * `document_id` is not changed when the document is purged and its results are kept: it then refers to no row (orphan).
 */
export const lab_results = sqliteTable(
  'lab_results',
  {
    id: rowId(),
    document_id: integer('document_id').references(() => documents.id, { onDelete: 'set null' }),
    patient_id: integer('patient_id').references(() => patients.id, { onDelete: 'cascade' }),
    test_name_original: text('test_name_original').notNull(),
    norm_lab_test_id: integer('norm_lab_test_id').references(() => norm_lab_tests.id, { onDelete: 'set null' }),
    value: real('value'),
    value_text: text('value_text'),
    unit: text('unit'),
    reference_range_low: real('reference_range_low'),
    reference_range_high: real('reference_range_high'),
    is_abnormal: flag('is_abnormal'),
    sample_type: text('sample_type'),
    panel_name: text('panel_name'),
    test_date: text('test_date'),
    /** Why the result may have been read wrongly; null once a user edited or confirmed it. */
    doubt: json<LabDoubt[]>('doubt'),
    reference_range_comparator: text('reference_range_comparator').$type<Comparator>(),
    evidence: json<Evidence>('evidence'),
    ...editColumns(),
  },
  (t) => [
    // Covers everything that the timeline needs from a result.
    index('lab_results_timeline').on(t.patient_id, t.test_date, t.document_id, t.is_abnormal, t.doubt),
    index('lab_results_document').on(t.document_id),
    index('lab_results_patient').on(t.patient_id, t.test_date, t.id),
    index('lab_results_series').on(t.patient_id, t.norm_lab_test_id, t.test_date),
    index('lab_results_name').on(t.patient_id, t.test_name_original, t.test_date),
    index('lab_results_norm').on(t.norm_lab_test_id),
    // Finds the tests of a patient by skipping from one to the next, and results without a document.
    index('lab_results_tests').on(t.patient_id, t.norm_lab_test_id, t.test_name_original, t.sample_type, t.test_date),
    index('lab_results_orphans')
      .on(t.patient_id, t.test_date, t.id)
      .where(sql`document_id IS NULL`),
  ],
);

export const encounters = sqliteTable(
  'encounters',
  {
    id: rowId(),
    document_id: ofDocument(),
    doctor_id: integer('doctor_id').references(() => doctors.id, { onDelete: 'set null' }),
    facility_id: integer('facility_id').references(() => facilities.id, { onDelete: 'set null' }),
    encounter_date: text('encounter_date'),
    admission_date: text('admission_date'),
    discharge_date: text('discharge_date'),
    norm_diagnosis_id: integer('norm_diagnosis_id').references(() => norm_diagnoses.id, { onDelete: 'set null' }),
    diagnosis_original: text('diagnosis_original'),
    diagnosis_code: text('diagnosis_code'),
    specialty_original: text('specialty_original'),
    notes: text('notes'),
    findings: text('findings'),
    follow_up_date: text('follow_up_date'),
    follow_up_instructions: text('follow_up_instructions'),
    /** When the user marked the follow-up as done. */
    follow_up_done_date: text('follow_up_done_date'),
    evidence: json<Evidence>('evidence'),
    ...editColumns(),
  },
  (t) => [
    index('encounters_document').on(t.document_id),
    index('encounters_doctor').on(t.doctor_id),
    index('encounters_facility').on(t.facility_id),
    index('encounters_diagnosis').on(t.norm_diagnosis_id),
    index('encounters_follow_up').on(t.follow_up_date),
  ],
);

export const medications = sqliteTable(
  'medications',
  {
    id: rowId(),
    document_id: ofDocument(),
    norm_medication_id: integer('norm_medication_id').references(() => norm_medications.id, { onDelete: 'set null' }),
    brand_name: text('brand_name'),
    active_ingredient_original: text('active_ingredient_original'),
    dosage: text('dosage'),
    form: text('form'),
    frequency: text('frequency'),
    duration: text('duration'),
    quantity: text('quantity'),
    prescribed_date: text('prescribed_date'),
    evidence: json<Evidence>('evidence'),
    ...editColumns(),
  },
  (t) => [index('medications_document').on(t.document_id), index('medications_norm').on(t.norm_medication_id)],
);

export const vaccinations = sqliteTable(
  'vaccinations',
  {
    id: rowId(),
    document_id: ofDocument(),
    vaccine_name: text('vaccine_name').notNull(),
    manufacturer: text('manufacturer'),
    lot_number: text('lot_number'),
    dose_number: integer('dose_number'),
    date_administered: text('date_administered'),
    evidence: json<Evidence>('evidence'),
    ...editColumns(),
  },
  (t) => [index('vaccinations_document').on(t.document_id)],
);

export const invoice_items = sqliteTable(
  'invoice_items',
  {
    id: rowId(),
    document_id: ofDocument(),
    description: text('description').notNull(),
    quantity: real('quantity'),
    unit_price: real('unit_price'),
    amount: real('amount'),
    currency: text('currency'),
    tariff_code: text('tariff_code'),
    tax_rate: real('tax_rate'),
    category: text('category'),
    evidence: json<Evidence>('evidence'),
  },
  (t) => [index('invoice_items_document').on(t.document_id)],
);

export const document_sections = sqliteTable(
  'document_sections',
  {
    id: rowId(),
    document_id: ofDocument(),
    section_index: integer('section_index').notNull(),
    page_start: integer('page_start').notNull(),
    page_end: integer('page_end').notNull(),
    section_type: text('section_type').notNull(),
    ocr_text: text('ocr_text'),
    summary_en: text('summary_en'),
  },
  (t) => [index('document_sections_document').on(t.document_id, t.section_index)],
);

export const region_translations = sqliteTable(
  'region_translations',
  {
    id: rowId(),
    document_id: ofDocument(),
    page: integer('page').notNull(),
    bbox_x: real('bbox_x').notNull(),
    bbox_y: real('bbox_y').notNull(),
    bbox_w: real('bbox_w').notNull(),
    bbox_h: real('bbox_h').notNull(),
    ocr_text: text('ocr_text'),
    translated_text: text('translated_text'),
    ocr_provider_id: text('ocr_provider_id'),
    llm_provider_id: text('llm_provider_id'),
    llm_model: text('llm_model'),
    thumbnail_path: text('thumbnail_path'),
    target_language: text('target_language'),
    status: text('status'),
    error: text('error'),
    share_id: text('share_id'),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('region_translations_document').on(t.document_id)],
);

/** Corrections by users, as examples for later readings. */
export const extraction_corrections = sqliteTable(
  'extraction_corrections',
  {
    id: rowId(),
    document_id: ofDocument(),
    field: text('field').notNull(),
    old_value: text('old_value'),
    new_value: text('new_value'),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('extraction_corrections_document').on(t.document_id)],
);
