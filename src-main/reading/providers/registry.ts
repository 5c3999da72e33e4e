import type { PromptKey } from '../../../src-shared/contract/prompts.ts';
import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import { isModelType, type ModelPurpose, type ProviderKind } from '../../../src-shared/contract/provider-types.ts';
import type { PageText } from '../../../src-shared/medical/page.ts';
import { OCR_ENGINES, type OcrEngine } from '../../../src-shared/contract/setting-keys.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { LargeWork } from '../../platform/kernel/large-work.ts';
import { rulesOf, type ProviderEntry, type ProviderLists } from './entries.ts';
import type { GateCounts } from './gate.ts';
import { createEmbedder, type Embedder } from './models/embedder.ts';
import { createGeneralModel, type GeneralModel } from './models/general.ts';
import { createLocalModels, type LocalModels } from './local/local-models.ts';
import { createModelReader, type ModelReaderDeps } from './models/model-reader.ts';
import { readSections, type PageKinds } from './models/section-reader.ts';
import { createBuiltinOcr } from './ocr/builtin.ts';
import { readByVision } from './ocr/llm-vision.ts';
import { createOcrChain, type OcrLink } from './ocr/ocr-chain.ts';
import { MODELS } from './ocr/ocr-words.ts';
import { createTesseractCli, installedModels } from './ocr/tesseract-cli.ts';
import type { FailedOutcome, OcrProvider, ReaderProvider } from './provider.ts';
import { createRulesReader } from './rules/rules.ts';
import { createServices } from './services.ts';
import { tryProvider, type Trial } from './trial.ts';

/** Idle providers release their threads and models after this time. */
const IDLE_MS = 60_000;

export interface Providers {
  /**
   * The engines in their order, for one job; with an id, the one with this id first and alone. `onPassedOver` is called
   * with the reason when the next one had to read.
   */
  ocr(id: string | null, onPassedOver?: (failure: FailedOutcome) => void): Promise<OcrProvider>;
  /** The readers in their order, for one job, as with `ocr`. */
  reader(id: string | null, calls?: Partial<ReaderCalls>): ReaderProvider;
  /** A reader of one entry, saved or not, with other texts of prompts. */
  readerOf(entry: ProviderEntry, prompts: PromptTexts, calls: Partial<ReaderCalls>): ReaderProvider;
  /** Which pages of a long document belong together, as far as the models tell that read for this job. */
  sections(
    id: string | null,
    pages: readonly PageText[],
    calls: Pick<ReaderCalls, 'onPassedOver' | 'onUsage'> & { signal: AbortSignal },
  ): Promise<PageKinds>;
  /** The models that read pictures, in their order, for one job. */
  vision(id: string | null, options: VisionOptions): ReaderProvider;
  /** The language model for questions, translations and suggestions. */
  general: GeneralModel;
  /** The model for vectors of texts. */
  embedder: Embedder;
  /** Whether a request may name this provider; null asks whether there is any that can be used. */
  has(kind: ProviderKind, id: string | null): boolean;
  /** Lets a provider generate or read something small. */
  tryOut(kind: ProviderKind, entry: ProviderEntry, signal: AbortSignal): Promise<Trial>;
  /** Running and waiting requests to services. */
  queues(): ({ id: string } & GateCounts)[];
  /** Models in files on this computer. */
  local: Pick<LocalModels, 'folder' | 'files' | 'availableBytes'>;
  /** Frees the memory of engines that have nothing to do. */
  endIdle(): Promise<void>;
  close(): Promise<void>;
}

type PromptTexts = Partial<Record<PromptKey, string>>;
type ReaderCalls = Required<Pick<ModelReaderDeps, 'onPassedOver' | 'onUsage' | 'corrections'>>;
interface VisionOptions extends ReaderCalls {
  /** The picture of a page; null if it can't be drawn. */
  picture: (page: PageText) => Promise<Uint8Array | null>;
}

interface Dependencies {
  config: Config;
  clock: Clock;
  largeWork: LargeWork;
  lists: ProviderLists;
  /** Ports of Hearth on this computer. */
  ownPorts: () => readonly number[];
  /** The text of a prompt, or another one, with its placeholders filled in. */
  prompt: (key: PromptKey, text?: string) => string;
  /** Absolute path of the folder with GGUF files. */
  modelFolder: string;
  /** Called with what each answer of a model used. */
  onUsage?: (purpose: ModelPurpose, usage: StageUsage) => void;
}

