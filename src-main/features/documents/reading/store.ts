import { storedError } from '../../../platform/kernel/stored-error.ts';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import type { DocumentStatus } from '../../../../src-shared/contract/rows.ts';
import type { PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { Extraction, ReaderContext } from '../../../reading/extraction/extraction.ts';
import { toCivilDate, toTimestamp } from '../../../platform/kernel/clock.ts';
import type { Home, NameKind, NameResolver } from '../../names/service.ts';
import type { DocumentStore, DocumentToRead, PackedPage } from '../../../reading/pipeline/ports.ts';
import { isDoubtful } from '../../../reading/extraction/review.ts';
import { isAboutPatient } from '../../../reading/extraction/patient-decision.ts';
import type { ReadOutcome } from '../../../reading/providers/provider.ts';
import { notifyChanged, type NotifyDeps } from '../notify.ts';
import type { Placement } from '../edit/placement.ts';
import type { EditableKind } from '../edit/user-edits.ts';
import { correctSummary } from '../edit/summary.ts';
import { compareWithHistory } from './history-doubts.ts';
import { adoptInboxDisc, adoptInboxFile, type InboxDeps } from './inbox.ts';
import { householdOf, ownerOf, type Owner } from './owner.ts';
import { extractedFields, fieldEvidence, rowsOf } from './extracted-columns.ts';
import { isCounted } from '../edit/row-edits.ts';
import { remainingReasons, withMoreDoubtfulRows } from '../edit/review-reasons.ts';
import { reindexDocument } from '../list/text-index-repository.ts';
import type { DocumentRows } from '../extracted-rows-repository.ts';
import type { DocumentFields, DocumentRecord, WriteRepository } from '../write-repository.ts';

const pack = promisify<string, Buffer>(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);

export interface StoreDeps extends NotifyDeps, InboxDeps {
  names: NameResolver;
  placement: Placement;
  repository: WriteRepository;
}

/** The documents feature as the reading pipeline uses it. */
export function createDocumentStore(deps: StoreDeps): DocumentStore {
  const { vault, repository, placement } = deps;
  return {
    load: (id) => loadDocument(deps, id),
    markStarted: (id) => setStatus(deps, id, 'processing', { error_message: null }),
    packPages,
    saveReading: (id, outcome, packed) => saveReading(deps, id, outcome, packed),
    async loadPages(id) {
      const pages: PageText[] = [];
      for (const data of repository.pages(id)) pages.push(JSON.parse((await unpack(data)).toString()) as PageText);
      return pages;
    },
    saveExtraction: (id, extraction, provider, pages) => saveExtraction(deps, id, extraction, provider, pages),
    organize(id) {
      const path = vault.transaction(() => placement.planMove(id));
      notifyChanged(deps, [id]);
      return path;
    },
    markFinished: (id) => finishReading(deps, id),
    markFailed: (id, error, retryCount) =>
      setStatus(deps, id, 'failed', { error_message: storedError(error), retry_count: retryCount, process_at: null }),
    markPending: (id, { error, retryCount, processAt }) =>
      setStatus(deps, id, 'pending', {
        error_message: storedError(error),
        retry_count: retryCount,
        process_at: processAt,
      }),
    markCancelled: (id) => setStatus(deps, id, 'cancelled', { process_at: null }),
    adopt: (file) => adoptInboxFile(deps, file),
    adoptDisc: (disc) => adoptInboxDisc(deps, disc),
    knows: (path) => vault.knows(path),
  };
}

const now = ({ clock }: StoreDeps): string => toTimestamp(clock.now());

function setStatus(deps: StoreDeps, id: number, status: DocumentStatus, fields: DocumentFields = {}): void {
  deps.repository.update(id, { status, updated_at: now(deps), ...fields });
  notifyChanged(deps, [id]);
}

function loadDocument(deps: StoreDeps, id: number): DocumentToRead | null {
  const row = deps.repository.get(id);
  if (!row) return null;
  return {
    id,
    patient_id: row.patient_id,
    file_path: row.file_path,
    mime_type: row.mime_type,
    file_hash: row.file_hash,
    file_size: row.file_size,
    original_filename: row.original_filename,
    page_turns: (row.page_turns ?? {}) as Record<string, PageTurn>,
    retry_count: row.retry_count,
    context: contextOf(deps, row),
  };
}

/** Data that helps the readers. */
function contextOf(deps: StoreDeps, row: DocumentRecord): ReaderContext {
  const { clock } = deps;
  return {
    ...householdOf(deps, row),
    today: toCivilDate(clock.now()),
    original_filename: row.original_filename,
  };
}

async function packPages(pages: readonly PageText[]): Promise<PackedPage[]> {
  const packed: PackedPage[] = [];
  for (const page of pages) packed.push({ page: page.page, data: await pack(JSON.stringify(page)) });
  return packed;
}

function saveReading(
  deps: StoreDeps,
  id: number,
  { pages, ocr_engine }: ReadOutcome,
  packed: readonly PackedPage[],
): void {
  const { db, repository } = deps;
  db.transaction(() => {
    repository.savePages(id, [...packed]);
    repository.update(id, {
      page_count: pages.length,
      ocr_confidence: meanConfidence(pages),
      ocr_engine: ocr_engine ?? 'text_layer',
      updated_at: now(deps),
    });
    reindexDocument(db, id, pages.map((page) => page.text).join('\n\n'));
  });
}

/** Weighted by the length of the pages. */
function meanConfidence(pages: readonly PageText[]): number {
  const letters = pages.reduce((sum, page) => sum + page.text.length, 0);
  return letters ? pages.reduce((sum, page) => sum + page.confidence * page.text.length, 0) / letters : 0;
}

/** Stores an extraction in one transaction; fields and rows that a user edited are preserved. */
export function saveExtraction(
  deps: StoreDeps,
  id: number,
  extraction: Extraction,
  provider: string,
  readPages: readonly PageText[],
): void {
  const { db, repository, names } = deps;
  db.transaction(() => {
    const row = repository.get(id);
    if (!row) return;
    const pages = new Map(readPages.map((page) => [page.page, page]));
    const edited = new Set(row.edited_fields ?? []);
    const hasText = extraction.review_reasons.every(({ code }) => code !== 'no_text');
    const owner = ownerOf(deps, row, extraction.patient, hasText);
    const home = { patientId: owner.patientId, uploaderId: row.uploaded_by_user_id };
    if (owner.patientId !== row.patient_id) names.adopt({ table: 'documents', id }, home);
    const fields = extractedFields(names, home, extraction, row.original_date);
    const reasons = extraction.review_reasons.filter((reason) => !isAboutPatient(reason)).concat(owner.reasons);
    repository.update(id, {
      ...withoutEdited(fields, edited),
      patient_id: owner.patientId,
      patient_undecided: owner.isUndecided,
      llm_provider: provider,
      evidence: withSurePatient(fieldEvidence(extraction, pages), owner),
      review_reasons: remainingReasons(
        row.original_date === null ? reasons : reasons.filter(({ code }) => code !== 'no_event_date'),
        [...edited],
      ),
      updated_at: now(deps),
    });
    const doctorId = fields.doctor_id ?? null;
    const facilityId = fields.facility_id ?? null;
    const rows = rowsOf(extraction, { doctorId, facilityId, pages });
    const replaced = repository.replaceRows(id, rows, (kind, found) => entryColumns(names, home, kind, found));
    recountRows(repository, id, replaced);
    repository.assignResults(id);
    compareWithHistory(db, id);
    repository.saveRawExtraction(id, JSON.stringify(extraction));
    correctSummary(repository, id);
    reindexDocument(db, id);
  });
  notifyChanged(deps, [id]);
}

/** Counts the doubtful rows without those that a user settled before, and with those that they left doubtful. */
function recountRows(repository: WriteRepository, id: number, replaced: readonly object[]): void {
  const settled = replaced.filter((row) => {
    const { evidence, doubt } = row as { evidence?: { confidence: number } | null; doubt?: LabDoubt[] | null };
    return isDoubtful({ confidence: evidence?.confidence ?? 1, doubt: doubt ?? [] });
  });
  const left = repository.doubts(id, 'edited').filter(isCounted);
  const reasons = repository.get(id)?.review_reasons ?? [];
  repository.update(id, { review_reasons: withMoreDoubtfulRows(reasons, left.length - settled.length) });
}

/** A name that agrees with the patient in full is sure, however it was read. */
function withSurePatient(evidence: ReturnType<typeof fieldEvidence>, { nameConfidence }: Owner): typeof evidence {
  const { extracted_patient_name: name } = evidence;
  if (!name || nameConfidence <= name.confidence) return evidence;
  return { ...evidence, extracted_patient_name: { ...name, confidence: nameConfidence } };
}

const withoutEdited = (fields: DocumentFields, edited: ReadonlySet<string>): DocumentFields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([field]) => !edited.has(field) && !(field === 'norm_specialty_id' && edited.has('specialty_original')),
    ),
  );

