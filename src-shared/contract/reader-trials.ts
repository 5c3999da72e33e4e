import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorReference } from './errors.ts';
import { PROMPT_KEYS } from './prompt-keys.ts';
import { llmInput, providerId } from './providers.ts';
import { stageUsage } from './rows.ts';
import { freeText, id } from './wire.ts';

const trialField = z.object({
  kind: z.enum(['details', 'lab_results', 'medications', 'vaccinations', 'diagnoses']),
  /** A field of the document, or the printed name of a row. */
  name: z.string(),
  /** Null if only the other one has it. */
  stored: z.string().nullable(),
  found: z.string().nullable(),
  is_same: z.boolean(),
});
export type TrialField = z.output<typeof trialField>;

const readerTrial = z.object({
  document_id: id,
  original_filename: z.string(),
  took_ms: z.int(),
  /** Why it could not read. */
  failure: errorReference.nullable(),
  fields: z.array(trialField),
  /** How many of the fields are as stored. */
  same: z.int(),
});
export type ReaderTrial = z.output<typeof readerTrial>;

/** Documents of one trial. */
export const MAX_TRIED_DOCUMENTS = 5;

const promptText = freeText(20_000).optional();
const promptTexts = Object.fromEntries(PROMPT_KEYS.map((key) => [key, promptText])) as Record<
  (typeof PROMPT_KEYS)[number],
  typeof promptText
>;

const common = {
  document_ids: z.array(id).min(1).max(MAX_TRIED_DOCUMENTS),
  /** Texts of prompts in place of those in use. */
  prompts: z.strictObject(promptTexts).optional(),
};

export const readerTrials = {
  tryReader: endpoint({
    method: 'POST',
    path: '/api/settings/try-llm-provider',
    access: 'admin',
    audit: 'document.trial',
    body: z.union([
      z.strictObject({ provider_id: providerId, ...common }),
      z.strictObject({ provider: llmInput, ...common }),
    ]),
    reply: z.object({ trials: z.array(readerTrial), usage: stageUsage.nullable() }),
    errors: [
      'document.not_found',
      'provider.not_found',
      'provider.unknown_credential',
      'provider.credential_mismatch',
      'settings.key_unreadable',
    ],
    summary:
      'Lets a saved or new reader, perhaps with other prompts, read the text of up to five documents that the caller ' +
      'may change, and compares each value with what is stored. Nothing is changed.',
  }),
} as const;
