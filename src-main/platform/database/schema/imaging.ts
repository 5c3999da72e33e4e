import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { patients } from './accounts.ts';
import { documents } from './documents.ts';
import { doctors, facilities } from './names.ts';

export const imaging_studies = sqliteTable(
  'imaging_studies',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    document_id: integer('document_id').references(() => documents.id, { onDelete: 'cascade' }),
    patient_id: integer('patient_id').references(() => patients.id, { onDelete: 'cascade' }),
    modality: text('modality'),
    body_part: text('body_part'),
    study_description: text('study_description'),
    accession_number: text('accession_number'),
    study_instance_uid: text('study_instance_uid'),
    study_date: text('study_date'),
    num_series: integer('num_series').notNull().default(0),
    num_images: integer('num_images').notNull().default(0),
    folder_path: text('folder_path'),
    bundle_path: text('bundle_path'),
    doctor_id: integer('doctor_id').references(() => doctors.id, { onDelete: 'set null' }),
    facility_id: integer('facility_id').references(() => facilities.id, { onDelete: 'set null' }),
    report_status: text('report_status', { enum: ['placeholder', 'attached'] })
      .notNull()
      .default('placeholder'),
    report_document_id: integer('report_document_id').references(() => documents.id, { onDelete: 'set null' }),
    created_at: text('created_at').notNull(),
  },
  (t) => [
    index('imaging_studies_document').on(t.document_id),
    index('imaging_studies_patient').on(t.patient_id, t.study_date),
    index('imaging_studies_uid').on(t.study_instance_uid),
    index('imaging_studies_report').on(t.report_document_id),
    index('imaging_studies_doctor').on(t.doctor_id),
    index('imaging_studies_facility').on(t.facility_id),
  ],
);

export const imaging_series = sqliteTable(
  'imaging_series',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    study_id: integer('study_id')
      .notNull()
      .references(() => imaging_studies.id, { onDelete: 'cascade' }),
    series_number: integer('series_number'),
    series_description: text('series_description'),
    modality: text('modality'),
    num_images: integer('num_images').notNull().default(0),
    series_instance_uid: text('series_instance_uid'),
    folder_path: text('folder_path'),
  },
  (t) => [
    uniqueIndex('imaging_series_uid').on(t.study_id, t.series_instance_uid),
    index('imaging_series_study').on(t.study_id),
  ],
);
