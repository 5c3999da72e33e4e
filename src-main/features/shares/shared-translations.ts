import { createHash } from 'node:crypto';
import type { Input } from '../../../src-shared/contract/endpoint.ts';
import { languageCode, LANGUAGES, type LanguageName } from '../../../src-shared/contract/language-names.ts';
import type { share as contract } from '../../../src-shared/contract/share.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { ShareLimits } from './limits.ts';
import { TRANSLATIONS_PER_HOUR } from './numbers.ts';
import type { RecordRepository } from './record-repository.ts';
import type { OpenSession } from './seat-repository.ts';
import type { ShareAudit } from './share-audit.ts';
import { requireFile, type Viewer } from './shared-files.ts';

type Request = Pick<Input<typeof contract.translateRegion>['body'], 'page' | 'bbox' | 'target_language'>;

/** The model for a share: the one that its owner named, or those of this computer and its network. */
export interface ShareModel {
  providerId: string | null;
  furthest: 'home-network' | null;
}

/** The household's translations, as recipients use them. */
export interface Translator {
  /** Whether a model may translate. */
  isAvailable(model: ShareModel): boolean;
  /** The usual language, and those that are offered. */
  languages(): { usual: LanguageName; offered: readonly LanguageName[] };
  /** Queues the translation of a part of a page, and returns the id of its row. */
  request(
    documentId: number,
    part: { page: number; bbox: Request['bbox']; language: LanguageName; ocrProvider: string | null },
    share: ShareModel & { shareId: string },
  ): number;
}

export interface SharedTranslationDeps {
  writer: Database;
  records: RecordRepository;
  limits: ShareLimits;
  audit: ShareAudit;
  resolve(path: string): string;
  /** Null where nothing is translated. */
  translator: Translator | null;
}

/** Translations of parts of shared pages, for their recipients. */
export const createSharedTranslations = (deps: SharedTranslationDeps) =>
  bindFirst(deps, { describe: describeOffer, request: requestTranslation, note: noteTranslation });

/** What a session may have translated; without a model no language is offered. */
function describeOffer(deps: SharedTranslationDeps, { share_id: shareId, rowid }: OpenSession) {
  const { translator, limits } = deps;
  const { used, pauseMs } = limits.translationsOf(shareId, rowid);
  const isOffered = translator !== null && modelOf(deps, translator, shareId) !== null;
  const languages = translator?.languages();
  return {
    translate_rate_limit: {
      per_share_per_hour: TRANSLATIONS_PER_HOUR,
      used_in_last_hour: used,
      remaining_in_last_hour: Math.max(0, TRANSLATIONS_PER_HOUR - used),
      debounce_seconds_remaining: Math.ceil(pauseMs / 1000),
    },
    default_translation_language: isOffered && languages ? languages.usual : null,
    allowed_translation_languages: isOffered && languages ? [...languages.offered] : [],
  };
}

/**
 * What a recipient marks goes to no company unless the owner of the share named the model of one. A named model that
 * may not be used any more is replaced by those of this computer and its network.
 */
function modelOf({ records }: SharedTranslationDeps, translator: Translator, shareId: string): ShareModel | null {
  const { llm } = records.providers(shareId);
  const models: ShareModel[] = [
    ...(llm === null ? [] : [{ providerId: llm, furthest: null }]),
    { providerId: null, furthest: 'home-network' },
  ];
  return models.find(translator.isAvailable) ?? null;
}

/**
 * Queues the translation of a part of a page.
 * @throws `document.not_found`, `document.file_missing`, `document.page_not_found`, `share.file_not_showable`,
 * `share.translation_unavailable`, `share.language_not_offered`, `auth.rate_limited`
 */
function requestTranslation(deps: SharedTranslationDeps, id: number, { page, bbox, ...request }: Request, by: Viewer) {
  const { writer, records, limits, audit, resolve, translator } = deps;
  const { share_id: shareId, rowid } = by.session;
  requireFile({ records, resolve }, id, shareId);
  if (page > (records.pageCount(shareId, id) ?? page)) throw fail('document.page_not_found', { page });
  const model = translator && modelOf(deps, translator, shareId);
  if (!model) throw fail('share.translation_unavailable');
  const language = chosenLanguage(translator, request.target_language ?? null);
  const counted = writer.transaction(() => limits.countTranslation(shareId, rowid));
  const part = { page, bbox, language, ocrProvider: records.providers(shareId).ocr };
  let regionId: number;
  try {
    regionId = translator.request(id, part, { ...model, shareId });
  } catch (error) {
    writer.transaction(() => limits.forgive(counted));
    throw error;
  }
  audit.record({
    ...{ shareId, action: 'translate', visitor: by.visitor, documentId: id, sessionId: rowid },
    details: { kind: 'region', page, region_id: regionId, target_language: language },
  });
  return { status: 'queued' as const, document_id: id, region_id: regionId };
}

function chosenLanguage(translator: Translator, wanted: string | null): LanguageName {
  const { usual, offered } = translator.languages();
  if (wanted === null) return usual;
  const code = languageCode(wanted);
  const language = code === undefined ? undefined : offered.find((name) => name === LANGUAGES[code]);
  if (language === undefined) throw fail('share.language_not_offered');
  return language;
}

/** A finished translation, or one that failed: what the trail says of it has none of its words. */
export interface EndedTranslation {
  id: number;
  ocr_text: string | null;
  translated_text: string | null;
  llm_model: string | null;
  target_language: string | null;
  status: string | null;
}

function noteTranslation({ audit }: SharedTranslationDeps, shareId: string, documentId: number, row: EndedTranslation) {
  const text = row.ocr_text ?? '';
  audit.record({
    ...{ shareId, action: 'translate_region_done', visitor: null, documentId },
    details: {
      ...{ region_id: row.id, target_language: row.target_language, llm_model: row.llm_model },
      ...{ ocr_len: text.length, translated_len: row.translated_text?.length ?? 0 },
      ...(row.status === 'failed' && { failed: true }),
    },
    // A short text could be guessed by its hash.
    words: { ocr_sha256: createHash('sha256').update(text).digest('hex') },
  });
}
