import { z } from 'zod';
import { NAME_TYPES } from './name-types.ts';
import { backupProgress } from './vault-backups.ts';
import { documentStatus } from './rows.ts';
import { pipelineStatus } from './pipeline.ts';
import { id } from './wire.ts';

/** Messages of `GET /api/pipeline/events`, one union with `kind`. Each subscriber gets only what they may see. */
export const liveMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pipeline'), status: pipelineStatus }),
  z.object({
    kind: z.literal('document'),
    document_id: id,
    patient_id: id.nullable(),
    status: documentStatus.nullable(),
    change: z.enum(['created', 'updated', 'deleted']),
  }),
  z.object({
    kind: z.literal('event'),
    event_id: id,
    patient_id: id,
    change: z.enum(['created', 'updated', 'deleted']),
  }),
  /** Names of a type changed; the message does not say which records are affected. */
  z.object({ kind: z.literal('names'), type: z.enum(NAME_TYPES) }),
  z.object({
    kind: z.literal('progress'),
    document_id: id,
    patient_id: id.nullable(),
    stage: z.string(),
    page_current: z.int().nullable(),
    page_total: z.int().nullable(),
  }),
  z.object({
    kind: z.literal('check'),
    status: z.enum(['running', 'done', 'cancelled']),
    documents: z.int(),
    total: z.int(),
    fault_count: z.int(),
  }),
  /** The service for recipients of shares, or its tunnel, has another state. */
  z.object({ kind: z.literal('shares') }),
  z.object({ kind: z.literal('backup'), progress: backupProgress.nullable() }),
]);
export type LiveMessage = z.output<typeof liveMessage>;
