import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Database } from './connection.ts';
import type { CatchUpKind } from './schema/names.ts';

/** Pause between two slices while nobody waits for the end. */
const PAUSE_MS = 15;

export interface CatchUpWork {
  /** Documents that follow the record, with ids above `after`, in ascending order. */
  ids(recordId: number, after: number, limit: number): number[];
  /** Number of documents per slice; small enough that requests are not delayed noticeably. */
  slice: number;
  /** Updates the documents, in a transaction of its own; may plan file moves. */
  work(documentIds: readonly number[]): void;
  /** Called after the transaction. */
  done(documentIds: readonly number[]): void;
}

/**
 * Updates documents after a change of another record (a name in their search text, the folder of their event) when
 * there are too many for one transaction. The changing transaction notes the record; slices follow afterwards, with
 * requests between them, and continue after a restart.
 */
export interface CatchUp {
  /** Registers how the documents of a kind of record are updated. */
  serve(kind: CatchUpKind, work: CatchUpWork): void;
  /**
   * Notes a record, within a transaction. `documentIds` (ascending) are needed when the record is deleted and no longer
   * leads to them.
   */
  note(kind: CatchUpKind, recordId: number, documentIds: readonly number[] | null): void;
  /** Starts working through noted records after the running transaction. */
  wake(): void;
  /** Resolves when the documents of the record are up to date, or the program ends. */
  finished(kind: CatchUpKind, recordId: number): Promise<void>;
  stop(): Promise<void>;
}

interface Row {
  id: number;
  kind: CatchUpKind;
  entry_id: number;
  position: number;
  document_ids: string | null;
}

/** `transaction` runs a transaction and then applies the file moves that were planned in it. */
export function createCatchUp({
  db,
  clock,
  log,
  transaction,
}: {
  db: Database;
  clock: Clock;
  log: Log;
  transaction: <T>(work: () => T) => T;
}): CatchUp {
  const served = new Map<CatchUpKind, CatchUpWork>();
  const ended = new AbortController();
  let running: Promise<void> | null = null;
  const waiting = new Map<string, (() => void)[]>();

  // Events and patients come before names with thousands of documents, because someone is waiting for them.
  const next = (): Row | undefined =>
    db
      .prepare(
        `SELECT id, kind, entry_id, position, document_ids FROM name_reindexes
          ORDER BY kind NOT IN ('events', 'patients'), id LIMIT 1`,
      )
      .get() as Row | undefined;

  function slice(): boolean {
    const done = transaction(() => {
      const row = next();
      const work = row && served.get(row.kind);
      if (!row || !work) return null;
      const ids =
        row.document_ids === null
          ? work.ids(row.entry_id, row.position, work.slice)
          : (db
              .prepare('SELECT value FROM json_each(?) WHERE value > ? ORDER BY value LIMIT ?')
              .pluck()
              .all(row.document_ids, row.position, work.slice) as number[]);
      work.work(ids);
      const isLast = ids.length < work.slice;
      if (isLast) db.prepare('DELETE FROM name_reindexes WHERE id = ?').run(row.id);
      else db.prepare('UPDATE name_reindexes SET position = ? WHERE id = ?').run(ids.at(-1), row.id);
      return { row, work, ids, isLast };
    });
    if (!done) return false;
    done.work.done(done.ids);
    if (done.isLast) tell(keyOf(done.row.kind, done.row.entry_id));
    return true;
  }
  async function workOff(): Promise<void> {
    while (!ended.signal.aborted && slice()) await clock.sleep(waiting.size > 0 ? 1 : PAUSE_MS, ended.signal);
  }
  const keyOf = (kind: CatchUpKind, id: number): string => `${kind} ${id}`;
  function tell(key: string): void {
    for (const resolve of waiting.get(key) ?? []) resolve();
    waiting.delete(key);
  }

  return {
    serve: (kind, work) => void served.set(kind, work),
    note(kind, recordId, documentIds) {
      db.prepare(
        `INSERT INTO name_reindexes (kind, entry_id, document_ids) VALUES (?1, ?2, ?3)
          ON CONFLICT (kind, entry_id) DO UPDATE SET position = 0, document_ids = ?3`,
      ).run({ 1: kind, 2: recordId, 3: documentIds && JSON.stringify(documentIds) });
    },
    wake() {
      running ??= clock
        .sleep(1, ended.signal)
        .then(workOff)
        .catch((err: unknown) => log.error({ err }, 'documents could not follow a change; it is tried again'))
        .finally(() => {
          running = null;
          for (const key of [...waiting.keys()]) tell(key);
        });
    },
    async finished(kind, recordId) {
      if (
        ended.signal.aborted ||
        db.prepare('SELECT 1 FROM name_reindexes WHERE kind = ? AND entry_id = ?').get(kind, recordId) === undefined
      )
        return;
      this.wake();
      await new Promise<void>((resolve) =>
        waiting.set(keyOf(kind, recordId), [...(waiting.get(keyOf(kind, recordId)) ?? []), resolve]),
      );
    },
    async stop() {
      ended.abort();
      await running;
    },
  };
}
