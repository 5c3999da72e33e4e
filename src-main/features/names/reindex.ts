import type { CatchUp } from '../../platform/database/catch-up.ts';
import { NAME_KINDS, type NameKind } from '../../platform/database/schema/names.ts';
import type { ReferenceRepository } from './reference-repository.ts';

/** Documents indexed in the transaction of the change itself. */
const AT_ONCE = 60;
const SLICE = 10;

export interface NameReindex {
  /**
   * The documents of an entry are to be found under its present name. Joins a running transaction; many are done after
   * it, in slices that survive a restart.
   */
  entry(kind: NameKind, id: number): void;
  /** The same for the documents of an entry that is gone: `ids` in ascending order. */
  gone(kind: NameKind, id: number, ids: readonly number[]): void;
  /** Works off what is left, once the running transaction has ended. */
  wake(): void;
}

export interface ReindexDeps {
  catchUp: CatchUp;
  references: ReferenceRepository;
  /** Writes the search text of documents anew. */
  reindex(documentIds: readonly number[]): void;
  /** Called after documents were indexed in the background. */
  changed(): void;
}

/** Updates the search text of documents when names change. */
export function createNameReindex({ catchUp, references, reindex, changed }: ReindexDeps): NameReindex {
  for (const kind of NAME_KINDS)
    catchUp.serve(kind, {
      slice: SLICE,
      ids: (id, after, limit) => references.documentIds(kind, id, after, limit),
      work: reindex,
      done: changed,
    });
  return {
    entry(kind, id) {
      const ids = references.documentIds(kind, id, 0, AT_ONCE + 1);
      if (ids.length <= AT_ONCE) reindex(ids);
      else catchUp.note(kind, id, null);
    },
    gone(kind, id, ids) {
      if (ids.length <= AT_ONCE) reindex(ids);
      else catchUp.note(kind, id, ids);
    },
    wake: catchUp.wake,
  };
}
