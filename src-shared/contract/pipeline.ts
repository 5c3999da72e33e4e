import { z } from 'zod';
import { errorReference } from './errors.ts';
import { endpoint } from './endpoint.ts';
import { jobKind } from './job-kinds.ts';
import { id, timestamp } from './wire.ts';

const currentJob = z.object({
  doc_id: id,
  filename: z.string(),
  kind: jobKind,
  stage: z.string().nullable(),
  page_current: z.int().nullable(),
  page_total: z.int().nullable(),
  stages_planned: z.array(z.string()),
  stages_done: z.array(z.string()),
  started_at: timestamp,
});

export const pipelineStatus = z.object({
  queue_depth: z.int(),
  processing: z.string().nullable(),
  processing_step: z.string().nullable(),
  processing_doc_id: id.nullable(),
  processing_pages: z.int().nullable(),
  processing_page_current: z.int().nullable(),
  total_processed: z.int(),
  total_errors: z.int(),
  recent_errors: z.array(
    z.object({
      doc_id: id,
      filename: z.string(),
      stage: z.string().nullable(),
      message: z.string(),
      /** The error that `message` describes in English; absent for errors of older versions. */
      error: errorReference.optional(),
      at: timestamp,
    }),
  ),
  queued_files: z.array(z.object({ filename: z.string(), size: z.int() })),
  current_job: currentJob.nullable(),
  queued_jobs: z.array(z.object({ kind: jobKind, label: z.string(), doc_id: id })),
  llm_queues: z.array(z.object({ provider_id: z.string(), running: z.int(), waiting: z.int() })),
  watcher_active: z.boolean(),
  auto_stopped: z.boolean(),
  auto_stop_reason: z.string().nullable(),
  /** The error that `auto_stop_reason` describes in English. */
  auto_stop_error: errorReference.nullable(),
  /** False after reading was stopped, by a user or automatically. */
  running: z.boolean(),
});
export type PipelineStatus = z.output<typeof pipelineStatus>;

export const pipeline = {
  status: endpoint({
    method: 'GET',
    path: '/api/pipeline/status',
    access: 'session',
    reply: pipelineStatus,
    summary:
      'Returns the running and waiting jobs. Documents that the caller may not see are left out; ' +
      'administrators see their number.',
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/pipeline/events',
    access: 'session',
    reply: 'live',
    summary: 'Server-sent events: progress and changes as they happen.',
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/pipeline/start',
    access: 'admin',
    reply: pipelineStatus.extend({ status: z.enum(['started', 'already_running']) }),
    summary: 'Resumes reading.',
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/pipeline/stop',
    access: 'admin',
    reply: pipelineStatus.extend({ status: z.enum(['stopped', 'already_stopped']) }),
    summary: 'Stops reading. The running job goes back to the queue.',
  }),
} as const;
