import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorReference } from './errors.ts';
import { patternText, refusal } from './field-errors.ts';
import { CREDENTIAL_TYPES, LLM_TYPES, MODEL_PURPOSES, OCR_TYPES, VISION_TYPES } from './provider-types.ts';
import { isServiceAddress } from './service-address.ts';
import { civilDate, freeText } from './wire.ts';

const MAX_PROVIDERS = 50;
export const providerId = patternText(/^[\w.-]{1,64}$/, 'field.not_a_view_key');
const name = freeText(100).transform((text) => text.trim());
const shortText = freeText(200).transform((text) => text.trim());
/** An empty key keeps the saved one, null removes it. */
const key = freeText(4000)
  .transform((text) => text.trim())
  .nullish();
const address = z
  .string()
  .trim()
  .max(500)
  .refine(
    (text) => text === '' || (URL.canParse(text) && isServiceAddress(new URL(text))),
    refusal('field.not_service_address'),
  );
const seconds = z.number().min(1).max(7200);
/** Fields that a reply contains and a request may repeat, without effect. */
const repeated = z.unknown().optional();

const common = {
  /** A new entry without an id gets one. */
  id: providerId.optional(),
  name,
  enabled: z.boolean().default(true),
  credential_id: providerId.nullish().transform((value) => value ?? null),
  priority: repeated,
  reach: repeated,
};
const price = z
  .number()
  .min(0)
  .max(1_000_000)
  .nullish()
  .transform((value) => value ?? null);
/** For a million tokens; what a job used is multiplied by them. */
const prices = {
  price_in: price,
  price_out: price,
  /** Code of ISO 4217. */
  price_currency: patternText(/^([A-Z]{3})?$/, 'field.not_currency', z.string().trim()).default(''),
};
const model = {
  ...common,
  base_url: address.default(''),
  model: shortText.default(''),
  api_key: key,
  timeout: seconds.nullish().transform((value) => value ?? null),
  has_api_key: repeated,
  ...prices,
};
export const llmInput = z.strictObject({ ...model, type: z.enum(LLM_TYPES) });
const visionInput = z.strictObject({ ...model, type: z.enum(VISION_TYPES) });
const ocrInput = z.strictObject({
  ...common,
  type: z.enum(OCR_TYPES),
  remote_url: address.default(''),
  remote_api_key: key,
  google_vision_key: key,
  /** For `llm_vision`: an id or a type of the vision models, without it the first one; and another name of the model. */
  llm_provider: shortText.default(''),
  llm_model: shortText.default(''),
  timeout: seconds.nullish().transform((value) => value ?? null),
  has_remote_api_key: repeated,
  has_google_vision_key: repeated,
});
const generalType = z.enum(LLM_TYPES).exclude(['builtin']);
/** Without a type, no model is chosen. */
export const generalInput = z.strictObject({
  type: generalType.nullable(),
  credential_id: providerId.nullish().transform((value) => value ?? null),
  base_url: address.default(''),
  model: shortText.default(''),
  api_key: key,
  timeout: seconds.default(120),
  has_api_key: repeated,
  configured: repeated,
  available: repeated,
  reach: repeated,
});
const credentialInput = z.strictObject({
  id: providerId.optional(),
  name,
  type: z.enum(CREDENTIAL_TYPES),
  base_url: address.default(''),
  api_key: key,
  max_concurrent: z.int().min(1).max(64).default(2),
  max_retries: z.int().min(0).max(20).default(3),
  retry_backoff_seconds: z.array(z.number().min(0).max(86_400)).min(1).max(10).default([30, 60, 120]),
  has_api_key: repeated,
  references: repeated,
});

