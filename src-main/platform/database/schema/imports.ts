import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import {
  IMPORT_ITEM_KINDS,
  IMPORT_ITEM_STATUSES,
  IMPORT_KINDS,
  IMPORT_STATUSES,
} from '../../../../src-shared/contract/import-kinds.ts';
import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import { patients, users } from './accounts.ts';
import { json } from './columns.ts';

/** What an archive says of a document beside its file, in the words of the archive. */
export type DocumentDetails = Pick<
  DocumentChanges,
  'title' | 'doc_type' | 'doctor_name' | 'facility_name' | 'tags' | 'user_notes'
>;

/** What an import knows of an item before it stores it. */
export interface ImportDetails {
  document?: DocumentDetails;
  /** Where it comes from, for the notes of the document. */
  origin?: string;
  /** Civil date. */
  date?: string;
  /** The name that the document gets. */
  filename?: string;
  /** Hexadecimal MD5 or SHA-256 of the file, as exported. */
  checksum?: string;
  /** Another form of the same document, which is stored if the original can't be read. */
  archive?: { member: string; checksum?: string };
  /** Measurements: the mean of each day is stored instead of each value. */
  daily?: boolean;
}

/** Imports of archives: found by a preview, then stored item by item, so that a restart goes on where it was. */
export const archive_imports = sqliteTable(
  'archive_imports',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: IMPORT_KINDS }).notNull(),
    /** Absolute path on the computer. */
    source: text('source').notNull(),
    patient_id: integer('patient_id')
      .notNull()
      .references(() => patients.id, { onDelete: 'cascade' }),
    /** Null for the command line. */
    user_id: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    status: text('status', { enum: IMPORT_STATUSES }).notNull(),
    error_code: text('error_code'),
    created_at: text('created_at').notNull(),
    finished_at: text('finished_at'),
  },
  (t) => [index('archive_imports_patient').on(t.patient_id)],
);

export const archive_import_items = sqliteTable(
  'archive_import_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    import_id: integer('import_id')
      .notNull()
      .references(() => archive_imports.id, { onDelete: 'cascade' }),
    /** Path within the source, or the type of measurements. */
    member: text('member').notNull(),
    kind: text('kind', { enum: IMPORT_ITEM_KINDS }).notNull(),
    details: json<ImportDetails>('details').notNull(),
    status: text('status', { enum: IMPORT_ITEM_STATUSES }).notNull(),
    code: text('code'),
    params: json<Record<string, string | number>>('params'),
    count: integer('count').notNull().default(0),
    /** Documents that were stored, or the one that has this content already. */
    document_ids: json<number[]>('document_ids').notNull(),
    /** Results that were stored. */
    result_ids: json<number[]>('result_ids').notNull(),
    /** When storing it began: a second try after a crash takes what the first one stored for its own. */
    started_at: text('started_at'),
  },
  (t) => [index('archive_import_items_status').on(t.import_id, t.status)],
);
