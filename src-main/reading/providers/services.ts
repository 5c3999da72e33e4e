import type {
  EmbeddingType,
  ModelPurpose,
  ModelType,
  ProviderKind,
} from '../../../src-shared/contract/provider-types.ts';
import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { addressOf, gateKeyOf, keyOf, reachOfEntry, rulesOf, type ProviderEntry } from './entries.ts';
import { createGate, type Gate, type GateCounts } from './gate.ts';
import type { LocalModels } from './local/local-models.ts';
import type { Embedded } from './local/llama-tasks.ts';
import { askClaude } from './models/claude.ts';
import type { AskModel, ModelAnswer, ModelRequest, ServiceCall } from './models/model.ts';
import { embedByOllama, embedByOpenAi, type EmbedTexts } from './models/embed.ts';
import { askOllama } from './models/ollama.ts';
import { askOpenAi } from './models/openai.ts';
import { askGoogleVision, type AskOcr } from './ocr/google-vision.ts';
import { askTesseractRemote } from './ocr/tesseract-remote.ts';
import type { FailedOutcome, OcrAnswer, Outcome, PageImage, PageOptions } from './provider.ts';
import { usageOf } from './usage.ts';
import { callService, failedAs, type NetRules } from './service-call.ts';

const MODELS: Readonly<Record<Exclude<ModelType, 'local'>, AskModel>> = {
  ollama: askOllama,
  vllm: askOpenAi,
  openai: askOpenAi,
  claude: askClaude,
};
const OCR_SERVICES: Readonly<Record<string, AskOcr>> = {
  google_vision: askGoogleVision,
  tesseract_remote: askTesseractRemote,
};

export interface ServiceDeps {
  config: Config;
  clock: Clock;
  ownPorts: () => readonly number[];
  local: Pick<LocalModels, 'ask' | 'embed'>;
  /** Called with what each answer of a model used, of whatever use it was. */
  onUsage?: (purpose: ModelPurpose, usage: StageUsage) => void;
}

/** Programs outside of Hearth that read: each is reached through the gate of its credential only. */
export interface Services {
  ask(
    kind: ProviderKind,
    entry: ProviderEntry,
    request: ModelRequest,
    signal: AbortSignal,
  ): Promise<Outcome<ModelAnswer>>;
  /** A vector for each text, in their order. */
  embed(entry: ProviderEntry, texts: readonly string[], signal: AbortSignal): Promise<Outcome<Embedded>>;
  readPage(entry: ProviderEntry, image: PageImage, options: PageOptions): Promise<Outcome<OcrAnswer>>;
  /** Why an entry can't be used as it is set up; null if it can. */
  problemOf(kind: ProviderKind, entry: ProviderEntry): FailedOutcome | null;
  /** Running and waiting requests by credential, or by kind and provider. */
  counts(): ({ id: string } & GateCounts)[];
}

interface Deps extends ServiceDeps {
  gates: Map<string, Gate>;
}

export function createServices(dependencies: ServiceDeps): Services {
  const deps: Deps = { ...dependencies, gates: new Map() };
  const models: Readonly<Record<ModelType, AskModel>> = {
    ...MODELS,
    local: ({ model }, request, { signal }) => dependencies.local.ask(model, request, signal),
  };
  const embedders: Readonly<Record<EmbeddingType, EmbedTexts>> = {
    ...{ ollama: embedByOllama, vllm: embedByOpenAi, openai: embedByOpenAi },
    local: ({ model }, texts, { signal }) => dependencies.local.embed(model, texts, signal),
  };
  return {
    async ask(kind, entry, request, signal) {
      const ask = models[entry.type as ModelType];
      const { type, name, model } = { ...entry, type: entry.type as ModelType };
      const access = { type, name, model, baseUrl: addressOf(entry), apiKey: keyOf(entry) };
      const answer = await send(deps, kind, entry, signal, (call) => ask(access, request, call));
      if (answer.ok) deps.onUsage?.(request.purpose, usageOf(entry, answer.value));
      return answer;
    },
    async embed(entry, texts, signal) {
      const { type, name, model } = { ...entry, type: entry.type as EmbeddingType };
      const access = { type, name, model, baseUrl: addressOf(entry), apiKey: keyOf(entry) };
      const answer = await send(deps, 'llm', entry, signal, (call) => embedders[type](access, texts, call));
      if (answer.ok) deps.onUsage?.('search', usageOf(entry, { tokensIn: answer.value.tokensIn, tokensOut: 0 }));
      return answer;
    },
    async readPage(entry, image, options) {
      const access = { baseUrl: addressOf(entry), apiKey: keyOf(entry) };
      const read = OCR_SERVICES[entry.type];
      if (!read) return failedAs('provider.not_found', entry.name);
      return send(deps, 'ocr', entry, options.signal, (call) => read(access, image, options, call));
    },
    problemOf: (kind, entry) => problemOf(deps, kind, entry),
    counts: () => [...deps.gates].map(([id, gate]) => ({ id, ...gate.counts() })),
  };
}

/** Whether this kind may send pages outside of this computer. */
const staysHere = (config: Config, kind: ProviderKind): boolean =>
  config['privacy.nothing_leaves'] || (kind === 'ocr' && !config['ocr.cloud_ocr_enabled']);

function problemOf({ config }: Deps, kind: ProviderKind, entry: ProviderEntry): FailedOutcome | null {
  const { type, name } = entry;
  const isModel = type === 'local' || type in MODELS;
  if (!isModel && !(type in OCR_SERVICES)) return null;
  if (staysHere(config, kind) && reachOfEntry(entry) !== 'this-computer') return failedAs('provider.stays_here', name);
  if (type !== 'local' && addressOf(entry) === '') return failedAs('provider.no_address', name);
  if (isModel && entry.model === '') return failedAs('provider.no_model_name', name);
  if ((type === 'claude' || type === 'google_vision') && keyOf(entry) === '') return failedAs('provider.no_key', name);
  return null;
}

async function send<T>(
  deps: Deps,
  kind: ProviderKind,
  entry: ProviderEntry,
  signal: AbortSignal,
  work: (call: ServiceCall) => Promise<T>,
): Promise<Outcome<T>> {
  const { config, clock, ownPorts, gates } = deps;
  const problem = problemOf(deps, kind, entry);
  if (problem) return problem;
  const net: NetRules = { staysHere: () => staysHere(config, kind), ownPorts };
  const key = gateKeyOf(kind, entry);
  const gate = gates.get(key) ?? createGate(clock);
  gates.set(key, gate);
  return gate.run(rulesOf(config, kind, entry), {
    signal,
    attempt: (inner) => callService({ clock, net }, entry.name, inner, work),
    tooSlow: () => failedAs('provider.too_slow', entry.name),
  });
}
