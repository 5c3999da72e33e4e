import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { JOB_KINDS } from '../../../../src-shared/contract/job-kinds.ts';
import { STAGE_STATUSES, type StageUsage } from '../../../../src-shared/contract/rows.ts';
import { json } from './columns.ts';
import { documents } from './documents.ts';

/**
 * The durable queue. A row is deleted when its job ends; a row in state `running` at startup was interrupted and is
 * queued again.
 */
export const jobs = sqliteTable(
  'jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind', { enum: JOB_KINDS }).notNull(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    /** Lower runs first: 0 for reprocess and translate, 5 for uploads, 10 for retry-all. */
    priority: integer('priority').notNull(),
    /** Within a priority the smallest file runs first. */
    size: integer('size').notNull(),
    state: text('state', { enum: ['queued', 'running'] })
      .notNull()
      .default('queued'),
    /** Options of the request (mode, provider ids, page, box …). */
    options: json<Record<string, unknown>>('options').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** The job is not started before this timestamp. */
    not_before: text('not_before'),
    created_at: text('created_at').notNull(),
    started_at: text('started_at'),
  },
  (t) => [index('jobs_order').on(t.state, t.priority, t.size, t.id), index('jobs_document').on(t.document_id)],
);

/**
 * The result of a stage by its cache key (stage version and hashes of its inputs), so that a restart continues after
 * the last finished stage.
 */
export const job_artifacts = sqliteTable(
  'job_artifacts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    key: text('key').notNull(),
    data: json<unknown>('data').notNull(),
  },
  (t) => [index('job_artifacts_document').on(t.document_id, t.name)],
);

export const stage_events = sqliteTable(
  'stage_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    document_id: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    stage: text('stage').notNull(),
    status: text('status', { enum: STAGE_STATUSES }).notNull(),
    job_kind: text('job_kind', { enum: JOB_KINDS }).notNull(),
    message: text('message'),
    page_current: integer('page_current'),
    page_total: integer('page_total'),
    /** What models used; null if none was asked. */
    usage: json<StageUsage>('usage'),
    started_at: text('started_at').notNull(),
    finished_at: text('finished_at'),
  },
  (t) => [index('stage_events_document').on(t.document_id, t.id)],
);

/** Totals and the pause switch, one row each. */
export const pipeline_state = sqliteTable('pipeline_state', {
  key: text('key').primaryKey(),
  value: json<unknown>('value').notNull(),
});
