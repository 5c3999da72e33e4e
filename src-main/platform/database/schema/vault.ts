import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { TRASH_KINDS } from '../../../../src-shared/contract/trash.ts';
import { flag, json } from './columns.ts';

/**
 * File moves planned by a committed transaction; applied at the next start if the process died. `from_path` and
 * `to_path` are relative to the vault; `to_path` null deletes the file.
 */
export const vault_journal = sqliteTable('vault_journal', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  from_path: text('from_path').notNull(),
  to_path: text('to_path'),
  created_at: text('created_at').notNull(),
});

/**
 * Deleted records with everything needed to restore them: rows by table in insertion order, and files with their old
 * paths.
 */
export const trash = sqliteTable(
  'trash',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: TRASH_KINDS }).notNull(),
    label: text('label').notNull(),
    patient_id: integer('patient_id'),
    /** For duplicates: the content hash of the item's only file. */
    file_hash: text('file_hash'),
    rows: json<{ table: string; rows: Record<string, unknown>[]; relink?: string }[]>('rows').notNull(),
    files: json<{ from: string; to: string }[]>('files').notNull(),
    size: integer('size').notNull(),
    deleted_by_user_id: integer('deleted_by_user_id'),
    deleted_at: text('deleted_at').notNull(),
  },
  (t) => [
    index('trash_patient').on(t.patient_id),
    index('trash_time').on(t.deleted_at),
    index('trash_hash').on(t.file_hash),
  ],
);

/** Backups: of the database alone, or of the whole vault (a snapshot in the backup folder). */
export const backups = sqliteTable(
  'backups',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: ['database', 'vault'] }).notNull(),
    /** Whether it was created on schedule and is subject to retention. */
    scheduled: flag('scheduled').notNull().default(false),
    /** Name inside the backup folder. */
    name: text('name').notNull(),
    status: text('status', { enum: ['running', 'done', 'failed'] }).notNull(),
    error_code: text('error_code'),
    files: integer('files').notNull().default(0),
    size: integer('size').notNull().default(0),
    started_at: text('started_at').notNull(),
    finished_at: text('finished_at'),
    /** When it was last read back with every hash correct. */
    verified_at: text('verified_at'),
  },
  (t) => [uniqueIndex('backups_name').on(t.name), index('backups_time').on(t.started_at)],
);

/** An integrity check of all files in the vault, in slices that survive a restart. */
export const vault_checks = sqliteTable('vault_checks', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  status: text('status', { enum: ['running', 'done', 'cancelled'] }).notNull(),
  /** Id of the last compared document. */
  position: integer('position').notNull().default(0),
  documents: integer('documents').notNull().default(0),
  files: integer('files').notNull().default(0),
  bytes: integer('bytes').notNull().default(0),
  faults: json<Record<string, unknown>[]>('faults').notNull(),
  started_at: text('started_at').notNull(),
  finished_at: text('finished_at'),
});
