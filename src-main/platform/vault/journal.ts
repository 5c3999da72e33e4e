import { readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../database/connection.ts';
import { type Clock, toTimestamp } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { removeFile } from './atomic.ts';
import { changeFiles } from './change-files.ts';
import { FOLDERS } from './layout.ts';
import { lstatOrNull, withParents, type VaultPaths } from './paths.ts';

interface Row {
  id: number;
  from_path: string;
  to_path: string | null;
}

/**
 * Ties file moves to transactions. A transaction plans moves as rows; they are applied after the commit, and then the
 * rows are deleted. After a crash, the next start applies the remaining rows. Repeating is safe: rows are applied in
 * batches in which no path occurs twice or below another, and the rows of a batch are deleted before the next batch
 * starts. After a crash, only rows of one batch can be half applied, and the two paths of a row show how far it got.
 */
export interface Journal {
  /**
   * Plans to move a file or folder, or to delete a file (null). Only within a transaction. Paths are relative to the
   * vault.
   */
  planMove(from: string, to: string | null): void;
  /** Applies planned moves; does nothing while a transaction is open. Returns the number of rows that must wait. */
  apply(): number;
  /** At startup: applies planned moves, then removes temporary files that no row names. Returns the number of each. */
  recover(): { applied: number; waiting: number; removed: number };
  /** Whether a planned move names this path, or moves a folder that contains a file of this name. */
  mentions(path: string): boolean;
  /**
   * Whether a planned move puts a file at this path. Such a file counts as present, although it is still at its old
   * path.
   */
  hasPendingMoveTo(path: string): boolean;
}

interface Deps {
  db: Database;
  paths: VaultPaths;
  clock: Clock;
  log: Log;
}

export function createJournal(deps: Deps): Journal {
  const { db, paths } = deps;
  // Applies moves that were planned outside `vault.transaction`, so that no reader finds a row whose file is still
  // elsewhere.
  let isDue = false;
  db.afterCommit(() => {
    if (!isDue) return;
    isDue = false;
    applyMoves(deps);
  });
  return {
    planMove(from, to) {
      if (insertMove(deps, from, to)) isDue = true;
    },
    apply: () => applyMoves(deps),
    recover() {
      const before = allRows(db).length;
      const postponedCount = applyMoves(deps);
      return { applied: before - postponedCount, waiting: postponedCount, removed: sweepTemporary(db, paths.root) };
    },
    mentions: (path) => rowsOf(db, path).some((row) => row.from_path === path || bringsFileTo(paths, row, path)),
    hasPendingMoveTo: (path) => rowsOf(db, path).some((row) => bringsFileTo(paths, row, path)),
  };
}

const allRows = (db: Database): Row[] =>
  db.prepare('SELECT id, from_path, to_path FROM vault_journal ORDER BY id').all() as Row[];

/** Stores a planned move; false if both paths are the same. */
function insertMove({ db, paths, clock }: Deps, from: string, to: string | null): boolean {
  if (!db.sqlite.inTransaction) throw new Error('file moves must be planned within a transaction');
  paths.resolve(from);
  if (to !== null) paths.resolve(to);
  if (from === to) return false;
  const now = toTimestamp(clock.now());
  db.prepare('INSERT INTO vault_journal (from_path, to_path, created_at) VALUES (?, ?, ?)').run(from, to, now);
  return true;
}

/** Applies rows that do not touch each other's paths; returns which were applied and which must wait. */
function applyBatch({ paths, log }: Deps, batch: readonly Row[]): { applied: Row[]; postponed: Row[] } {
  const results = changeFiles(
    batch.map((row) => () => ({
      from: paths.resolve(row.from_path),
      to: row.to_path === null ? null : paths.resolve(row.to_path),
    })),
  );
  const applied: Row[] = [];
  const postponed: Row[] = [];
  for (const [index, row] of batch.entries()) {
    const result = results[index];
    if (typeof result === 'object')
      log.error({ journal_id: row.id, err: result.error }, 'a planned file move failed and will be retried');
    else if (result === 'lost') log.error({ journal_id: row.id }, 'the file of a planned move is at neither path');
    (typeof result === 'object' ? postponed : applied).push(row);
  }
  return { applied, postponed };
}

/** Applies planned moves in batches; returns how many must wait. */
function applyMoves(deps: Deps): number {
  const { db, paths } = deps;
  if (db.sqlite.inTransaction) return 0;
  let pending = allRows(db);
  const blocked = new TouchedPaths();
  while (pending.length > 0) {
    const { batch, rest } = nextBatch(pending, blocked);
    if (batch.length === 0) break;
    const { applied, postponed } = applyBatch(deps, batch);
    for (const path of postponed.flatMap(pathsOf)) blocked.add(path);
    removeRows(db, applied);
    for (const row of applied) removeEmptyParents(paths.root, row.from_path);
    pending = rest;
  }
  return (db.prepare('SELECT count(*) AS n FROM vault_journal').get() as { n: number }).n;
}

/** Whether a planned move puts a file at this path. */
const bringsFileTo = (paths: VaultPaths, row: Row, path: string): boolean =>
  row.to_path === path ||
  (row.to_path !== null &&
    path.startsWith(`${row.to_path}/`) &&
    lstatOrNull(paths.resolve(row.from_path + path.slice(row.to_path.length))) !== null);

/** Planned moves that name this path or a folder above it. */
const rowsOf = (db: Database, path: string): Row[] =>
  db
    .prepare(
      `SELECT id, from_path, to_path FROM vault_journal WHERE from_path IN (SELECT value FROM json_each($paths))
        OR to_path IN (SELECT value FROM json_each($paths))`,
    )
    .all({ paths: JSON.stringify(withParents(path)) }) as Row[];

/** Whether a planned move names this path or a folder above it. */
export const hasPendingMove = (db: Database, path: string): boolean => rowsOf(db, path).length > 0;

/** Paths that must not be touched again, together with paths above and below them. */
class TouchedPaths {
  readonly #paths = new Set<string>();
  readonly #above = new Set<string>();
  add(path: string): void {
    this.#paths.add(path);
    for (const parent of withParents(path).slice(1)) this.#above.add(parent);
  }
  meets(path: string): boolean {
    return this.#above.has(path) || withParents(path).some((part) => this.#paths.has(part));
  }
}

const pathsOf = (row: Row): string[] => (row.to_path === null ? [row.from_path] : [row.from_path, row.to_path]);

/** Returns the longest prefix without a repeated path; skips rows that touch a blocked path and blocks theirs. */
function nextBatch(pending: Row[], blocked: TouchedPaths): { batch: Row[]; rest: Row[] } {
  const batch: Row[] = [];
  const touchedPaths = new TouchedPaths();
  for (const [index, row] of pending.entries()) {
    const touched = pathsOf(row);
    if (touched.some((path) => blocked.meets(path))) touched.forEach((path) => blocked.add(path));
    else if (touched.some((path) => touchedPaths.meets(path))) return { batch, rest: pending.slice(index) };
    else {
      batch.push(row);
      touched.forEach((path) => touchedPaths.add(path));
    }
  }
  return { batch, rest: [] };
}

function removeRows(db: Database, applied: Row[]): void {
  if (applied.length === 0) return;
  db.prepare('DELETE FROM vault_journal WHERE id IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(applied.map((row) => row.id)),
  );
}

/** Removes empty folders, except the first and second level and the inbox, where a user may be copying files. */
function removeEmptyParents(root: string, path: string): void {
  const parts = path.split('/').slice(0, -1);
  const minDepth = parts[0] === FOLDERS.trash ? 1 : 2;
  if (parts[0] === FOLDERS.inbox) return;
  for (let depth = parts.length; depth > minDepth; depth -= 1) {
    try {
      rmdirSync(join(root, ...parts.slice(0, depth)));
    } catch {
      // Not empty or already gone: folders further up stay as well.
      return;
    }
  }
}

/** Removes files of interrupted uploads from `tmp/`. Files that are still needed are named by a planned move. */
function sweepTemporary(db: Database, root: string): number {
  const named = new Set(
    (db.prepare('SELECT from_path FROM vault_journal').all() as { from_path: string }[]).map((row) => row.from_path),
  );
  let swept = 0;
  for (const entry of readdirSync(join(root, FOLDERS.tmp), { withFileTypes: true })) {
    if (!entry.isFile() || named.has(`${FOLDERS.tmp}/${entry.name}`)) continue;
    removeFile(join(root, FOLDERS.tmp, entry.name));
    swept += 1;
  }
  return swept;
}
