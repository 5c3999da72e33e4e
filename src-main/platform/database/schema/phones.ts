import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, json } from './columns.ts';
import { documents } from './documents.ts';

/** Discovered phone backups. The index of each is a separate file. */
export const phone_backups = sqliteTable('phone_backups', {
  /** The name of the backup's folder. */
  id: text('id').primaryKey(),
  /** Absolute path. */
  folder: text('folder').notNull(),
  display_name: text('display_name'),
  device_name: text('device_name'),
  product_version: text('product_version'),
  product_type: text('product_type'),
  product_name: text('product_name'),
  serial_number: text('serial_number'),
  phone_number: text('phone_number'),
  is_encrypted: flag('is_encrypted').notNull(),
  is_full_backup: flag('is_full_backup'),
  is_missing: flag('is_missing').notNull().default(false),
  size_bytes: integer('size_bytes').notNull(),
  problems: json<string[]>('problems').notNull(),
  last_backup_at: text('last_backup_at'),
  last_modified_at: text('last_modified_at'),
  decrypted_at: text('decrypted_at'),
  last_indexed_at: text('last_indexed_at'),
  index_failed: flag('index_failed').notNull().default(false),
  found_at: text('found_at').notNull(),
});

/**
 * Files sent to the vault, so that the user sees what was sent before. Browsers also open backups that were not
 * discovered.
 */
export const phone_sent = sqliteTable(
  'phone_sent',
  {
    /** The name of the backup's folder. */
    backup_id: text('backup_id').notNull(),
    file_id: text('file_id').notNull(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    sent_at: text('sent_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.backup_id, t.file_id] }), index('phone_sent_document').on(t.document_id)],
);
