import { CORE_LANGUAGES } from './core-languages.ts';
import { z } from 'zod';
import { documentNaming } from './document-naming.ts';
import { endpoint } from './endpoint.ts';
import { bbox, stageUsage } from './rows.ts';
import { freeText, id, idText, timestamp } from './wire.ts';

/**
 * A place that an answer cites as `[number]`. `filename` is the name that the specification gives the original file
 * name. `value` names the value as addresses of the document do (`lab:12`).
 */
const source = documentNaming.omit({ original_filename: true }).extend({
  number: z.int(),
  id,
  filename: z.string(),
  page: z.int().nullable(),
  /** The words of the page. */
  quote: z.string().nullable(),
  /** In fractions of the displayed page. */
  bbox: bbox.nullable(),
  value: z.string().nullable(),
});
export type ChatSource = z.output<typeof source>;

const message = z.object({
  id,
  patient_id: id,
  role: z.enum(['user', 'assistant']),
  /** Empty if the answer is withdrawn. */
  content: z.string(),
  sources: z.array(source),
  created_at: timestamp,
  /** What a model used for the answer; null if none was asked. */
  usage: stageUsage.nullable(),
  /** A cited document is no longer in the record of this patient, so the answer is not shown any more. */
  is_withdrawn: z.boolean(),
});
export type ChatMessage = z.output<typeof message>;

const conversation = z.object({ patient_id: idText.optional() });
const ofPatient = { patient: 'read', from: 'query.patient_id' } as const;

export const chat = {
  ask: endpoint({
    method: 'POST',
    path: '/api/chat',
    access: { patient: 'read', from: 'body.patient_id' },
    body: z.strictObject({
      patient_id: id,
      message: freeText(4000).pipe(z.string().min(1)),
      /** The language of the answer if the question does not tell its own. */
      language: z.enum(CORE_LANGUAGES).optional(),
    }),
    reply: z.object({
      id,
      response: z.string(),
      sources: z.array(source),
      created_at: timestamp,
      /** A language model worded the answer from the cited rows. */
      by_model: z.boolean(),
      /** What models used, also for an answer that was not worded by one; null if none was asked. */
      usage: stageUsage.nullable(),
    }),
    /** The sentences of a model so far, of which each is supported by the record; a later part may have less. */
    parts: z.object({ text: z.string() }),
    errors: ['chat.stopped'],
    summary:
      'Answers a question from the record of one patient, with the cited places. The answer has lines; `- ` begins ' +
      'an item of a list, and `[2]` cites the source with this number. A client that disconnects ends the work of the ' +
      'model, and nothing is kept.',
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/chat/history',
    access: ofPatient,
    query: conversation,
    reply: z.object({ messages: z.array(message) }),
    summary: 'Returns the last questions of the caller with their answers, oldest first.',
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/chat/history',
    access: ofPatient,
    query: conversation,
    reply: z.object({ cleared: z.int() }),
    summary: 'Clears the history of the caller. It can be restored until the next time, for a day.',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/chat/history/restore',
    access: ofPatient,
    query: conversation,
    reply: z.object({ restored: z.int() }),
    summary: 'Restores the history that was cleared last.',
  }),
  suggestions: endpoint({
    method: 'GET',
    path: '/api/chat/suggestions',
    access: ofPatient,
    query: z.object({ patient_id: idText, language: z.enum(CORE_LANGUAGES).default('en') }),
    /** `has_model`: a language model is set up and words answers. `has_papers`: the record has documents. */
    reply: z.object({ questions: z.array(z.string()), has_model: z.boolean(), has_papers: z.boolean() }),
    summary: 'Returns questions that the record can answer, and whether a model words the answers.',
  }),
} as const;
