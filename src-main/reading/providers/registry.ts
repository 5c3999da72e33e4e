import { OCR_ENGINES, type OcrEngine } from '../../../src-shared/contract/setting-keys.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { LargeWork } from '../../platform/kernel/large-work.ts';
import { createBuiltinOcr } from './ocr/builtin.ts';
import { MODELS } from './ocr/ocr-words.ts';
import { createTesseractCli, installedModels } from './ocr/tesseract-cli.ts';
import type { OcrProvider, ReaderProvider } from './provider.ts';
import { createRulesReader } from './rules/rules.ts';

/** Idle providers release their threads and models after this time. */
const IDLE_MS = 60_000;

export interface Providers {
  /** The engine with this id, or the configured one if it is null. */
  ocr(id: string | null): Promise<OcrProvider>;
  reader(id: string | null): ReaderProvider;
  /** Whether a request may name this provider; null asks whether there is any. */
  has(kind: 'ocr' | 'llm' | 'vision', id: string | null): boolean;
  /** Frees the memory of engines that have nothing to do. */
  endIdle(): Promise<void>;
  close(): Promise<void>;
}

interface Dependencies {
  config: Config;
  clock: Clock;
  largeWork: LargeWork;
}

/** All providers of OCR and extraction. */
export function createProviders({ config, clock, largeWork }: Dependencies): Providers {
  const engines: Record<OcrEngine, OcrProvider> = {
    builtin: createBuiltinOcr({ clock, idleMs: IDLE_MS }),
    tesseract_cli: createTesseractCli(),
  };
  const reader = createRulesReader({ clock, idleMs: IDLE_MS, largeWork });
  let automatic: Promise<OcrEngine> | null = null;
  return {
    async ocr(id) {
      const engineId = id ?? config['ocr.engine'];
      if (engineId === 'auto' || engineId === 'tesseract') return engines[await (automatic ??= selectEngine())];
      return engines[OCR_ENGINES.find((engine) => engine === engineId) ?? 'builtin'];
    },
    reader: () => reader,
    has(kind, id) {
      const ids: readonly string[] = { ocr: OCR_ENGINES, llm: [reader.type], vision: [] }[kind];
      return id === null ? ids.length > 0 : ids.includes(id);
    },
    endIdle: async () => void (await Promise.all(Object.values(engines).map((engine) => engine.endIdle?.()))),
    close: async () =>
      void (await Promise.all([...Object.values(engines).map((engine) => engine.close()), reader.close()])),
  };
}

/** The tesseract program is faster, but usable only with models for all four languages. */
async function selectEngine(): Promise<OcrEngine> {
  const installed = await installedModels();
  const isComplete = installed !== null && Object.values(MODELS).every((model) => installed.includes(model));
  return isComplete ? 'tesseract_cli' : 'builtin';
}
