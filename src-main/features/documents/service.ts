import type { Readable } from 'node:stream';
import { LANGUAGES } from '../../../src-shared/contract/language-names.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CatchUp } from '../../platform/database/catch-up.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { EventBus } from '../../platform/kernel/events.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { NameResolver } from '../names/service.ts';
import type { ReaderProvider } from '../../reading/providers/provider.ts';
import type { DocumentStore } from '../../reading/pipeline/ports.ts';
import { lstatOrNull } from '../../platform/vault/paths.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createDecisions } from './edit/decisions.ts';
import { createEdits, removeDocument } from './edit/edit.ts';
import { createEpisodes, type Episodes } from './edit/episodes.ts';
import { createFileActions } from './edit/file-actions.ts';
import { archiveLimits } from './intake/archive-upload.ts';
import { readArchive } from './intake/archive.ts';
import { ALL_RIGHTS, importDisc, importFile, previewFile, type ImportDeps } from './intake/import.ts';
import type { PaperDeps } from './intake/dicom-papers.ts';
import { detectKind } from './intake/file-type.ts';
import { createIntake, readHead } from './intake/intake.ts';
import type { NotifyDeps } from './notify.ts';
import { createLabels } from './list/label-repository.ts';
import type { Synonyms } from '../../reading/knowledge/synonyms.ts';
import { createListRepository } from './list/list-repository.ts';
import { listCorrections } from './reading/corrections-repository.ts';
import { createPictures } from './reading/pictures.ts';
import { createPlacement } from './edit/placement.ts';
import type { PageTools } from '../../reading/providers/page/page-tools.ts';
import type { DicomFiling, ReadingQueue } from './ports.ts';
import { createQueries } from './list/queries.ts';
import { createReadingRequests } from './reading/reading.ts';
import { createRowEdits, reopenDoubts } from './edit/row-edits.ts';
import { createRowRepository, type TestNames } from './row-repository.ts';
import { tryReader } from './reading/reader-trial.ts';
import { createDocumentStore } from './reading/store.ts';
import { reindexDocument } from './list/text-index-repository.ts';
import { createThumbnails } from './reading/thumbnails.ts';
import { createTranslations, type SharesOfTranslations } from './translation/translations.ts';
import { createUpload } from './intake/upload.ts';
import { correctSummary } from './edit/summary.ts';
import { createNamings } from './list/naming-repository.ts';
import { createWaitingReports } from './edit/waiting-report.ts';
import { createWriteRepository, type WriteRepository } from './write-repository.ts';

/** The wire shape of a lab result, for the labs feature. */
export type { DiscFile, ImportOptions, ImportOutcome, ImportPreview } from './intake/import.ts';
export type { SenderRights } from './intake/intake.ts';
export type { AdmitPaper, DicomFiling, FiledStudy, StagedBundleFile, StagedObject } from './ports.ts';
export { storeRegionRequest, type SharesOfTranslations } from './translation/translations.ts';
export { LAB_RESULT_SELECT, labRow, type TestNames } from './row-repository.ts';

export interface DocumentsDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  ids: () => string;
  log: Log;
  config: Config;
  access: AccessRules;
  names: NameResolver;
  testNames: TestNames;
  pages: PageTools;
  queue: ReadingQueue;
  catchUp: CatchUp;
  announce: (message: LiveMessage) => void;
  events: Pick<EventBus, 'emit'>;
  synonyms: Synonyms;
  /** Files DICOM objects. */
  dicom: DicomFiling;
  readContents: PaperDeps['readContents'];
  wrapImage: PaperDeps['wrapImage'];
  /** Whether a model may translate: this one, or with null any. */
  hasTranslator: (providerId: string | null) => boolean;
  /** What shares say of the translations that their recipients ask for. */
  shares: () => SharesOfTranslations;
}

/** Documents reindexed in one transaction after their patient was renamed. */
const REINDEX_SLICE = 20;

export type Documents = ReturnType<typeof createDocuments>;

