import type { Readable } from 'node:stream';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CatchUp } from '../../platform/database/catch-up.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { Names } from '../names/service.ts';
import type { DocumentStore } from '../../reading/pipeline/ports.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createEdits } from './edit/edit.ts';
import { createEpisodes } from './edit/episodes.ts';
import { createFileActions } from './edit/file-actions.ts';
import { createIntake } from './intake/intake.ts';
import { createLabels } from './list/labels.ts';
import { createListRepository } from './list/list-repository.ts';
import { createPictures } from './reading/pictures.ts';
import { createPlacement } from './edit/placement.ts';
import type { PageTools } from '../../reading/providers/page/page-tools.ts';
import type { ReadingQueue } from './ports.ts';
import { createQueries } from './list/queries.ts';
import { createReadingRequests } from './reading/reading.ts';
import { createRowEdits } from './edit/row-edits.ts';
import { createRowRepository } from './row-repository.ts';
import { createDocumentStore } from './reading/store.ts';
import { reindexDocument } from './list/text-index.ts';
import { createThumbnails } from './reading/thumbnails.ts';
import { createUpload } from './intake/upload.ts';
import { createTitles } from './list/title-repository.ts';
import { createWriteRepository } from './write-repository.ts';

/** How a result of a document is read for the wire, for the feature that lists results over documents. */
export { LAB_RESULT_SELECT, labRow } from './row-repository.ts';

export interface DocumentsDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  ids: () => string;
  log: Log;
  config: Config;
  access: AccessRules;
  names: Names;
  pages: PageTools;
  queue: ReadingQueue;
  catchUp: CatchUp;
  announce: (message: LiveMessage) => void;
}

/** So many documents at once learn another name of their patient. */
const REINDEXED = 20;

export type Documents = ReturnType<typeof createDocuments>;

/** The documents feature: what it does for people, and how the pipeline sees it. */
export function createDocuments(given: DocumentsDeps) {
  const { db, vault, queue, ids, pages, access } = given;
  const repository = createWriteRepository(db);
  const list = createListRepository(db);
  const rows = createRowRepository(db);
  const placement = createPlacement({ vault, repository });
  const deps = { ...given, repository, placement, changed: list.changed };
  const intake = createIntake(deps);
  const thumbnails = createThumbnails({ vault, pages, ids });
  const edits = createEdits(deps);
  const episodes = createEpisodes(deps);
  const pictures = createPictures({ vault, repository, pages, thumbnails });

  const store: DocumentStore = createDocumentStore({
    ...deps,
    log: given.log.child('documents'),
    intake,
    writablePatients: (userId) => (userId === null ? [] : access.ownedPatients(userId)),
  });

  const reindex = (documentIds: readonly number[]): void => documentIds.forEach((id) => reindexDocument(db, id));
  given.catchUp.serve('patients', {
    slice: REINDEXED,
    ids: repository.ofPatientAfter,
    work: reindex,
    done: list.changed,
  });

  return {
    store,
    queries: createQueries({ access, list, rows, repository, labels: createLabels(db) }),
    pictures,
    edits,
    rowEdits: createRowEdits(deps),
    episodes,
    files: createFileActions({ ...deps, intake }),
    reading: createReadingRequests(deps),
    upload: createUpload({ ...deps, intake, eventPatient: (id) => repository.event(id)?.patient_id ?? null }).upload,

    /** A file of this machine into a patient's record, without asking who may. Throws as an upload does. */
    async importFile(source: Readable, name: string, patientId: number): Promise<{ message: string }> {
      const file = await vault.receive(source, { limit: given.config['upload.max_bytes'] });
      try {
        const kind = await intake.identify(file.path, file.size, name);
        await intake.check(file.path, kind);
        return intake.admit(file, name, kind, { patientId, eventId: null, uploaderId: null }, () => true);
      } finally {
        vault.discard(file.path);
      }
    },

    /** Names of a patient are part of what search knows. Joins a running transaction; search learns many documents soon after it. */
    reindexPatient(patientId: number): void {
      const first = repository.ofPatientAfter(patientId, 0, REINDEXED + 1);
      if (first.length <= REINDEXED) return reindex(first);
      given.catchUp.note('patients', patientId, null);
      given.catchUp.wake();
    },
    /** Writes the search text of documents anew. Joins a running transaction. */
    reindex,
    /** Ends the reading of all documents of a patient, in the transaction that takes him away; it goes on when he comes back. */
    stopReading: (patientId: number): void => repository.ofPatient(patientId).forEach((id) => edits.withdraw(id)),
    /** What documents are about, by id; null where nothing names one. */
    titles: createTitles(db),
    /** Whose a document is; undefined when there is no such document. */
    belonging(id: number): { patientId: number | null; uploaderId: number | null } | undefined {
      const row = repository.get(id);
      return row && { patientId: row.patient_id, uploaderId: row.uploaded_by_user_id };
    },
    /**
     * Documents came back from the trash: what had not been read is read now. `touched` are documents that something came back to,
     * such as a row or their event. Part of the transaction that brings them back.
     */
    restored(documentIds: readonly number[], touched: readonly number[], eventId: number | null): void {
      list.changed();
      episodes.mend(documentIds);
      if (eventId === null) {
        episodes.mend(touched);
        reindex(touched);
        episodes.told(touched);
      } else episodes.told(episodes.mendAround(eventId, touched));
      for (const row of repository.getMany([...documentIds])) {
        if (row.status === 'pending' || row.status === 'processing')
          db.transaction(() => queue.enqueue({ kind: 'upload', documentId: row.id, size: row.file_size }));
        given.announce({
          kind: 'document',
          document_id: row.id,
          patient_id: row.patient_id,
          status: row.status,
          change: 'created',
        });
      }
      queue.wake();
    },
    /** For people who handle the files themselves. */
    vaultFiles: {
      remove: (id: number, user: UserCaller) => edits.remove(id, 'with_results', user),
      isReading: queue.isReading,
      keepPlace: placement.keepPlace,
      changed: list.changed,
    },
    /** Something outside changed documents, such as the trash. */
    changed: list.changed,
    /** Content that no document has any more leaves nothing in the caches. */
    forgetContent(hash: string): void {
      if (repository.byHash(hash).length === 0) thumbnails.remove(hash);
    },
  };
}
