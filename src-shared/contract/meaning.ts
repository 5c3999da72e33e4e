import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorReference } from './errors.ts';
import { EMBEDDING_TYPES } from './provider-types.ts';
import { generalInput, generalRow, SAVE_ERRORS } from './providers.ts';

const type = z.enum(EMBEDDING_TYPES).nullable();
/** Without a type, no model is chosen. */
const embeddingInput = generalInput.extend({
  type,
  state: z.unknown().optional(),
  failure: z.unknown().optional(),
});
const embeddingRow = generalRow.extend({
  type,
  /** Vectors can be compared on this computer: there is a build of sqlite-vec for it. */
  available: z.boolean(),
  /** `waiting`: the model can’t be used now, and `failure` says why; it is tried again. */
  state: z.enum(['off', 'filling', 'complete', 'waiting']),
  /** Why it waits, or why a document was left out. */
  failure: errorReference.nullable(),
});
export type EmbeddingInput = z.output<typeof embeddingInput>;
export type EmbeddingRow = z.output<typeof embeddingRow>;

export const meaning = {
  show: endpoint({
    method: 'GET',
    path: '/api/settings/embedding-model',
    access: 'admin',
    reply: embeddingRow,
    summary: 'Returns the model that lets questions find passages by their meaning.',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/settings/embedding-model',
    access: 'admin',
    audit: 'settings.update',
    body: embeddingInput,
    reply: z.object({ status: z.literal('saved') }),
    errors: [...SAVE_ERRORS, 'chat.no_vectors'],
    summary: 'Chooses that model. Vectors of another one are made anew; without a type they are deleted.',
  }),
} as const;