/** The documents feature: its actions, and its store for the reading pipeline. */
export function createDocuments(dependencies: DocumentsDeps) {
  const { db, vault, ids, pages, access, catchUp, events, synonyms } = dependencies;
  const repository = createWriteRepository(db);
  const list = createListRepository(db);
  const rows = createRowRepository(db, dependencies.testNames);
  const placement = createPlacement({ vault, repository, events });
  const deps = { ...dependencies, repository, placement };
  const intake = createIntake(deps);
  const thumbnails = createThumbnails({ vault, pages, ids });
  const edits = createEdits(deps);
  const episodes = createEpisodes(deps);
  const writablePatients = writablePatientsOf(access);
  const pictures = createPictures({ vault, repository, pages, thumbnails });

  const reindex = (documentIds: readonly number[]): void => documentIds.forEach((id) => reindexDocument(db, id));
  catchUp.serve('patients', {
    slice: REINDEX_SLICE,
    ids: repository.ofPatientAfter,
    work: reindex,
  });

  const store = storeForReading({ ...deps, intake, writablePatients });

  return {
    store,
    queries: createQueries({
      ...{ access, list, rows, repository, labels: createLabels(db, dependencies.testNames) },
      synonyms: synonyms.of,
      words: synonyms.words,
    }),
    /** Resolves once words of other languages can be searched for without blocking. */
    prepareSearch: synonyms.prepare,
    pictures,
    translations: createTranslations({
      ...deps,
      store,
      targetLanguage: () => LANGUAGES[deps.config['llm.translation_target_language']],
    }),
    edits,
    decisions: createDecisions({ ...deps, edits, writablePatients }),
    rowEdits: createRowEdits(deps),
    episodes,
    files: createFileActions({ ...deps, intake }),
    reading: createReadingRequests(deps),
    ...createUpload({ ...deps, intake, eventPatient: (id) => repository.event(id)?.patient_id ?? null }),
    /** The document if the caller may see it: its owner, its name, and whether it is a PDF by its content. */
    asReport: (id: number, user: UserCaller) => findReport({ vault, access, repository }, id, user),
    waitingReports: createWaitingReports({ ...deps, episodes, writablePatients }),

    /** Imports a file for the owner of the vault. */
    importFile: (source: Readable, name: string, patientId: number) =>
      importFile({ ...deps, intake, edits }, source, name, {
        destination: { patientId, eventId: null, uploaderId: null },
        rights: ALL_RIGHTS,
      }),
    imports: importsOf({ ...deps, intake, edits }),

    reindexPatient: (patientId: number): void => reindexPatient({ repository, catchUp, reindex }, patientId),
    /** Rewrites the search text of documents. Joins a running transaction. */
    reindex,
    /** Stops reading a patient's documents, in the transaction that deletes the patient; it resumes after a restore. */
    stopReading: (patientId: number): void => repository.ofPatient(patientId).forEach(edits.withdraw),
    /** The events of a document, in the order of their ids. */
    eventsOf: (id: number) => repository.eventLinks(id),
    /** What names documents, by id. */
    namings: createNamings(db),
    belonging: (id: number) => belongingOf(repository, id),
    finishRestore: (documentIds: readonly number[], touched: readonly number[], eventId: number | null): void =>
      finishRestore({ ...deps, episodes, reindex }, documentIds, touched, eventId),
    /** What was corrected in other documents of a patient, as examples for a model. */
    correctionsOf: (patientId: number, documentId: number) => listCorrections(db, patientId, documentId),
    /** Reads a document with a reader, and compares what it found with what is stored. */
    tryReader: (id: number, reader: ReaderProvider, signal: AbortSignal) =>
      tryReader({ db, clock: dependencies.clock, store }, id, reader, signal),
    /** For the vault-files feature. */
    vaultFiles: {
      remove: (id: number, user: UserCaller) => edits.remove(id, 'with_results', user),
      isReading: dependencies.queue.isReading,
      keepPlace: placement.keepPlace,
    },
    /** Deletes the thumbnails of content that no document has any longer. */
    forgetContent: (hash: string): void => {
      if (repository.byHash(hash).length === 0) thumbnails.remove(hash);
    },
  };
}

