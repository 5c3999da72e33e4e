import { z } from 'zod';
import { refusal } from './field-errors.ts';
import { endpoint } from './endpoint.ts';
import { freeText, timestamp } from './wire.ts';
import { PROMPT_KEYS } from './prompt-keys.ts';

export { type PromptKey } from './prompt-keys.ts';

const prompt = z.object({
  key: z.enum(PROMPT_KEYS),
  description: z.string(),
  text: z.string(),
  default_text: z.string(),
  is_custom: z.boolean(),
  updated_at: timestamp.nullable(),
});
export type Prompt = z.output<typeof prompt>;

/** Any text, so that an unknown key is not found rather than invalid. */
const keyParams = z.object({ key: z.string().max(100) });

export const prompts = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/prompts',
    access: 'admin',
    reply: z.array(prompt),
    summary: 'Lists prompts with their current and default texts.',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/settings/prompts/{key}',
    access: 'admin',
    audit: 'prompt.update',
    params: keyParams,
    body: z.strictObject({ text: freeText(20_000).refine((text) => text.trim() !== '', refusal('field.required')) }),
    reply: prompt.extend({ ok: z.literal(true) }),
    errors: ['prompt.not_found'],
    summary: 'Changes the text of a prompt.',
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/api/settings/prompts/{key}',
    access: 'admin',
    audit: 'prompt.reset',
    params: keyParams,
    reply: prompt,
    errors: ['prompt.not_found'],
    summary: 'Resets a prompt to its default text.',
  }),
} as const;
