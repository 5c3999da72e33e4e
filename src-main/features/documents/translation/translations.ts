import type { translations as contract } from '../../../../src-shared/contract/translations.ts';
import type { Input } from '../../../../src-shared/contract/endpoint.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { BytesReply } from '../../../platform/http/bytes.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { orNotFound } from '../../../platform/kernel/or-not-found.ts';
import { storedError } from '../../../platform/kernel/stored-error.ts';
import type { DocumentStore } from '../../../reading/pipeline/ports.ts';
import type { RegionResult, RegionToTranslate, TranslationTools } from '../../../reading/pipeline/translation-tools.ts';
import { toPageImage } from '../../../reading/providers/page/part-of-picture.ts';
import type { Reach } from '../../../reading/providers/models/general.ts';
import type { Outcome, PageImage } from '../../../reading/providers/provider.ts';
import { notifyChanged, requireDocument, type NotifyDeps } from '../notify.ts';
import type { ReadingQueue } from '../ports.ts';
import type { DocumentRecord } from '../write-repository.ts';
import { createTranslationRepository, type RegionRecord, type TranslationRepository } from './repository.ts';
import { cropRegion, regionPath, removePicture, storedPicture, wordsInRegion, type RegionDeps } from './region.ts';

export interface TranslationsDeps extends RegionDeps, NotifyDeps {
  db: Database;
  clock: Clock;
  queue: ReadingQueue;
  store: Pick<DocumentStore, 'loadPages'>;
  /** Whether a model may translate: this one, or with null any. */
  hasTranslator: (providerId: string | null) => boolean;
  /** The language of translations of parts, by its English name. */
  targetLanguage: () => string;
  /** What shares say of the translations that their recipients ask for. */
  shares: () => SharesOfTranslations;
}

export interface SharesOfTranslations {
  /** Whether the share is open and contains the document. */
  isOpenFor(shareId: string, documentId: number): boolean;
  /** Writes a finished translation into the trail of the share. */
  noteTranslation(shareId: string, documentId: number, region: RegionRecord): void;
}

/** A recipient's request. */
export interface SharedRequest {
  shareId: string;
  /** Where the models are at most that may translate; that of the owner's choice is named in the request. */
  furthest?: Reach;
}

interface Deps extends TranslationsDeps {
  regions: TranslationRepository;
}

/** Recognizes the text of a picture with an engine, or with null the first one. */
export type Recognize = (image: PageImage, providerId: string | null) => Promise<Outcome<string>>;

export type Translations = ReturnType<typeof createTranslations>;

/** Translations of documents and of parts of their pages: requests, and what the jobs store. */
export function createTranslations(dependencies: TranslationsDeps) {
  const deps: Deps = { ...dependencies, regions: createTranslationRepository(dependencies.db) };
  return {
    request: (id: number, providerId: string | null) => requestDocument(deps, id, providerId),
    requestRegion: (id: number, body: RegionBody, shared: SharedRequest | null = null) =>
      requestRegion(deps, id, body, shared),
    removeRegion: (id: number, regionId: number) => removeRegion(deps, id, regionId),
    thumbnail: (id: number, regionId: number): Promise<BytesReply> => serveThumbnail(deps, id, regionId),
    /** The part of a job's tools that the documents have. */
    toolsOf: (documentId: number, recognize: Recognize) => toolsOf(deps, documentId, recognize),
  };
}

type RegionBody = Input<typeof contract.translateRegion>['body'];

/** @throws `document.not_found`, `document.no_file`, `document.provider_not_found`, `model.not_set_up` */
function requireTranslatable(deps: Deps, id: number, providerId: string | null): DocumentRecord {
  const row = requireDocument(deps.repository, id);
  if (row.file_path === '') throw fail('document.no_file');
  if (!deps.hasTranslator(null)) throw fail('model.not_set_up');
  if (providerId !== null && !deps.hasTranslator(providerId))
    throw fail('document.provider_not_found', { id: providerId });
  return row;
}

/** Queues the translation of a document into English. */
function requestDocument(deps: Deps, id: number, providerId: string | null) {
  const { db, queue } = deps;
  requireTranslatable(deps, id, providerId);
  db.transaction(() =>
    queue.enqueue({ kind: 'translate', documentId: id, size: 0, options: { llm_provider_id: providerId } }),
  );
  notifyChanged(deps, [id]);
  queue.wake();
  return { status: 'queued' as const, document_id: id };
}

/** Stores a row for a part of a page at once, and queues its translation. */
function requestRegion(deps: Deps, id: number, body: RegionBody, shared: SharedRequest | null) {
  const { db, clock, queue, targetLanguage } = deps;
  const { page, bbox, ocr_provider_id: ocr = null, llm_provider_id: llm = null, target_language } = body;
  requireTranslatable(deps, id, llm);
  if (ocr && !queue.hasProvider('ocr', ocr)) throw fail('document.provider_not_found', { id: ocr });
  const part = { page, bbox, language: target_language ?? targetLanguage(), ocrProvider: ocr, modelId: llm };
  const region = storeRegionRequest({ db, clock, queue }, id, part, shared);
  notifyChanged(deps, [id]);
  queue.wake();
  return { status: 'queued' as const, document_id: id, region_id: region };
}

