import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ErrorReference } from '../../../../src-shared/contract/errors.ts';
import { patients, users } from './accounts.ts';
import { json } from './columns.ts';
import { documents } from './documents.ts';

export const shares = sqliteTable(
  'shares',
  {
    share_id: text('share_id').primaryKey(),
    token_hash: text('token_hash').notNull().unique(),
    token_encrypted: text('token_encrypted').notNull(),
    /** Scheme, host and port of the link that was given out last; null for shares of versions that did not store it. */
    link_origin: text('link_origin'),
    patient_id: integer('patient_id')
      .notNull()
      .references(() => patients.id, { onDelete: 'cascade' }),
    recipient_label: text('recipient_label').notNull(),
    recipient_contact: text('recipient_contact'),
    otp_delivery: text('otp_delivery', { enum: ['manual', 'email'] })
      .notNull()
      .default('manual'),
    default_ocr_provider_id: text('default_ocr_provider_id'),
    default_llm_provider_id: text('default_llm_provider_id'),
    /** Wrong codes since a right one opened the share, and since its creation or reopening. */
    failed_codes: integer('failed_codes').notNull().default(0),
    wrong_codes: integer('wrong_codes').notNull().default(0),
    expires_at: text('expires_at').notNull(),
    revoked_at: text('revoked_at'),
    created_by: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('shares_patient').on(t.patient_id)],
);

export const share_documents = sqliteTable(
  'share_documents',
  {
    share_id: text('share_id')
      .notNull()
      .references(() => shares.share_id, { onDelete: 'cascade' }),
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
  },
  (t) => [primaryKey({ columns: [t.share_id, t.document_id] }), index('share_documents_document').on(t.document_id)],
);

export const share_codes = sqliteTable(
  'share_codes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    share_id: text('share_id')
      .notNull()
      .references(() => shares.share_id, { onDelete: 'cascade' }),
    code_hash: text('code_hash').notNull(),
    /** The current code in plain text, encrypted, so that the owner can read it aloud; null once used or replaced. */
    code_encrypted: text('code_encrypted'),
    attempts: integer('attempts').notNull().default(0),
    used_at: text('used_at'),
    expires_at: text('expires_at').notNull(),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('share_codes_share').on(t.share_id, t.id)],
);

export const share_sessions = sqliteTable(
  'share_sessions',
  {
    rowid: integer('rowid').primaryKey({ autoIncrement: true }),
    session_hash: text('session_hash').notNull().unique(),
    share_id: text('share_id')
      .notNull()
      .references(() => shares.share_id, { onDelete: 'cascade' }),
    client_ip: text('client_ip'),
    user_agent: text('user_agent'),
    created_at: text('created_at').notNull(),
    last_seen_at: text('last_seen_at').notNull(),
    expires_at: text('expires_at').notNull(),
    ended_at: text('ended_at'),
  },
  (t) => [index('share_sessions_share').on(t.share_id)],
);

export const share_queue = sqliteTable(
  'share_queue',
  {
    rowid: integer('rowid').primaryKey({ autoIncrement: true }),
    token_hash: text('token_hash').notNull().unique(),
    share_id: text('share_id')
      .notNull()
      .references(() => shares.share_id, { onDelete: 'cascade' }),
    client_ip: text('client_ip'),
    user_agent: text('user_agent'),
    created_at: text('created_at').notNull(),
    queue_expires_at: text('queue_expires_at').notNull(),
  },
  (t) => [index('share_queue_share').on(t.share_id)],
);

/** Requests and wrong codes of the last day, by which limits count. Keys are keyed hashes of addresses and links. */
export const share_attempts = sqliteTable(
  'share_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind').notNull(),
    key: text('key').notNull(),
    created_at: text('created_at').notNull(),
  },
  (t) => [
    index('share_attempts_key').on(t.kind, t.key, t.created_at),
    index('share_attempts_created').on(t.created_at),
  ],
);

/**
 * SMART Health Links of shares. Neither the address nor the key of one is stored: what the vault holds of its content
 * is ciphertext.
 */
export const share_health_links = sqliteTable(
  'share_health_links',
  {
    /** Also the name of the folder with its files. */
    link_id: text('link_id').primaryKey(),
    share_id: text('share_id')
      .notNull()
      .references(() => shares.share_id, { onDelete: 'cascade' }),
    /** Of the random part of the address. */
    token_hash: text('token_hash').notNull().unique(),
    /** Scheme, host and port of the address; null for links of versions that did not store it. */
    origin: text('origin'),
    label: text('label').notNull(),
    document_ids: json<number[]>('document_ids').notNull(),
    passcode_hash: text('passcode_hash'),
    /** Wrong passcodes that are still allowed in its life-time; null without a passcode. */
    tries_left: integer('tries_left'),
    /** How often it may still be opened; null if there is no limit. */
    uses_left: integer('uses_left'),
    /** Characters of each encrypted file; null until all are written. */
    file_sizes: json<number[]>('file_sizes'),
    /** Why it could not be made, as code and parameters, and with which document. */
    failure: json<ErrorReference & { document_id: number | null }>('failure'),
    opened_count: integer('opened_count').notNull().default(0),
    last_opened_at: text('last_opened_at'),
    expires_at: text('expires_at').notNull(),
    revoked_at: text('revoked_at'),
    created_by: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('share_health_links_share').on(t.share_id)],
);

/** What the household's own process translates for recipients of a second process, and that there is such a process. */
export const share_translation_offer = sqliteTable('share_translation_offer', {
  id: integer('id').primaryKey(),
  offer: json<unknown>('offer').notNull(),
  valid_until: text('valid_until').notNull(),
});

export const share_audit = sqliteTable(
  'share_audit',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    share_id: text('share_id').notNull(),
    action: text('action').notNull(),
    document_id: integer('document_id'),
    session_id: integer('session_id'),
    client_ip: text('client_ip'),
    user_agent: text('user_agent'),
    details: json<Record<string, unknown>>('details'),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('share_audit_share').on(t.share_id, t.id)],
);
