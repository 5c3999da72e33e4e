import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, json } from './columns.ts';

export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Compared without case (`username_key`), shown as entered. */
    username: text('username').notNull(),
    username_key: text('username_key').notNull(),
    display_name: text('display_name').notNull(),
    /** argon2id, PHC string; null for accounts that sign in by OIDC only. */
    password_hash: text('password_hash'),
    role: text('role', { enum: ['admin', 'editor', 'viewer'] }).notNull(),
    oidc_issuer: text('oidc_issuer'),
    oidc_subject: text('oidc_subject'),
    created_at: text('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('users_username').on(t.username_key),
    uniqueIndex('users_oidc').on(t.oidc_issuer, t.oidc_subject),
  ],
);

export const sessions = sqliteTable(
  'sessions',
  {
    session_id: text('session_id').primaryKey(),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    created_at: text('created_at').notNull(),
    last_active_at: text('last_active_at').notNull(),
    expires_at: text('expires_at').notNull(),
    ip_address: text('ip_address').notNull(),
    user_agent: text('user_agent').notNull(),
    revoked_at: text('revoked_at'),
  },
  (t) => [index('sessions_user').on(t.user_id)],
);

/** Public keys with which users sign in (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Base64url, as authenticators send it. */
    credential_id: text('credential_id').notNull(),
    /** COSE key. */
    public_key: blob('public_key', { mode: 'buffer' }).notNull(),
    /** Signature counter of the authenticator; stays 0 for those that have none. */
    counter: integer('counter').notNull(),
    transports: json<string[]>('transports').notNull(),
    synced: flag('synced').notNull(),
    /** The host name for which the passkey was made: it works there only. */
    rp_id: text('rp_id').notNull(),
    /** Random and the same for all passkeys of a user: authenticators show it to nobody, and it names nobody. */
    user_handle: text('user_handle').notNull(),
    created_at: text('created_at').notNull(),
    last_used_at: text('last_used_at'),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credential_id), index('passkeys_user').on(t.user_id)],
);

export const patients = sqliteTable(
  'patients',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    slug: text('slug').notNull(),
    display_name: text('display_name').notNull(),
    date_of_birth: text('date_of_birth'),
    sex: text('sex', { enum: ['M', 'F', 'O'] }),
    created_at: text('created_at').notNull(),
  },
  (t) => [uniqueIndex('patients_slug').on(t.slug), index('patients_name').on(t.display_name)],
);

export const patient_access = sqliteTable(
  'patient_access',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    patient_id: integer('patient_id')
      .notNull()
      .references(() => patients.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'viewer'] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.patient_id] }), index('patient_access_patient').on(t.patient_id)],
);

export const audit_log = sqliteTable(
  'audit_log',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    user_id: integer('user_id'),
    username: text('username'),
    action: text('action').notNull(),
    resource_type: text('resource_type'),
    resource_id: text('resource_id'),
    details: json<Record<string, unknown>>('details'),
    ip_address: text('ip_address'),
    created_at: text('created_at').notNull(),
  },
  (t) => [
    index('audit_log_time').on(t.created_at, t.id),
    index('audit_log_action').on(t.action, t.id),
    index('audit_log_user').on(t.user_id, t.id),
  ],
);

/** Settings saved in Hearth, by configuration key; secrets are encrypted before they are stored. */
export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: json<unknown>('value').notNull(),
  updated_at: text('updated_at').notNull(),
});

export const view_preferences = sqliteTable(
  'view_preferences',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    view_key: text('view_key').notNull(),
    preferences: json<{ visible: string[]; order: string[] }>('preferences').notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.view_key] })],
);
