import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { BUNDLE_KINDS, MARK_KINDS } from '../../../../src-shared/contract/imaging.ts';
import { patients, users } from './accounts.ts';
import { json } from './columns.ts';
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
    index('imaging_studies_created').on(t.patient_id, t.created_at),
    index('imaging_studies_folder').on(t.folder_path),
    index('imaging_studies_bundle').on(t.bundle_path),
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
    index('imaging_series_folder').on(t.folder_path),
  ],
);

/** DICOM objects of a series, each a file in its folder. */
export const imaging_instances = sqliteTable(
  'imaging_instances',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    series_id: integer('series_id')
      .notNull()
      .references(() => imaging_series.id, { onDelete: 'cascade' }),
    sop_instance_uid: text('sop_instance_uid').notNull(),
    sop_class_uid: text('sop_class_uid').notNull(),
    transfer_syntax_uid: text('transfer_syntax_uid').notNull(),
    /** What the object is; only images have frames. */
    kind: text('kind', {
      enum: ['image', 'report', 'encapsulated_pdf', 'dose', 'presentation', 'other'],
    }).notNull(),
    /** In the folder of the series. */
    file_name: text('file_name').notNull(),
    file_size: integer('file_size').notNull(),
    /** SHA-256, lower-case hex. */
    file_hash: text('file_hash').notNull(),
    instance_number: integer('instance_number'),
    /** Along the normal of the image plane, in mm. */
    position: real('position'),
    frames: integer('frames').notNull().default(0),
    rows: integer('rows'),
    columns: integer('columns'),
    window_center: real('window_center'),
    window_width: real('window_width'),
  },
  (t) => [
    uniqueIndex('imaging_instances_file').on(t.series_id, t.file_name),
    index('imaging_instances_order').on(t.series_id, t.position, t.instance_number, t.id),
    index('imaging_instances_uid').on(t.sop_instance_uid),
  ],
);

/** What the dose reports among the objects add up; null for what they do not measure. */
export const imaging_doses = sqliteTable('imaging_doses', {
  instance_id: integer('instance_id')
    .primaryKey()
    .references(() => imaging_instances.id, { onDelete: 'cascade' }),
  /** The highest of the examination, in mGy. */
  ctdi_vol: real('ctdi_vol'),
  /** In mGy·cm. */
  dlp: real('dlp'),
  /** In Gy·cm². */
  dap: real('dap'),
  fluoroscopy_seconds: real('fluoroscopy_seconds'),
  /** In mGy. */
  glandular_dose: real('glandular_dose'),
  /** In MBq. */
  activity: real('activity'),
});

/** Measurements and key images that people save with a frame. */
export const imaging_marks = sqliteTable(
  'imaging_marks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    instance_id: integer('instance_id')
      .notNull()
      .references(() => imaging_instances.id, { onDelete: 'cascade' }),
    /** Of the object, 0-based. */
    frame: integer('frame').notNull(),
    kind: text('kind', { enum: MARK_KINDS }).notNull(),
    /** JSON: columns and rows from the center of the first pixel. */
    points: text('points').notNull(),
    /** JSON: what was measured. */
    measured: text('measured'),
    label: text('label'),
    created_by_user_id: integer('created_by_user_id').references(() => users.id, { onDelete: 'set null' }),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
  },
  (t) => [index('imaging_marks_instance').on(t.instance_id), index('imaging_marks_user').on(t.created_by_user_id)],
);

/** Other files of the archive that a study came from. Studies of one archive share them. */
export const imaging_bundle_files = sqliteTable(
  'imaging_bundle_files',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    study_id: integer('study_id')
      .notNull()
      .references(() => imaging_studies.id, { onDelete: 'cascade' }),
    /** In the bundle folder of the study; may name one folder. */
    name: text('name').notNull(),
    kind: text('kind', { enum: BUNDLE_KINDS }).notNull(),
    file_size: integer('file_size').notNull(),
    /** SHA-256, lower-case hex. */
    file_hash: text('file_hash').notNull(),
  },
  (t) => [uniqueIndex('imaging_bundle_files_name').on(t.study_id, t.name)],
);

/** Tokens with which imaging viewers read what a user may see. */
export const viewer_accesses = sqliteTable(
  'viewer_accesses',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the token, lower-case hex. */
    token_hash: text('token_hash').notNull(),
    /** Of pages that may use it. */
    origins: json<string[]>('origins').notNull(),
    created_at: text('created_at').notNull(),
    last_used_at: text('last_used_at'),
  },
  (t) => [uniqueIndex('viewer_accesses_token').on(t.token_hash), index('viewer_accesses_user').on(t.user_id)],
);