/** A part of a page to be translated, and by what. */
export interface RegionRequest {
  page: number;
  bbox: RegionBody['bbox'];
  language: string;
  ocrProvider: string | null;
  modelId: string | null;
}

/** Stores a request in one step, for whichever process runs the queue; returns the id of its row. */
export function storeRegionRequest(
  { db, clock, queue }: Pick<Deps, 'db' | 'clock'> & { queue: Pick<ReadingQueue, 'enqueue'> },
  id: number,
  { page, bbox, language, ocrProvider, modelId }: RegionRequest,
  shared: SharedRequest | null,
): number {
  return db.transaction(() => {
    const regionId = createTranslationRepository(db).insertRegion({
      ...{ document_id: id, page, bbox_x: bbox.x, bbox_y: bbox.y, bbox_w: bbox.w, bbox_h: bbox.h },
      ...{ ocr_provider_id: ocrProvider, llm_provider_id: modelId, target_language: language, status: 'queued' },
      ...{ share_id: shared?.shareId ?? null, created_at: toTimestamp(clock.now()) },
    });
    const options = {
      ...{ region_id: regionId, target_language: language, ocr_provider_id: ocrProvider, llm_provider_id: modelId },
      ...(shared?.furthest && { furthest: shared.furthest }),
    };
    queue.enqueue({ kind: 'translate_region', documentId: id, size: 0, options });
    return regionId;
  });
}

/** @throws `document.region_not_found` */
const requireRegion = ({ regions }: Deps, id: number, regionId: number): RegionRecord =>
  orNotFound(regions.regionOf(id, regionId), 'document.region_not_found');

function removeRegion(deps: Deps, id: number, regionId: number): { ok: true } {
  requireRegion(deps, id, regionId);
  deps.regions.removeRegion(regionId);
  removePicture(deps, regionId);
  notifyChanged(deps, [id]);
  return { ok: true };
}

const toRegion = ({ id, page, bbox_x, bbox_y, bbox_w, bbox_h }: RegionRecord): RegionToTranslate => ({
  ...{ id, page },
  bbox: { x: bbox_x, y: bbox_y, w: bbox_w, h: bbox_h },
});

/** The picture of a part; it is drawn again where the cache was lost. */
async function serveThumbnail(deps: Deps, id: number, regionId: number): Promise<BytesReply> {
  const region = requireRegion(deps, id, regionId);
  const row = requireDocument(deps.repository, id);
  return {
    kind: 'made',
    etag: `${row.file_hash.slice(0, 32)}-r${regionId}`,
    async make() {
      const stored = await storedPicture(deps, region.thumbnail_path);
      if (stored) return { data: stored, type: 'image/png' };
      const drawn = await cropRegion(deps, row, toRegion(region));
      if (!drawn.ok) throw fail('document.page_not_found', { page: region.page });
      return { data: drawn.value, type: 'image/png' };
    },
  };
}

function toolsOf(deps: Deps, documentId: number, recognize: Recognize): Omit<TranslationTools, 'translate'> {
  const { db, clock, store, regions } = deps;
  return {
    pages: () => store.loadPages(documentId),
    saveDocument(text, model) {
      db.transaction(() => regions.saveEnglish(documentId, text, model, toTimestamp(clock.now())));
      notifyChanged(deps, [documentId]);
    },
    region(id) {
      const row = regions.regionOf(documentId, id);
      if (!row) return null;
      return row.share_id === null || deps.shares().isOpenFor(row.share_id, documentId) ? toRegion(row) : null;
    },
    readRegion: (region) => readRegion(deps, documentId, region, recognize),
    saveRegion(id, { error, ...result }: RegionResult) {
      regions.updateRegion(id, { ...result, error: storedError(error) });
      const row = regions.region(id);
      if (row?.share_id && result.status !== 'queued') deps.shares().noteTranslation(row.share_id, documentId, row);
      notifyChanged(deps, [documentId]);
    },
  };
}

/**
 * The text of a part of a page. What was read of the page counts; where nothing was, or an engine is named, the part is
 * recognized by itself. Recipients of shares get only what is seen: the stored text may have more, or be corrected.
 */
async function readRegion(
  deps: Deps,
  documentId: number,
  region: RegionToTranslate,
  recognize: Recognize,
): ReturnType<TranslationTools['readRegion']> {
  const { repository, regions, store } = deps;
  const row = requireDocument(repository, documentId);
  const picture = await cropRegion(deps, row, region);
  if (!picture.ok) return picture;
  const thumbnailPath = regionPath(region.id);
  const { ocr_provider_id: named = null, share_id: shareId = null } = regions.region(region.id) ?? {};
  // Without the owner's choice, what recipients ask for is read on this computer.
  const engine = named ?? (shareId === null ? null : 'auto');
  const page = (await store.loadPages(documentId)).find((candidate) => candidate.page === region.page);
  const known = page && engine === null ? wordsInRegion(page, region.bbox) : '';
  if (known.trim() !== '') return { ok: true, value: { text: known, thumbnailPath, ocrProvider: null } };
  const text = await recognize(await toPageImage(picture.value), engine);
  return text.ok ? { ok: true, value: { text: text.value, thumbnailPath, ocrProvider: named } } : text;
}