/** All providers of OCR and extraction. */
export function createProviders(deps: Dependencies): Providers {
  const { config, clock, largeWork, lists, ownPorts, prompt, modelFolder, onUsage } = deps;
  const engines: Record<OcrEngine, OcrProvider> = {
    builtin: createBuiltinOcr({ clock, idleMs: IDLE_MS }),
    tesseract_cli: createTesseractCli(),
  };
  const reader = createRulesReader({ clock, idleMs: IDLE_MS, largeWork });
  const local = createLocalModels({ clock, folder: modelFolder });
  const services = createServices({ config, clock, ownPorts, local, ...(onUsage && { onUsage }) });
  let automatic: Promise<OcrEngine> | null = null;
  const localEngine = async (type: string): Promise<OcrProvider> =>
    engines[OCR_ENGINES.find((engine) => engine === type) ?? (await (automatic ??= selectEngine()))];
  const toLink = async (entry: ProviderEntry): Promise<OcrLink> => {
    if (isLocalOcr(entry.type)) return { ...(await localEngine(entry.type)), problem: null };
    const isModel = isModelType(entry.type);
    return {
      type: isModel ? `llm_vision ${entry.type} ${entry.model}` : entry.type,
      concurrency: rulesOf(config, 'ocr', entry).maxConcurrent,
      problem: services.problemOf('ocr', entry),
      readPage: async (image, options) =>
        isModel
          ? readByVision({ services, local: await localEngine('tesseract') }, entry, image, options)
          : services.readPage(entry, image, options),
    };
  };
  const chainOf = async (
    entries: readonly ProviderEntry[],
    onPassedOver: (failure: FailedOutcome) => void,
  ): Promise<OcrProvider> =>
    createOcrChain({
      links: await Promise.all(entries.map(toLink)),
      local: await localEngine(entries.find(({ type }) => isLocalOcr(type))?.type ?? 'tesseract'),
      minConfidence: () => config['ocr.confidence_threshold'] / 100,
      onPassedOver,
    });
  const enabled = (kind: ProviderKind): ProviderEntry[] => lists.entries(kind).filter((entry) => entry.enabled);
  return {
    async ocr(id, onPassedOver = () => undefined) {
      if (id !== null && isLocalOcr(id)) return localEngine(id);
      const entries = enabled('ocr').filter((entry) => id === null || entry.id === id);
      const [only, ...others] = entries;
      if (!only) return localEngine('tesseract');
      return others.length === 0 && isLocalOcr(only.type) ? localEngine(only.type) : chainOf(entries, onPassedOver);
    },
    reader(id, calls = {}) {
      const entries = enabled('llm').filter((entry) => id === null || entry.id === id);
      if (id === reader.type || (entries[0]?.type ?? reader.type) === reader.type) return reader;
      return createModelReader({
        ...{ services, entries, rules: reader, prompt, rulesFill: id === null, onPassedOver: () => undefined },
        ...calls,
      });
    },
    sections(id, pages, { signal, ...calls }) {
      const entries = enabled('llm').filter((entry) => id === null || entry.id === id);
      return readSections({ services, entries, prompt, ...calls }, pages, signal);
    },
    readerOf: (entry, prompts, calls) =>
      entry.type === reader.type
        ? reader
        : createModelReader({
            ...{ services, rules: reader, onPassedOver: () => undefined, ...calls },
            // Whoever tries it can try again.
            entries: [{ ...entry, maxRetries: 0 }],
            prompt: (key) => prompt(key, prompts[key]),
          }),
    vision: (id, { picture, ...calls }) =>
      createModelReader({
        ...{ services, rules: reader, prompt, picture, ...calls },
        entries: enabled('vision').filter((entry) => id === null || entry.id === id),
      }),
    general: createGeneralModel({ services, lists }),
    embedder: createEmbedder({ services, lists }),
    has(kind, id) {
      if (id !== null && (kind === 'llm' ? id === reader.type : kind === 'ocr' && isLocalOcr(id))) return true;
      const entries = enabled(kind);
      // An empty list means the reader and the engine of Hearth itself.
      if (id === null && entries.length === 0) return kind !== 'vision';
      return entries.some((entry) => (id === null || entry.id === id) && !services.problemOf(kind, entry));
    },
    tryOut: (kind, entry, signal) => tryProvider({ clock, services, reader, localEngine }, kind, entry, signal),
    queues: services.counts,
    local,
    async endIdle() {
      local.endIdle();
      await Promise.all(Object.values(engines).map((engine) => engine.endIdle?.()));
    },
    close: async () =>
      void (await Promise.all([...Object.values(engines), reader, local].map((provider) => provider.close()))),
  };
}

/** Engines of Hearth itself; `auto` and `tesseract` are the best of them. */
const isLocalOcr = (type: string): boolean =>
  type === 'auto' || type === 'tesseract' || OCR_ENGINES.some((engine) => engine === type);

/** The tesseract program is faster, but usable only with models for all four languages. */
async function selectEngine(): Promise<OcrEngine> {
  const installed = await installedModels();
  const isComplete = installed !== null && Object.values(MODELS).every((model) => installed.includes(model));
  return isComplete ? 'tesseract_cli' : 'builtin';
}
