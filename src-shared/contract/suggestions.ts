import { z } from 'zod';
import { documents } from './documents.ts';
import { documentType } from './document-naming.ts';
import { endpoint } from './endpoint.ts';
import { MODEL_ERRORS } from './error-codes-of-providers.ts';
import { EVENT_TYPES } from './event-types.ts';
import { refusal } from './field-errors.ts';
import { linkType, stageUsage } from './rows.ts';
import { civilDate, freeText, id, idParams } from './wire.ts';
import { EDITABLE_BY_MODEL } from './model-fields.ts';

export { EDITABLE_BY_MODEL, type EditableByModel } from './model-fields.ts';

/** Where a proposed value is from: the words of the person, a page, or neither. */
const support = z.enum(['instruction', 'page', 'none']);
const change = z.object({
  from: z.string().nullable(),
  to: z.string().nullable(),
  support,
  /** The page that has the value. */
  page: z.int().nullable(),
});
export type ProposedChange = z.output<typeof change>;
/** `high` if the model is sure and what it names is there, otherwise `review`. */
const confidence = z.enum(['high', 'review']);
/** What the model used; null if it was not asked. */
const usage = stageUsage.nullable();
const provider = freeText(100).nullish();

/** What a language model proposes about documents. Nothing of it is stored: a person decides. */
export const suggestions = {
  editWithAi: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/edit-with-ai',
    access: { document: 'write' },
    params: idParams,
    body: z.strictObject({
      instruction: freeText(2000).refine((text) => text.trim() !== '', refusal('field.required')),
      llm_provider_id: provider,
    }),
    reply: z.object({
      status: z.enum(['proposed', 'unchanged']),
      mode: z.literal('metadata'),
      document_id: id,
      changes: z.partialRecord(z.enum(EDITABLE_BY_MODEL), change),
      /** The body for the change of the document that does all of it. */
      patch: documents.update.body,
      /** What the model says is missing or unclear. */
      missing: z.string().nullable(),
      usage,
    }),
    errors: ['document.not_found', ...MODEL_ERRORS],
    summary:
      'Proposes changes of the details of a document from an instruction in plain words, each with its present value ' +
      'and where the new one is from. Nothing changes: `patch` is the body for PATCH /api/documents/{id}.',
  }),
  links: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/suggest-links',
    access: { document: 'write' },
    params: idParams,
    reply: z.object({
      suggestions: z.array(
        z.object({
          document_id: id,
          link_type: linkType,
          confidence,
          reason: z.string(),
          original_filename: z.string(),
          title: z.string().nullable(),
          doc_type: documentType.nullable(),
          event_date: civilDate.nullable(),
        }),
      ),
      usage,
    }),
    errors: ['document.not_found', ...MODEL_ERRORS],
    summary: 'Proposes links to other documents of the same patient, each with a reason. Nothing is linked.',
  }),
  event: endpoint({
    method: 'POST',
    path: '/api/events/suggest-for-document/{id}',
    access: { document: 'write' },
    params: idParams,
    reply: z.object({
      existing_event_id: id.nullable(),
      confidence: confidence.nullable(),
      reason: z.string().nullable(),
      new_event_suggestion: z
        .object({
          title: z.string(),
          event_type: z.enum(EVENT_TYPES),
          description: z.string().nullable(),
          date_start: civilDate.nullable(),
        })
        .nullable(),
      matched_event: z.object({ id, title: z.string(), date_start: civilDate.nullable() }).nullable(),
      usage,
    }),
    errors: ['document.not_found', ...MODEL_ERRORS],
    summary: 'Proposes the event of a document: one of its patient, or a new one. Nothing is stored.',
  }),
} as const;
