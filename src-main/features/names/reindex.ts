import type { CatchUp } from '../../platform/database/catch-up.ts';
import { NAME_KINDS, type NameKind } from '../../platform/database/schema/names.ts';
import type { ReferenceRepository } from './reference-repository.ts';

/** Up to this many documents are indexed in the transaction of the change itself. */
const MAX_IMMEDIATE_DOCUMENTS = 60;
const SLICE_SIZE = 10;

export interface NameReindex {
  /**
   * Indexes the documents of an entry under its current name. Joins a running transaction; if there are many documents,
   * they are indexed after it, in slices that survive a restart.
   */
  reindexEntry(kind: NameKind, id: number): void;
  /** Does the same for the documents of a deleted entry: `ids` in ascending order. */
  reindexDocuments(kind: NameKind, id: number, ids: readonly number[]): void;
  /** Starts the background work once the running transaction has ended. */
  wake(): void;
}

export interface ReindexDeps {
  catchUp: CatchUp;
  references: ReferenceRepository;
  /** Rewrites the search text of documents. */
  reindex(documentIds: readonly number[]): void;
}

/** Updates the search text of documents when names change. */
export function createNameReindex({ catchUp, references, reindex }: ReindexDeps): NameReindex {
  for (const kind of NAME_KINDS)
    catchUp.serve(kind, {
      slice: SLICE_SIZE,
      ids: (id, after, limit) => references.documentIds(kind, id, after, limit),
      work: reindex,
    });
  return {
    reindexEntry(kind, id) {
      const ids = references.documentIds(kind, id, 0, MAX_IMMEDIATE_DOCUMENTS + 1);
      if (ids.length <= MAX_IMMEDIATE_DOCUMENTS) reindex(ids);
      else catchUp.note(kind, id, null);
    },
    reindexDocuments(kind, id, ids) {
      if (ids.length <= MAX_IMMEDIATE_DOCUMENTS) reindex(ids);
      else catchUp.note(kind, id, ids);
    },
    wake: catchUp.wake,
  };
}
