import { bindFirst } from '../kernel/bind-first.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Database } from './connection.ts';
import type { CatchUpKind } from './schema/names.ts';

/** Pause between two slices while no caller waits for the result. */
const PAUSE_MS = 15;

export interface CatchUpWork {
  /** Documents that refer to the record, with ids above `after`, in ascending order. */
  ids(recordId: number, after: number, limit: number): number[];
  /** Number of documents per slice; small enough that requests are not delayed noticeably. */
  slice: number;
  /** Updates the documents within a transaction; may plan file moves. */
  work(documentIds: readonly number[]): void;
  /** Called after the transaction. */
  afterSlice?(documentIds: readonly number[]): void;
}

/**
 * Updates documents after a change of another record (a name in their search text, the folder of their event) if there
 * are too many for one transaction. The changing transaction stores the record; slices follow afterwards, with requests
 * between them, and continue after a restart.
 */
export interface CatchUp {
  /** Registers how the documents of a kind of record are updated. */
  serve(kind: CatchUpKind, work: CatchUpWork): void;
  /**
   * Stores a record, within a transaction. `documentIds` (ascending) are needed if the record is deleted, because then
   * it no longer refers to them.
   */
  note(kind: CatchUpKind, recordId: number, documentIds: readonly number[] | null): void;
  /** Starts to process stored records after the running transaction. */
  wake(): void;
  /** Resolves when the documents of the record are up to date, or the program ends. */
  whenFinished(kind: CatchUpKind, recordId: number): Promise<void>;
  stop(): Promise<void>;
}

interface Row {
  id: number;
  kind: CatchUpKind;
  entry_id: number;
  position: number;
  document_ids: string | null;
}

interface CatchUpDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** Runs a transaction and then applies the file moves that were planned in it. */
  transaction: <T>(work: () => T) => T;
}
interface State extends CatchUpDeps {
  handlers: Map<CatchUpKind, CatchUpWork>;
  stopping: AbortController;
  /** Callers of `whenFinished`, by record. */
  waiting: Map<string, (() => void)[]>;
  running: Promise<void> | null;
}

export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const state: State = {
    ...deps,
    handlers: new Map(),
    stopping: new AbortController(),
    waiting: new Map(),
    running: null,
  };
  return {
    serve: (kind, work) => void state.handlers.set(kind, work),
    ...bindFirst(state, { note: noteRecord, wake: startWork, whenFinished: waitForRecord, stop: stopWork }),
  };
}

const keyOf = (kind: CatchUpKind, id: number): string => `${kind} ${id}`;

function noteRecord({ db }: State, kind: CatchUpKind, recordId: number, documentIds: readonly number[] | null): void {
  db.prepare(
    `INSERT INTO name_reindexes (kind, entry_id, document_ids) VALUES (?1, ?2, ?3)
      ON CONFLICT (kind, entry_id) DO UPDATE SET position = 0, document_ids = ?3`,
  ).run({ 1: kind, 2: recordId, 3: documentIds && JSON.stringify(documentIds) });
}

/** Events and patients come before names with thousands of documents, because a user is waiting for them. */
const nextRow = ({ db }: State): Row | undefined =>
  db
    .prepare(
      `SELECT id, kind, entry_id, position, document_ids FROM name_reindexes
        ORDER BY kind NOT IN ('events', 'patients'), id LIMIT 1`,
    )
    .get() as Row | undefined;

function documentsOf({ db }: State, row: Row, work: CatchUpWork): number[] {
  if (row.document_ids === null) return work.ids(row.entry_id, row.position, work.slice);
  return db
    .prepare('SELECT value FROM json_each(?) WHERE value > ? ORDER BY value LIMIT ?')
    .pluck()
    .all(row.document_ids, row.position, work.slice) as number[];
}

/** Updates the next documents; false if none are left. */
function updateSlice(state: State): boolean {
  const { db, handlers, transaction } = state;
  const slice = transaction(() => {
    const row = nextRow(state);
    const work = row && handlers.get(row.kind);
    if (!row || !work) return null;
    const ids = documentsOf(state, row, work);
    work.work(ids);
    const isLast = ids.length < work.slice;
    if (isLast) db.prepare('DELETE FROM name_reindexes WHERE id = ?').run(row.id);
    else db.prepare('UPDATE name_reindexes SET position = ? WHERE id = ?').run(ids.at(-1), row.id);
    return { row, work, ids, isLast };
  });
  if (!slice) return false;
  slice.work.afterSlice?.(slice.ids);
  if (slice.isLast) resolveWaiting(state, keyOf(slice.row.kind, slice.row.entry_id));
  return true;
}

function startWork(state: State): void {
  const { clock, log, stopping, waiting } = state;
  const { signal } = stopping;
  const updateAll = async (): Promise<void> => {
    while (!signal.aborted && updateSlice(state)) await clock.sleep(waiting.size > 0 ? 1 : PAUSE_MS, signal);
  };
  state.running ??= clock
    .sleep(1, signal)
    .then(updateAll)
    .catch((err: unknown) => log.error({ err }, 'documents could not be updated after a change; will retry'))
    .finally(() => {
      state.running = null;
      for (const key of [...waiting.keys()]) resolveWaiting(state, key);
    });
}

function resolveWaiting({ waiting }: State, key: string): void {
  for (const resolve of waiting.get(key) ?? []) resolve();
  waiting.delete(key);
}

async function waitForRecord(state: State, kind: CatchUpKind, recordId: number): Promise<void> {
  const { db, stopping, waiting } = state;
  const isPending = () =>
    db.prepare('SELECT 1 FROM name_reindexes WHERE kind = ? AND entry_id = ?').get(kind, recordId) !== undefined;
  if (stopping.signal.aborted || !isPending()) return;
  startWork(state);
  const key = keyOf(kind, recordId);
  await new Promise<void>((resolve) => waiting.set(key, [...(waiting.get(key) ?? []), resolve]));
}

async function stopWork({ stopping, running }: State): Promise<void> {
  stopping.abort();
  await running;
}
