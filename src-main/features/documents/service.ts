import type { Readable } from 'node:stream';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CatchUp } from '../../platform/database/catch-up.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { NameResolver } from '../names/service.ts';
import type { DocumentStore } from '../../reading/pipeline/ports.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createDecisions } from './edit/decisions.ts';
import { createEdits } from './edit/edit.ts';
import { createEpisodes, type Episodes } from './edit/episodes.ts';
import { createFileActions } from './edit/file-actions.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import type { NotifyDeps } from './notify.ts';
import { createLabels } from './list/labels.ts';
import type { Synonyms } from '../../reading/knowledge/synonyms.ts';
import { createListRepository } from './list/list-repository.ts';
import { createPictures } from './reading/pictures.ts';
import { createPlacement } from './edit/placement.ts';
import type { PageTools } from '../../reading/providers/page/page-tools.ts';
import type { ReadingQueue } from './ports.ts';
import { createQueries } from './list/queries.ts';
import { createReadingRequests } from './reading/reading.ts';
import { createRowEdits, reopenDoubts } from './edit/row-edits.ts';
import { createRowRepository, type TestNames } from './row-repository.ts';
import { createDocumentStore } from './reading/store.ts';
import { reindexDocument } from './list/text-index.ts';
import { createThumbnails } from './reading/thumbnails.ts';
import { createUpload } from './intake/upload.ts';
import { correctSummary } from './edit/summary.ts';
import { createNamings } from './list/naming-repository.ts';
import { createWriteRepository, type WriteRepository } from './write-repository.ts';

/** The wire shape of a lab result, for the labs feature. */
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
  synonyms: Synonyms;
}

/** Documents reindexed in one transaction after their patient was renamed. */
const REINDEX_SLICE = 20;

export type Documents = ReturnType<typeof createDocuments>;

/** The documents feature: its actions, and its store for the reading pipeline. */
export function createDocuments(dependencies: DocumentsDeps) {
  const { db, vault, ids, pages, access, catchUp, synonyms } = dependencies;
  const repository = createWriteRepository(db);
  const list = createListRepository(db);
  const rows = createRowRepository(db, dependencies.testNames);
  const placement = createPlacement({ vault, repository });
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

  return {
    store: storeForReading({ ...deps, intake, writablePatients }),
    queries: createQueries({ access, list, rows, repository, labels: createLabels(db), synonyms: synonyms.of }),
    /** Resolves once words of other languages can be searched for without blocking. */
    prepareSearch: synonyms.prepare,
    pictures,
    edits,
    decisions: createDecisions({ ...deps, edits, writablePatients }),
    rowEdits: createRowEdits(deps),
    episodes,
    files: createFileActions({ ...deps, intake }),
    reading: createReadingRequests(deps),
    upload: createUpload({ ...deps, intake, eventPatient: (id) => repository.event(id)?.patient_id ?? null }).upload,

    importFile: (source: Readable, name: string, patientId: number) =>
      importFile({ ...deps, intake }, source, name, patientId),

    reindexPatient: (patientId: number): void => reindexPatient({ repository, catchUp, reindex }, patientId),
    /** Rewrites the search text of documents. Joins a running transaction. */
    reindex,
    /** Stops reading a patient's documents, in the transaction that deletes the patient; it resumes after a restore. */
    stopReading: (patientId: number): void => repository.ofPatient(patientId).forEach(edits.withdraw),
    /** What names documents, by id. */
    namings: createNamings(db),
    belonging: (id: number) => belongingOf(repository, id),
    finishRestore: (documentIds: readonly number[], touched: readonly number[], eventId: number | null): void =>
      finishRestore({ ...deps, episodes, reindex }, documentIds, touched, eventId),
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

/** Imports a file into a patient's record without an access check. Throws the same errors as an upload. */
async function importFile(
  { vault, config, intake }: { vault: Vault; config: Config; intake: Intake },
  source: Readable,
  name: string,
  patientId: number,
): Promise<{ message: string }> {
  const file = await vault.receive(source, { limit: config['upload.max_bytes'] });
  try {
    const kind = await intake.identify(file.path, file.size, name);
    await intake.check(file.path, kind);
    const rights = { mayKnow: () => true, mayRestore: () => false };
    return intake.admit(file, name, kind, { patientId, eventId: null, uploaderId: null }, rights);
  } finally {
    vault.discard(file.path);
  }
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
