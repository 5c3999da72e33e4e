import { availableParallelism } from 'node:os';
import type { Llama, LlamaContext, LlamaContextSequence, LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp';
import { fail } from '../../../platform/kernel/errors.ts';
import { serveTasks } from '../../../platform/kernel/serve-tasks.ts';
import type { ModelAnswer } from '../models/model.ts';
import { grammarSchemaOf } from './grammar-schema.ts';
import type { AnswerTask, Embedded, EmbedTask, LlamaTask } from './llama-tasks.ts';

/**
 * Runs a model of a GGUF file with llama.cpp. One model is in memory at a time, with one context; both stay until a
 * task needs another one, or until the process ends.
 */

interface Loaded {
  path: string;
  llama: Llama;
  model: LlamaModel;
  context: { context: LlamaContext; sequence: LlamaContextSequence } | null;
  embedding: LlamaEmbeddingContext | null;
}

/** Letters of a token, at least, in the languages of documents. */
const LETTERS_PER_TOKEN = 3;
/** For what the chat form of a model puts around the texts. */
const FORM_TOKENS = 256;
const CONTEXT_STEP = 1024;
const EMBEDDING_CONTEXT = 512;
/** Not needed for long enough to keep a core busy: with as many threads as cores, each waits for the others. */
const THREADS = Math.max(1, availableParallelism() - 1);
const GIGABYTE = 1e9;

let loaded: Loaded | null = null;

serveTasks<LlamaTask>(async (task) => ({ value: await (task.kind === 'embed' ? embed(task) : answer(task)) }));

async function answer({ path, availableBytes, system, user, schema, maxTokens }: AnswerTask): Promise<ModelAnswer> {
  const estimated = Math.ceil((system.length + user.length) / LETTERS_PER_TOKEN) + maxTokens + FORM_TOKENS;
  const current = await load(path, availableBytes, estimated);
  const { LlamaChat } = await importLlama();
  const tokensIn = current.model.tokenize(system).length + current.model.tokenize(user).length + FORM_TOKENS;
  const sequence = await sequenceOf(current, tokensIn + maxTokens);
  const grammar = schema && (await current.llama.createGrammarForJsonSchema(grammarSchemaOf(schema)));
  let tokensOut = 0;
  const { response, metadata } = await new LlamaChat({ contextSequence: sequence }).generateResponse(
    [
      { type: 'system', text: system },
      { type: 'user', text: user },
      { type: 'model', response: [] },
    ],
    {
      ...{ maxTokens, temperature: 0, budgets: { thoughtTokens: 0 }, ...(grammar && { grammar }) },
      onToken: (tokens) => void (tokensOut += tokens.length),
    },
  );
  return { text: response, isCut: metadata.stopReason === 'maxTokens', tokensIn, tokensOut };
}

async function embed({ path, availableBytes, texts }: EmbedTask): Promise<Embedded> {
  const current = await load(path, availableBytes, EMBEDDING_CONTEXT);
  const contextSize = Math.min(EMBEDDING_CONTEXT, current.model.trainContextSize);
  current.embedding ??= await current.model.createEmbeddingContext({ contextSize, threads: THREADS });
  const vectors: number[][] = [];
  let tokensIn = 0;
  for (const text of texts) {
    // A longer text is represented by its beginning; two tokens mark beginning and end.
    const tokens = current.model.tokenize(text).slice(0, contextSize - 2);
    tokensIn += tokens.length;
    vectors.push([...(await current.embedding.getEmbeddingFor(tokens)).vector]);
  }
  return { vectors, tokensIn };
}

/** @throws `provider.local_missing` without the package */
async function importLlama(): Promise<typeof import('node-llama-cpp')> {
  try {
    return await import('node-llama-cpp');
  } catch (cause) {
    throw fail('provider.local_missing', { provider: '' }, cause);
  }
}

/** The model of a file, in memory. @throws `provider.too_little_memory`, `provider.file_unreadable` */
async function load(path: string, availableBytes: number, contextSize: number): Promise<Loaded> {
  if (loaded?.path === path) return loaded;
  const package_ = await importLlama();
  const llama = loaded?.llama ?? (await startLlama(package_));
  await loaded?.model.dispose();
  loaded = null;
  await checkMemory(package_, llama, { path, availableBytes, contextSize });
  const model = await llama.loadModel({ modelPath: path }).catch((cause: unknown) => {
    throw fail('provider.file_unreadable', { provider: '' }, cause);
  });
  loaded = { path, llama, model, context: null, embedding: null };
  return loaded;
}

async function startLlama({ getLlama }: typeof import('node-llama-cpp')): Promise<Llama> {
  try {
    const fixed = { build: 'never', skipDownload: true, progressLogs: false, logLevel: 'error' } as const;
    return await getLlama({ ...fixed, maxThreads: THREADS });
  } catch (cause) {
    // There is no program of llama.cpp for this system and processor.
    throw fail('provider.local_missing', { provider: '' }, cause);
  }
}

async function checkMemory(
  { readGgufFileInfo, GgufInsights }: typeof import('node-llama-cpp'),
  llama: Llama,
  { path, availableBytes, contextSize }: { path: string; availableBytes: number; contextSize: number },
): Promise<void> {
  const insights = await readGgufFileInfo(path, { sourceType: 'filesystem' })
    .then((info) => GgufInsights.from(info, llama))
    .catch((cause: unknown) => {
      throw fail('provider.file_unreadable', { provider: '' }, cause);
    });
  const size = Math.min(contextSize, insights.trainContextSize ?? contextSize);
  const forModel = insights.estimateModelResourceRequirements({ gpuLayers: 0 }).cpuRam;
  const forContext = insights.estimateContextResourceRequirements({
    ...{ contextSize: size, modelGpuLayers: 0, sequences: 1 },
  }).cpuRam;
  const vram = llama.gpu === false ? { free: 0, unifiedSize: 0 } : await llama.getVramState();
  const ownVram = vram.unifiedSize > 0 ? 0 : vram.free;
  if (forModel + forContext > availableBytes + ownVram)
    throw tooLittleMemory(forModel + forContext, availableBytes + ownVram);
}

const tooLittleMemory = (needed: number, free: number): Error =>
  fail('provider.too_little_memory', { provider: '', needed: inGigabytes(needed), free: inGigabytes(free) });

/** One decimal, which rounds up what is needed to the next tenth at least. */
const inGigabytes = (bytes: number): number => Math.max(0.1, Math.ceil(bytes / (GIGABYTE / 10)) / 10);

/** A context of so many tokens at least. @throws `provider.too_large`, `provider.too_little_memory` */
async function sequenceOf(current: Loaded, tokens: number): Promise<LlamaContextSequence> {
  if (current.context && current.context.context.contextSize >= tokens) return current.context.sequence;
  const { trainContextSize } = current.model;
  if (tokens > trainContextSize) throw fail('provider.too_large', { provider: '' });
  await current.context?.context.dispose();
  current.context = null;
  const contextSize = Math.min(trainContextSize, Math.ceil(tokens / CONTEXT_STEP) * CONTEXT_STEP);
  const context = await createContext(current.model, contextSize);
  current.context = { context, sequence: context.getSequence() };
  return current.context.sequence;
}

async function createContext(model: LlamaModel, contextSize: number): Promise<LlamaContext> {
  const { InsufficientMemoryError } = await importLlama();
  return model.createContext({ contextSize, sequences: 1, threads: THREADS }).catch((cause: unknown) => {
    if (cause instanceof InsufficientMemoryError) throw fail('provider.too_large', { provider: '' }, cause);
    throw cause;
  });
}