/** Where the data of a document goes: it stays on this computer, in the home network, or leaves both. */
const reach = z.enum(['this-computer', 'home-network', 'internet']);
const shown = { id: z.string(), name: z.string(), enabled: z.boolean(), priority: z.int(), reach };
const modelRow = {
  ...shown,
  credential_id: z.string().nullable(),
  base_url: z.string(),
  model: z.string(),
  /** Always empty: keys are never returned. */
  api_key: z.literal(''),
  has_api_key: z.boolean(),
  timeout: z.number().nullable(),
  price_in: z.number().nullable(),
  price_out: z.number().nullable(),
  price_currency: z.string(),
};
export const llmRow = z.object({ ...modelRow, type: z.enum(LLM_TYPES) });
export const visionRow = z.object({ ...modelRow, type: z.enum(VISION_TYPES) });
export const ocrRow = z.object({
  ...shown,
  type: z.enum(OCR_TYPES),
  credential_id: z.string().nullable(),
  remote_url: z.string(),
  timeout: z.number().nullable(),
  has_remote_api_key: z.boolean(),
  has_google_vision_key: z.boolean(),
  llm_provider: z.string(),
  llm_model: z.string(),
});
export const generalRow = z.object({
  type: generalType.nullable(),
  credential_id: z.string().nullable(),
  base_url: z.string(),
  model: z.string(),
  /** Always empty: keys are never returned. */
  api_key: z.literal(''),
  has_api_key: z.boolean(),
  timeout: z.number(),
  /** A model is chosen here. */
  configured: z.boolean(),
  /** A model may be used: this one, or without it one of the readers. */
  available: z.boolean(),
  reach: reach.nullable(),
});
export const credentialRow = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(CREDENTIAL_TYPES),
  base_url: z.string(),
  api_key: z.literal(''),
  has_api_key: z.boolean(),
  max_concurrent: z.int(),
  max_retries: z.int(),
  retry_backoff_seconds: z.array(z.number()),
  references: z.object({ llm: z.int(), vision: z.int(), ocr: z.int(), general: z.int(), total: z.int() }),
});
export type LlmRow = z.output<typeof llmRow>;
export type VisionRow = z.output<typeof visionRow>;
export type OcrRow = z.output<typeof ocrRow>;
export type CredentialRow = z.output<typeof credentialRow>;
export type GeneralRow = z.output<typeof generalRow>;
export type GeneralInput = z.output<typeof generalInput>;
export type LlmInput = z.output<typeof llmInput>;
export type VisionInput = z.output<typeof visionInput>;
export type OcrInput = z.output<typeof ocrInput>;
export type CredentialInput = z.output<typeof credentialInput>;

/** Models in files that Hearth runs itself. */
const localModels = z.object({
  /** Absolute path on the computer where Hearth runs. */
  folder: z.string(),
  /** Memory that is free for a model now. */
  free_bytes: z.int(),
  models: z.array(z.object({ name: z.string(), size_bytes: z.int() })),
});
export type LocalModelList = z.output<typeof localModels>;

