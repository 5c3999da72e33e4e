import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { createBuiltinReader } from './rules/rules.ts';
import { createBuiltinOcr } from './ocr/builtin.ts';
import { createTesseractCli, installedModels } from './ocr/tesseract-cli.ts';
import { MODELS } from './ocr/ocr-words.ts';
import type { OcrProvider, ReaderProvider } from './provider.ts';

/** Threads and models of idle providers are given back after this long. */
const IDLE_MS = 60_000;

export interface Providers {
  /** The engine that was asked for, else the first choice of the configuration. */
  ocr(id: string | null): Promise<OcrProvider>;
  reader(id: string | null): ReaderProvider;
  /** Providers that a request may name; the one that was saved as default need not be named. */
  has(kind: 'ocr' | 'llm' | 'vision', id: string): boolean;
  close(): Promise<void>;
}

const OCR_TYPES = ['builtin', 'tesseract_cli'] as const;
type OcrType = (typeof OCR_TYPES)[number];

export function createProviders({ config, clock }: { config: Config; clock: Clock }): Providers {
  const engines: Record<OcrType, OcrProvider> = {
    builtin: createBuiltinOcr({ clock, idleMs: IDLE_MS }),
    tesseract_cli: createTesseractCli(),
  };
  const reader = createBuiltinReader({ clock, idleMs: IDLE_MS });
  let automatic: Promise<OcrType> | null = null;

  /** The program is faster, but only if it has all four languages. */
  const chosen = async (): Promise<OcrType> => {
    const installed = await installedModels();
    return installed !== null && Object.values(MODELS).every((model) => installed.includes(model))
      ? 'tesseract_cli'
      : 'builtin';
  };
  return {
    async ocr(id) {
      const wanted = id ?? config['ocr.engine'];
      const type =
        wanted === 'auto' || wanted === 'tesseract'
          ? await (automatic ??= chosen())
          : (OCR_TYPES.find((candidate) => candidate === wanted) ?? 'builtin');
      return engines[type];
    },
    reader: () => reader,
    has: (kind, id) => (kind === 'ocr' ? OCR_TYPES.some((type) => type === id) : kind === 'llm' && id === reader.type),
    close: async () =>
      void (await Promise.all([...Object.values(engines).map((engine) => engine.close()), reader.close()])),
  };
}
