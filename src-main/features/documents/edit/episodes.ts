import type { Relevance } from '../../../../src-shared/contract/events.ts';
import type { LiveMessage } from '../../../../src-shared/contract/live.ts';
import type { CatchUp } from '../../../platform/database/catch-up.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import type { Placement } from './placement.ts';
import { reindexDocument } from '../list/text-index.ts';
import { isSettled, type WriteRepository } from '../write-repository.ts';

/** So many documents follow their event within the change itself; each costs an entry of the search text and the move of a file. */
const AT_ONCE = 60;
const SLICE = 20;

export interface EpisodeDeps {
  db: Database;
  clock: Clock;
  repository: WriteRepository;
  placement: Placement;
  catchUp: CatchUp;
  announce: (message: LiveMessage) => void;
  changed: () => void;
}

export type Episodes = ReturnType<typeof createEpisodes>;

/**
 * Which events a document is in. One of them at most is its home (`documents.event_id`, `primary` among the links): there its file lies.
 * All but `told` and `followed` are part of the caller's transaction, with the file moves promised in it.
 */
export function createEpisodes({ db, clock, repository, placement, catchUp, announce, changed }: EpisodeDeps) {
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

  function told(documentIds: readonly number[]): void {
    if (documentIds.length === 0) return;
    changed();
    for (const row of repository.getMany([...documentIds]))
      announce({
        kind: 'document',
        document_id: row.id,
        patient_id: row.patient_id,
        status: row.status,
        change: 'updated',
      });
  }

  catchUp.serve('events', {
    slice: SLICE,
    ids: repository.ofEventAfter,
    work: (ids) => ids.forEach(refile),
    done: told,
  });

  return {
    /** The event has another name: its documents follow. Answers those that did so at once; the others do it soon, see `followed`. */
    follow(eventId: number): readonly number[] {
      const ids = repository.ofEventAfter(eventId, 0, AT_ONCE + 1);
      if (ids.length > AT_ONCE) {
        catchUp.note('events', eventId, null);
        return [];
      }
      ids.forEach(refile);
      return ids;
    },
    /** The same of documents whose event is gone or came back. */
    followEach(eventId: number, documentIds: readonly number[]): readonly number[] {
      if (documentIds.length > AT_ONCE) {
        catchUp.note(
          'events',
          eventId,
          documentIds.toSorted((a, b) => a - b),
        );
        return [];
      }
      documentIds.forEach(refile);
      return documentIds;
    },
    /** Resolves when the files of all documents that follow this event are where they belong. */
    followed: (eventId: number): Promise<void> => catchUp.finished('events', eventId),
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
    /** Documents came back from the trash, or something of theirs: what changed meanwhile counts, and their files follow. */
    mend(documentIds: readonly number[]): void {
      repository.mendEvents(documentIds);
      for (const id of documentIds) {
        const row = repository.get(id);
        if (row && isSettled(row.status) && placement.promiseFolder(id)) reindexDocument(db, id);
      }
    },
    /** The same of documents that an event came back to. */
    mendAround(eventId: number, documentIds: readonly number[]): readonly number[] {
      repository.mendEvents(documentIds);
      return this.followEach(eventId, documentIds);
    },
    told,
  };
}