const modelUse = z.object({
  purpose: z.enum(MODEL_PURPOSES),
  provider: z.string(),
  answers: z.int(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  /** By the prices at that time; null if there was none. */
  amount: z.number().nullable(),
  currency: z.string().nullable(),
});
export type ModelUse = z.output<typeof modelUse>;

/** A complete list in order of priority; no id may occur twice. */
const listOf = <S extends z.ZodType<{ id?: string | undefined }>>(entry: S) =>
  z
    .array(entry)
    .max(MAX_PROVIDERS)
    .refine((entries) => {
      const ids = entries.flatMap(({ id }) => id ?? []);
      return new Set(ids).size === ids.length;
    }, refusal('field.id_twice'));
const saved = z.object({ status: z.literal('saved'), count: z.int() });
const testBody = <S extends z.ZodType>(provider: S) =>
  z.union([z.strictObject({ provider_id: providerId }), z.strictObject({ provider })]);
const testReply = z.object({
  ok: z.boolean(),
  /** What was generated or read, in a few words of Hearth. */
  detail: z.string().optional(),
  /** The English text of `failure`. */
  error: z.string().optional(),
  failure: errorReference.optional(),
  /** Milliseconds until the answer was complete. */
  took_ms: z.int(),
});
export type ProviderTest = z.output<typeof testReply>;

export const SAVE_ERRORS = [
  'settings.key_unreadable',
  'provider.unknown_credential',
  'provider.credential_mismatch',
] as const;

const list = <const P extends string, S extends z.ZodType>(path: P, row: S, summary: string) =>
  endpoint({ method: 'GET', path, access: 'admin', reply: z.array(row), summary });
const replace = <const P extends string, S extends z.ZodType<{ id?: string | undefined }>>(
  path: P,
  entry: S,
  summary: string,
) =>
  endpoint({
    method: 'PUT',
    path,
    access: 'admin',
    audit: 'settings.update',
    body: listOf(entry),
    reply: saved,
    errors: SAVE_ERRORS,
    summary,
  });
const test = <const P extends string, S extends z.ZodType>(path: P, entry: S, summary: string) =>
  endpoint({
    method: 'POST',
    path,
    access: 'admin',
    body: testBody(entry),
    reply: testReply,
    errors: ['provider.not_found', ...SAVE_ERRORS],
    summary,
  });

export const providers = {
  llm: list('/api/settings/llm-providers', llmRow, 'Returns the readers of texts in order of priority.'),
  saveLlm: replace('/api/settings/llm-providers', llmInput, 'Replaces the list of readers; the first is the default.'),
  ocr: list('/api/settings/ocr-providers', ocrRow, 'Returns the engines that recognize text, in order of priority.'),
  saveOcr: replace('/api/settings/ocr-providers', ocrInput, 'Replaces the list of OCR engines.'),
  vision: list('/api/settings/vision-providers', visionRow, 'Returns the models that read pictures of pages.'),
  saveVision: replace('/api/settings/vision-providers', visionInput, 'Replaces the list of vision models.'),
  localModels: endpoint({
    method: 'GET',
    path: '/api/settings/local-models',
    access: 'admin',
    reply: localModels,
    summary: 'Returns the language models in the folder for them (GGUF files), which a provider of type local names.',
  }),
  credentials: list(
    '/api/settings/credentials',
    credentialRow,
    'Returns addresses, keys (only whether one is set) and limits that several providers share.',
  ),
  saveCredentials: endpoint({
    method: 'PUT',
    path: '/api/settings/credentials',
    access: 'admin',
    audit: 'settings.update',
    body: listOf(credentialInput),
    reply: saved,
    errors: ['settings.key_unreadable', 'provider.credential_in_use', 'provider.credential_mismatch'],
    summary: 'Replaces the shared credentials. An empty key keeps the saved one, null removes it.',
  }),
  general: endpoint({
    method: 'GET',
    path: '/api/settings/general-llm',
    access: 'admin',
    reply: generalRow,
    summary: 'Returns the model for questions, translations, edits and suggestions.',
  }),
  saveGeneral: endpoint({
    method: 'PUT',
    path: '/api/settings/general-llm',
    access: 'admin',
    audit: 'settings.update',
    body: generalInput,
    reply: z.object({ status: z.literal('saved') }),
    errors: SAVE_ERRORS,
    summary: 'Chooses that model; without a type, the models that read documents are used in their order.',
  }),
  modelUsage: endpoint({
    method: 'GET',
    path: '/api/settings/model-usage',
    access: 'admin',
    reply: z.object({ since: civilDate, uses: z.array(modelUse) }),
    summary:
      'Returns what models used in the last 30 days, for each purpose and provider. Questions and documents are not ' +
      'told apart, and neither are people.',
  }),
  testLlm: test('/api/settings/test-llm-provider', llmInput, 'Lets a saved or new reader generate a short answer.'),
  testOcr: test('/api/settings/test-ocr-provider', ocrInput, 'Lets a saved or new engine read a small picture.'),
  testVision: test('/api/settings/test-vision-provider', visionInput, 'Lets a model describe a small picture.'),
} as const;