function finishReading(deps: StoreDeps, id: number): void {
  const { vault, repository, placement } = deps;
  // A field that changed while the last stages ran may require another folder.
  vault.transaction(() => placement.planMove(id));
  const row = repository.get(id);
  if (!row) return;
  const needsReview = Boolean(row.review_reasons?.length) || row.patient_id === null || row.patient_undecided;
  setStatus(deps, id, needsReview ? 'needs_review' : 'done', { error_message: null, retry_count: 0, process_at: null });
}

interface NameHints {
  code?: string | null;
  sample?: string | null;
  unit?: string | null;
}

/** The column that links a row to the canonical entry of its test, diagnosis or medicine. */
function entryColumns(names: NameResolver, home: Home, kind: EditableKind, row: object): object {
  const entry = (of: NameKind, printed: string | null | undefined, hints: NameHints = {}): number | null =>
    printed ? names.resolve(home, of, printed, { ...hints, auto: true }) : null;
  switch (kind) {
    case 'lab_results': {
      const { test_name_original, sample_type = null, unit = null } = row as DocumentRows['lab_results'][number];
      return { norm_lab_test_id: entry('lab_tests', test_name_original, { sample: sample_type, unit }) };
    }
    case 'encounters': {
      const { diagnosis_original, diagnosis_code = null } = row as DocumentRows['encounters'][number];
      return { norm_diagnosis_id: entry('diagnoses', diagnosis_original, { code: diagnosis_code }) };
    }
    case 'medications': {
      const { active_ingredient_original, brand_name } = row as DocumentRows['medications'][number];
      return { norm_medication_id: entry('medications', active_ingredient_original || brand_name) };
    }
    case 'vaccinations':
      return {};
  }
}
