import type { Relevance } from '../../src-shared/contract/events.ts';
import type { LiveMessage } from '../../src-shared/contract/live.ts';
import type { Database } from '../database/connection.ts';
import { toTimestamp, type Clock } from '../kernel/clock.ts';
import type { Placement } from './placement.ts';
import { reindexDocument } from './text-index.ts';
import { isSettled, type WriteRepository } from './write-repository.ts';

export interface EpisodeDeps {
  db: Database; clock: Clock; repository: WriteRepository; placement: Placement;
  announce: (message: LiveMessage) => void;
  changed: () => void;
}

export type Episodes = ReturnType<typeof createEpisodes>;

/**
 * Which events a document is in. One of them at most is its home (`documents.event_id`, `primary` among the links): there its file lies.
 * All but `told` are part of the caller's transaction, with the file moves promised in it.
 */
export function createEpisodes({ db, clock, repository, placement, announce, changed }: EpisodeDeps) {
  const now = (): string => toTimestamp(clock.now());

  /** The search text knows the event's title, the folder its slug. A document that is being read is filed at the end of that. */
  function refile(documentId: number): void {
    const row = repository.get(documentId);
    if (!row) return;
    reindexDocument(db, documentId);
    if (isSettled(row.status)) placement.promiseFolder(documentId);
  }

  function setHome(documentId: number, eventId: number | null): void {
    repository.update(documentId, { event_id: eventId, updated_at: now() });
    refile(documentId);
  }

  return {
    refile,
    /** As `primary` the event becomes the home; the one that was it keeps the document as `secondary`. */
    join(documentId: number, eventId: number, relevance: Relevance): void {
      const home = repository.get(documentId)?.event_id ?? null;
      repository.linkToEvent(eventId, documentId, relevance);
      if (relevance === 'primary') {
        repository.demoteOtherEvents(documentId, eventId);
        setHome(documentId, eventId);
      } else if (home === eventId) setHome(documentId, null);
    },
    /** False when the document was not in the event. */
    leave(documentId: number, eventId: number): boolean {
      const wasIn = repository.unlinkFromEvent(eventId, documentId);
      if (repository.get(documentId)?.event_id === eventId) setHome(documentId, null);
      return wasIn;
    },
    /** After the document, or something of it, came back from the trash: what changed meanwhile counts, and the file follows. */
    mend(documentId: number): void {
      repository.dropForeignEvents(documentId);
      const home = repository.get(documentId)?.event_id ?? null;
      repository.demoteOtherEvents(documentId, home);
      if (home !== null) repository.linkToEvent(home, documentId, 'primary');
      const row = repository.get(documentId);
      if (row && isSettled(row.status) && placement.promiseFolder(documentId)) reindexDocument(db, documentId);
    },
    told(documentIds: readonly number[]): void {
      if (documentIds.length === 0) return;
      changed();
      for (const row of repository.getMany([...documentIds])) announce({ kind: 'document', document_id: row.id, patient_id: row.patient_id, status: row.status, change: 'updated' });
    },
  };
}
