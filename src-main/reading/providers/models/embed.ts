import type { Embedded } from '../local/llama-tasks.ts';
import { BadAnswer, type ModelAccess, type ServiceCall } from './model.ts';

/** Makes vectors once, through the client of the vendor. */
export type EmbedTexts = (access: ModelAccess, texts: readonly string[], call: ServiceCall) => Promise<Embedded>;

/** Ollama's `/api/embed`. What is longer than the context of the model is represented by its beginning. */
export const embedByOllama: EmbedTexts = async ({ baseUrl, apiKey, model }, texts, { fetch }) => {
  const { Ollama } = await import('ollama');
  const client = new Ollama({
    host: baseUrl,
    fetch,
    ...(apiKey !== '' && { headers: { authorization: `Bearer ${apiKey}` } }),
  });
  const { embeddings, prompt_eval_count } = await client.embed({ model, input: [...texts], truncate: true });
  return checked({ vectors: embeddings, tokensIn: prompt_eval_count ?? 0 }, texts);
};

/** Servers without keys still get a header, since the client wants one. */
const NO_KEY = 'none';

/** OpenAI's Embeddings, also of vLLM and other servers that speak it. */
export const embedByOpenAi: EmbedTexts = async ({ baseUrl, apiKey, model }, texts, { fetch, signal }) => {
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey === '' ? NO_KEY : apiKey,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch,
  });
  const reply = await client.embeddings.create({ model, input: [...texts], encoding_format: 'float' }, { signal });
  if (!Array.isArray(reply.data)) throw new BadAnswer();
  const ordered = reply.data.toSorted((a, b) => a.index - b.index);
  const vectors = ordered.map(({ embedding }) => embedding);
  return checked({ vectors, tokensIn: reply.usage?.prompt_tokens ?? 0 }, texts);
};

/** More dimensions than any model has. */
const MAX_DIMENSIONS = 16_384;

/** One vector of finite numbers for each text, all of the same length. @throws BadAnswer for anything else */
function checked(embedded: Embedded, texts: readonly string[]): Embedded {
  const { vectors } = embedded;
  if (!Array.isArray(vectors) || vectors.length !== texts.length) throw new BadAnswer();
  const length = vectors[0]?.length ?? 0;
  const isVector = (vector: unknown): boolean =>
    Array.isArray(vector) && vector.length === length && vector.every((value) => Number.isFinite(value));
  if (length === 0 || length > MAX_DIMENSIONS || !vectors.every(isVector)) throw new BadAnswer();
  return embedded;
}
