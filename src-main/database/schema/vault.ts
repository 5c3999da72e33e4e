import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from './columns.ts';

/**
 * File changes that a committed transaction promised: redone at the next start if the process died in between.
 * `from_path` and `to_path` are relative to the vault; `to_path` null means delete.
 */
export const vault_journal = sqliteTable('vault_journal', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  from_path: text('from_path').notNull(),
  to_path: text('to_path'),
  created_at: text('created_at').notNull(),
});

/** Deleted things with what is needed to put them back: rows by table in the order of insertion, and files with the places they had. */
export const trash = sqliteTable('trash', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  kind: text('kind', { enum: ['document', 'patient', 'file'] }).notNull(),
  label: text('label').notNull(),
  patient_id: integer('patient_id'),
  /** For duplicates: content hash of the only file of the item. */
  file_hash: text('file_hash'),
  rows: json<{ table: string; rows: Record<string, unknown>[]; relink?: string }[]>('rows').notNull(),
  files: json<{ from: string; to: string }[]>('files').notNull(),
  size: integer('size').notNull(),
  deleted_by_user_id: integer('deleted_by_user_id'),
  deleted_at: text('deleted_at').notNull(),
}, (t) => [index('trash_patient').on(t.patient_id), index('trash_time').on(t.deleted_at), index('trash_hash').on(t.file_hash)]);
