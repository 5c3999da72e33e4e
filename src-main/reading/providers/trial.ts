import { readFile } from 'node:fs/promises';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { isModelType, type ProviderKind } from '../../../src-shared/contract/provider-types.ts';
import { OCR_ENGINES } from '../../../src-shared/contract/setting-keys.ts';
import type { PageWord } from '../../../src-shared/medical/page.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { ProviderEntry } from './entries.ts';
import type { ModelRequest } from './models/model.ts';
import { readByVision } from './ocr/llm-vision.ts';
import { errorOf, type OcrProvider, type Outcome, type PageImage, type ReaderProvider } from './provider.ts';
import { failedAs } from './service-call.ts';
import type { Services } from './services.ts';

/** How a provider did: what it read, or why it could not. */
export type Trial = { tookMs: number } & ({ ok: true; found: string } | { ok: false; error: ErrorReference });

interface TrialDeps {
  clock: Clock;
  services: Services;
  reader: ReaderProvider;
  localEngine: (type: string) => Promise<OcrProvider>;
}

/** A picture of "Ferritin 4821", black on white. */
const PICTURE = new URL('../../../resources/providers/trial.png', import.meta.url);
const TEXT = 'Ferritin 4821';
const NUMBER = /4821/;
const MAX_TOKENS = 1000;

const REQUEST: Omit<ModelRequest, 'user'> = {
  purpose: 'trial',
  system: 'You read laboratory results. Answer with the number that is there, as JSON.',
  schemaName: 'result',
  schema: {
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
    additionalProperties: false,
  },
  maxTokens: MAX_TOKENS,
};

/** Lets a provider read a number: a model from a text or picture, an engine from a picture. */
export async function tryProvider(
  deps: TrialDeps,
  kind: ProviderKind,
  entry: ProviderEntry,
  signal: AbortSignal,
): Promise<Trial> {
  const startedAt = deps.clock.now();
  // Somebody waits for the result, and can try again.
  const found = await readNumber(deps, kind, { ...entry, maxRetries: 0 }, signal);
  const tookMs = Math.round(deps.clock.now() - startedAt);
  if (!found.ok) return { ok: false, error: errorOf(found), tookMs };
  // A model may be wrong, but one that does not see the number at all can't be used.
  if (!NUMBER.test(found.value))
    return { ok: false, error: errorOf(failedAs('provider.bad_answer', entry.name)), tookMs };
  return { ok: true, found: '4821', tookMs };
}

async function readNumber(
  { services, reader, localEngine }: TrialDeps,
  kind: ProviderKind,
  entry: ProviderEntry,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  if (kind === 'ocr') {
    const isLocal = entry.type === 'tesseract' || OCR_ENGINES.some((engine) => engine === entry.type);
    const image = await pictureOfNumber();
    const options = { languages: ['en'] as const, signal };
    const isModel = isModelType(entry.type);
    const local = isLocal || isModel ? await localEngine(isLocal ? entry.type : 'tesseract') : null;
    const read = () => local?.readPage(image, options) ?? services.readPage(entry, image, options);
    const answer = await (isModel && local ? readByVision({ services, local }, entry, image, options) : read());
    return answer.ok ? { ok: true, value: answer.value.words.map(({ text }) => text).join(' ') } : answer;
  }
  if (kind === 'llm' && entry.type === reader.type) return readByRules(reader, signal);
  const request =
    kind === 'vision'
      ? { ...REQUEST, user: 'Which number is in the picture?', images: [await readFile(PICTURE)] }
      : { ...REQUEST, user: `Which number is in this text? “${TEXT}”` };
  const answer = await services.ask(kind, entry, request, signal);
  return answer.ok ? { ok: true, value: answer.value.text } : answer;
}

async function pictureOfNumber(): Promise<PageImage> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(PICTURE.pathname).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The rules read a line of a laboratory report. */
async function readByRules(reader: ReaderProvider, signal: AbortSignal): Promise<Outcome<string>> {
  const cells = ['Ferritin', '4821', 'µg/L', '30', '-', '300'];
  const words = cells.map((text, index): PageWord => ({
    text,
    x: 0.1 + index * 0.12,
    y: 0.2,
    w: 0.1,
    h: 0.01,
    confidence: 1,
  }));
  const page = {
    page: 1,
    width: 595,
    height: 842,
    turn: 0,
    toDisplay: null,
    source: 'text_layer',
    confidence: 1,
  } as const;
  const context = { patient: null, household: [], isOnlyPatient: false, today: '2026-01-01', original_filename: '' };
  const answer = await reader.extract([{ ...page, words, text: cells.join('  ') }], context, { signal });
  return answer.ok
    ? { ok: true, value: answer.value.lab_results.map(({ value_text }) => value_text).join(' ') }
    : answer;
}
