import type { Database } from '../database/connection.ts';
import type { NameKind } from '../database/schema/names.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ReferenceRepository } from './reference-repository.ts';

/** So many documents are indexed within the change itself. */
const AT_ONCE = 60;
const SLICE = 10;
/** Requests get their turn between two slices. */
const PAUSE_MS = 15;

export interface NameReindex {
  /** The documents of an entry are to be found under its present name. Joins a running transaction; many are done after it, in slices that survive a restart. */
  entry(kind: NameKind, id: number): void;
  /** The same for the documents of an entry that is gone: `ids` in ascending order. */
  gone(kind: NameKind, id: number, ids: readonly number[]): void;
  /** Works off what is left, once the running transaction has ended. */
  wake(): void;
  stop(): Promise<void>;
}

export interface ReindexDeps {
  db: Database; clock: Clock; references: ReferenceRepository;
  /** Writes the search text of documents anew. */
  reindex(documentIds: readonly number[]): void;
  /** Called after documents were indexed in the background. */
  changed(): void;
}

interface Row { id: number; kind: NameKind; entry_id: number; position: number; document_ids: string | null }

/** Keeps the search text of documents in step with the names in it. */
export function createNameReindex({ db, clock, references, reindex, changed }: ReindexDeps): NameReindex {
  const ended = new AbortController();
  let running: Promise<void> | null = null;

  const slice = (): boolean => db.transaction(() => {
    const row = db.prepare('SELECT id, kind, entry_id, position, document_ids FROM name_reindexes ORDER BY id LIMIT 1').get() as Row | undefined;
    if (!row) return false;
    const ids = row.document_ids === null ? references.documentIds(row.kind, row.entry_id, row.position, SLICE)
      : db.prepare('SELECT value FROM json_each(?) WHERE value > ? ORDER BY value LIMIT ?').pluck().all(row.document_ids, row.position, SLICE) as number[];
    reindex(ids);
    if (ids.length < SLICE) db.prepare('DELETE FROM name_reindexes WHERE id = ?').run(row.id);
    else db.prepare('UPDATE name_reindexes SET position = ? WHERE id = ?').run(ids.at(-1), row.id);
    return true;
  });
  async function work(): Promise<void> {
    while (!ended.signal.aborted && slice()) {
      changed();
      await clock.sleep(PAUSE_MS, ended.signal);
    }
  }

  const later = (kind: NameKind, id: number, documentIds: string | null): void =>
    void db.prepare('INSERT INTO name_reindexes (kind, entry_id, document_ids) VALUES (?1, ?2, ?3) ON CONFLICT (kind, entry_id) DO UPDATE SET position = 0, document_ids = ?3').run({ 1: kind, 2: id, 3: documentIds });

  return {
    entry(kind, id) {
      const ids = references.documentIds(kind, id, 0, AT_ONCE + 1);
      if (ids.length <= AT_ONCE) reindex(ids);
      else later(kind, id, null);
    },
    gone(kind, id, ids) {
      if (ids.length <= AT_ONCE) reindex(ids);
      else later(kind, id, JSON.stringify(ids));
    },
    wake: () => { running ??= clock.sleep(PAUSE_MS, ended.signal).then(work).finally(() => { running = null; }); },
    async stop() {
      ended.abort();
      await running;
    },
  };
}