/** The documents feature as imports of archives use it. */
const importsOf = (deps: ImportDeps & Parameters<typeof removeDocument>[0]) => ({
  ...bindFirst(deps, { previewFile, importFile, importDisc }),
  readArchive: (path: string, take: Parameters<typeof readArchive>[2]) =>
    readArchive(path, archiveLimits(deps.config), take),
  /** Moves a document to the trash if it is still there. */
  remove(id: number, userId: number | null): void {
    if (deps.repository.get(id)) removeDocument(deps, id, 'with_results', { userId });
  },
});

/** The documents feature as the reading pipeline uses it. */
const storeForReading = (deps: Parameters<typeof createDocumentStore>[0]): DocumentStore =>
  createDocumentStore({ ...deps, log: deps.log.child('documents') });

/** The patients of a user; without a user, nobody's. */
const writablePatientsOf =
  (access: AccessRules) =>
  (userId: number | null): number[] =>
    userId === null ? [] : access.ownedPatients(userId);

/**
 * Updates search after a patient was renamed. Joins a running transaction; if there are many documents, the rest is
 * updated in the background.
 */
function reindexPatient(
  {
    repository,
    catchUp,
    reindex,
  }: { repository: WriteRepository; catchUp: CatchUp; reindex: (documentIds: readonly number[]) => void },
  patientId: number,
): void {
  const first = repository.ofPatientAfter(patientId, 0, REINDEX_SLICE + 1);
  if (first.length <= REINDEX_SLICE) return reindex(first);
  catchUp.note('patients', patientId, null);
  catchUp.wake();
}

/** Patient and uploader of a document; undefined for an unknown document. */
function belongingOf(
  repository: WriteRepository,
  id: number,
): { patientId: number | null; uploaderId: number | null } | undefined {
  const row = repository.get(id);
  return row && { patientId: row.patient_id, uploaderId: row.uploaded_by_user_id };
}

export interface FoundReport {
  patientId: number | null;
  uploaderId: number | null;
  filename: string;
  isPdf: boolean;
}

/** @throws `document.not_found` also for a document that the user may not see, `auth.read_only`, `document.no_file` */
async function findReport(
  { vault, access, repository }: { vault: Vault; access: AccessRules; repository: WriteRepository },
  id: number,
  user: UserCaller,
): Promise<FoundReport> {
  const row = repository.get(id);
  const belonging = { patientId: row?.patient_id ?? null, uploaderId: row?.uploaded_by_user_id ?? null };
  if (!row || !access.may(user, 'read', belonging)) throw fail('document.not_found');
  if (!access.may(user, 'write', belonging)) throw fail('auth.read_only');
  if (row.file_path === '') throw fail('document.no_file');
  const path = vault.resolve(row.file_path);
  if (!lstatOrNull(path)?.isFile()) throw fail('document.file_missing');
  const kind = await detectKind(await readHead(path));
  return { ...belonging, filename: row.original_filename, isPdf: kind?.kind === 'pdf' };
}

interface RestoreDeps extends NotifyDeps {
  db: Database;
  queue: ReadingQueue;
  episodes: Episodes;
  reindex: (documentIds: readonly number[]) => void;
}

/**
 * Completes a restore from the trash, in its transaction: repairs event links, updates search, and queues documents
 * that were not read yet. `touched` are documents for which something was restored, such as a row or their event.
 */
function finishRestore(
  { db, queue, repository, announce, episodes, reindex }: RestoreDeps,
  documentIds: readonly number[],
  touched: readonly number[],
  eventId: number | null,
): void {
  episodes.repairLinks(documentIds);
  for (const id of new Set([...documentIds, ...touched])) repository.assignResults(id);
  if (eventId === null) {
    episodes.repairLinks(touched);
    for (const id of touched) {
      reopenDoubts({ repository }, id);
      correctSummary(repository, id);
    }
    reindex(touched);
    episodes.notifyChanged(touched);
  } else episodes.notifyChanged(episodes.repairLinksOfEvent(eventId, touched));
  for (const row of repository.getMany([...documentIds])) {
    if (row.status === 'pending' || row.status === 'processing')
      db.transaction(() => queue.enqueue({ kind: 'upload', documentId: row.id, size: row.file_size }));
    announce({
      kind: 'document',
      document_id: row.id,
      patient_id: row.patient_id,
      status: row.status,
      change: 'created',
    });
  }
  queue.wake();
}
