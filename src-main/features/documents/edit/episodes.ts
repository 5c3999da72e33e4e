import type { Relevance } from '../../../../src-shared/contract/events.ts';
import type { CatchUp } from '../../../platform/database/catch-up.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { notifyChanged, type NotifyDeps } from '../notify.ts';
import type { Placement } from './placement.ts';
import { reindexDocument } from '../list/text-index-repository.ts';
import { isSettled } from '../write-repository.ts';

/** Documents refiled in the transaction of the change itself; each costs one search-text update and one file move. */
const MAX_REFILED_AT_ONCE = 60;
/** Documents refiled in one background transaction. */
const SLICE_SIZE = 20;

export interface EpisodeDeps extends NotifyDeps {
  db: Database;
  clock: Clock;
  placement: Placement;
  catchUp: CatchUp;
}

export type Episodes = ReturnType<typeof createEpisodes>;

/**
 * The events of a document. At most one event is primary (`documents.event_id`) and determines the folder. All
 * functions except `notifyChanged` and `waitForRefiling` are part of the caller's transaction, which also journals the
 * file moves.
 */
export function createEpisodes(deps: EpisodeDeps) {
  const { repository, catchUp } = deps;
  catchUp.serve('events', {
    slice: SLICE_SIZE,
    ids: repository.ofEventAfter,
    work: (ids) => ids.forEach((id) => refile(deps, id)),
    afterSlice: (ids) => notifyChanged(deps, ids),
  });
  return {
    refileAll: (eventId: number): readonly number[] => refileAll(deps, eventId),
    refileEach: (eventId: number, documentIds: readonly number[]): readonly number[] =>
      refileEach(deps, eventId, documentIds),
    /** Resolves when the files of all documents of this event are in their folders. */
    waitForRefiling: (eventId: number): Promise<void> => catchUp.whenFinished('events', eventId),
    join: (documentId: number, eventId: number, relevance: Relevance): void =>
      joinEvent(deps, documentId, eventId, relevance),
    leave: (documentId: number, eventId: number): boolean => leaveEvent(deps, documentId, eventId),
    repairLinks: (documentIds: readonly number[]): void => repairLinks(deps, documentIds),
    /** Does the same for documents whose event was restored; returns those that were refiled at once. */
    repairLinksOfEvent(eventId: number, documentIds: readonly number[]): readonly number[] {
      repository.repairEventLinks(documentIds);
      return refileEach(deps, eventId, documentIds);
    },
    notifyChanged: (documentIds: readonly number[]): void => notifyChanged(deps, documentIds),
  };
}

/**
 * Updates search text (event title) and folder (event slug). The pipeline files a document that is still being read.
 */
function refile({ db, repository, placement }: EpisodeDeps, documentId: number): void {
  const row = repository.get(documentId);
  if (!row) return;
  reindexDocument(db, documentId);
  if (isSettled(row.status)) placement.planFolderMove(documentId);
}

function setPrimary(deps: EpisodeDeps, documentId: number, eventId: number | null): void {
  deps.repository.update(documentId, { event_id: eventId, updated_at: toTimestamp(deps.clock.now()) });
  refile(deps, documentId);
}

/**
 * Refiles the documents of a renamed event. Returns those refiled at once; if there are many, they are refiled in the
 * background, see `waitForRefiling`.
 */
export function refileAll(deps: EpisodeDeps, eventId: number): readonly number[] {
  const ids = deps.repository.ofEventAfter(eventId, 0, MAX_REFILED_AT_ONCE + 1);
  if (ids.length > MAX_REFILED_AT_ONCE) {
    deps.catchUp.note('events', eventId, null);
    return [];
  }
  ids.forEach((id) => refile(deps, id));
  return ids;
}

/** Does the same for given documents, whose event was deleted or restored. */
export function refileEach(deps: EpisodeDeps, eventId: number, documentIds: readonly number[]): readonly number[] {
  if (documentIds.length > MAX_REFILED_AT_ONCE) {
    deps.catchUp.note(
      'events',
      eventId,
      documentIds.toSorted((a, b) => a - b),
    );
    return [];
  }
  documentIds.forEach((id) => refile(deps, id));
  return documentIds;
}

/**
 * Links a document to an event. A new primary event replaces the earlier one, which keeps the document as `secondary`.
 */
export function joinEvent(deps: EpisodeDeps, documentId: number, eventId: number, relevance: Relevance): void {
  const { repository } = deps;
  const primary = repository.get(documentId)?.event_id ?? null;
  repository.linkToEvent(eventId, documentId, relevance);
  if (relevance === 'primary') {
    repository.demoteOtherEvents(documentId, eventId);
    setPrimary(deps, documentId, eventId);
  } else if (primary === eventId) setPrimary(deps, documentId, null);
}

/** Returns false when the document was not linked to the event. */
export function leaveEvent(deps: EpisodeDeps, documentId: number, eventId: number): boolean {
  const wasLinked = deps.repository.unlinkFromEvent(eventId, documentId);
  if (deps.repository.get(documentId)?.event_id === eventId) setPrimary(deps, documentId, null);
  return wasLinked;
}

/** Restored documents may link to events that changed meanwhile: repairs the links and refiles the documents. */
export function repairLinks({ db, repository, placement }: EpisodeDeps, documentIds: readonly number[]): void {
  repository.repairEventLinks(documentIds);
  for (const id of documentIds) {
    const row = repository.get(id);
    if (row && isSettled(row.status) && placement.planFolderMove(id)) reindexDocument(db, id);
  }
}
