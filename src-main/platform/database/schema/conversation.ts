import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ModelPurpose } from '../../../../src-shared/contract/provider-types.ts';
import type { StageUsage } from '../../../../src-shared/contract/rows.ts';
import { patients, users } from './accounts.ts';
import { json } from './columns.ts';

export const chat_messages = sqliteTable(
  'chat_messages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    patient_id: integer('patient_id')
      .notNull()
      .references(() => patients.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['user', 'assistant'] }).notNull(),
    content: text('content').notNull(),
    sources: json<unknown[]>('sources'),
    /** What models used for an answer; null if none was asked. */
    usage: json<StageUsage>('usage'),
    created_at: text('created_at').notNull(),
    /** When the user cleared the history; the messages can be restored for a day. */
    cleared_at: text('cleared_at'),
  },
  (t) => [index('chat_messages_conversation').on(t.user_id, t.patient_id, t.id)],
);

/** Patients whose records assistants on this computer may read, and the owner who allowed it. */
export const assistant_patients = sqliteTable(
  'assistant_patients',
  {
    patient_id: integer('patient_id')
      .primaryKey()
      .references(() => patients.id, { onDelete: 'cascade' }),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    created_at: text('created_at').notNull(),
  },
  (t) => [index('assistant_patients_user').on(t.user_id)],
);

export const prompts = sqliteTable('prompts', {
  key: text('key').primaryKey(),
  text: text('text').notNull(),
  updated_at: text('updated_at').notNull(),
});

/** What models used in a day, without whose data it was for. */
export const model_usage = sqliteTable(
  'model_usage',
  {
    /** UTC. */
    day: text('day').notNull(),
    purpose: text('purpose').$type<ModelPurpose>().notNull(),
    /** The name that its owner gave it. */
    provider: text('provider').notNull(),
    /** Empty without a price. */
    currency: text('currency').notNull(),
    answers: integer('answers').notNull(),
    tokens_in: integer('tokens_in').notNull(),
    tokens_out: integer('tokens_out').notNull(),
    /** By the price of the day; null without one. */
    amount: real('amount'),
  },
  (t) => [primaryKey({ columns: [t.day, t.purpose, t.provider, t.currency] })],
);

/** LLM, OCR and vision providers and shared credentials, in order; secret fields are encrypted. */
export const providers = sqliteTable(
  'providers',
  {
    kind: text('kind', { enum: ['llm', 'ocr', 'vision', 'general', 'embedding', 'credential'] }).notNull(),
    id: text('id').notNull(),
    position: integer('position').notNull(),
    type: text('type').notNull(),
    settings: json<Record<string, unknown>>('settings').notNull(),
  },
  (t) => [index('providers_order').on(t.kind, t.position)],
);
