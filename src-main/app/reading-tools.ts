import type { Documents } from '../features/documents/service.ts';
import type { Language, PageText, PageWord } from '../../src-shared/medical/page.ts';
import type { DocumentToRead } from '../reading/pipeline/ports.ts';
import type { Job } from '../reading/pipeline/queue.ts';
import type { JobTools, ToolOptions } from '../reading/pipeline/run.ts';
import { translateText } from '../reading/providers/models/translate.ts';
import type { Outcome, PageImage } from '../reading/providers/provider.ts';
import { textOf } from '../reading/providers/page/read-scan.ts';
import type { Reading } from '../reading/providers/page/reading.ts';
import type { Providers } from '../reading/providers/registry.ts';
import type { Vault } from '../platform/vault/vault.ts';

/** Enough for print of 6 points on A4; vision models scale down what is larger. */
const PICTURE_WIDTH = 1600;

export interface ReadingToolDeps {
  vault: Vault;
  providers: Providers;
  reading: Reading;
  /** A function, because the documents feature is created after the pipeline that it feeds. */
  documents: () => Documents;
  prepareNames: () => Promise<void>;
  /** The prompt of translations into a language. */
  translationPrompt: (language: string) => string;
  /** The languages of scans. */
  languages: () => readonly Language[];
}

/** The tools for the stages of one job: the engines that the request named, and the vault's files. */
export function toolsFor(
  { vault, providers, reading, documents, prepareNames, translationPrompt, languages }: ReadingToolDeps,
  job: Job,
  document: DocumentToRead,
  { signal, onPage, onPassedOver, onUsage }: ToolOptions,
): JobTools {
  const { mode, llm_provider_id: readerId, vision_provider_id: visionId } = job.options;
  const picture = async (page: PageText): Promise<Uint8Array | null> => {
    const path = vault.resolve(document.file_path);
    return (await reading.pageImage(path, document.mime_type, page.page, PICTURE_WIDTH, page.turn))?.data ?? null;
  };
  const corrections = (patientId: number) => documents().correctionsOf(patientId, document.id);
  const calls = { onPassedOver, onUsage, corrections };
  const vision = providers.vision(visionId ?? null, { picture, ...calls });
  const reader = mode === 'vision_llm' ? vision : providers.reader(readerId ?? null, calls);
  const rules = providers.reader('builtin');
  const translator = { general: providers.general, prompt: translationPrompt };
  const recognize = async (image: PageImage, id: string | null): Promise<Outcome<string>> => {
    const ocr = await providers.ocr(id, onPassedOver);
    const answer = await ocr.readPage(image, { languages: languages(), signal });
    return answer.ok ? { ok: true, value: textOfWords(answer.value.words, image) } : answer;
  };
  return {
    provider: () => reader.type,
    hasModel: reader !== rules,
    async readFile(file) {
      const ocr = await providers.ocr(job.options.ocr_provider_id ?? null, onPassedOver);
      const { isSlow, unreadPageMinutes } = job.options;
      const minutes = unreadPageMinutes ?? null;
      const stored = minutes === null ? [] : await documents().store.loadPages(document.id);
      return reading.readFile(
        { path: vault.resolve(file.file_path), mime: file.mime_type, turns: file.page_turns },
        {
          ...{ ocr, signal, onPage, mustBeQuick: !isSlow },
          known: stored.filter((page) => !page.isUnread),
          ocrPageMs: minutes === null ? undefined : minutes * 60_000,
        },
      );
    },
    async extract(pages, context, { isOverview = false } = {}) {
      // Results are stored in one step together with their names.
      await prepareNames();
      // Fields are read by rules: a model would have to read a long file twice.
      return (isOverview ? rules : reader).extract(pages, context, { signal });
    },
    classifyPages: (pages) => providers.sections(readerId ?? null, pages, { signal, onPassedOver, onUsage }),
    async see(pages, { context }) {
      await prepareNames();
      return vision.extract(pages, context, { signal });
    },
    translation: {
      ...documents().translations.toolsOf(document.id, (image, id) => recognize(image, id)),
      translate: (text, language) =>
        translateText(translator, text, language, {
          ...{ signal, providerId: readerId ?? null, furthest: job.options.furthest, onPassedOver, onUsage },
        }),
    },
    async makeThumbnail() {
      await documents().pictures.makeThumbnail(document.id);
      return { ok: true, value: true };
    },
  };
}

/** The lines of words that were recognized in a picture. */
const textOfWords = (words: PageWord[], { width, height }: PageImage): string =>
  textOf({ ...{ page: 1, width, height, turn: 0, toDisplay: null, source: 'ocr', confidence: 1 }, words });
