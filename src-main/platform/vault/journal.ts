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
 * rows are deleted. After a crash, the next start applies the remaining rows.
 *
 * Repeating is safe: rows are applied in batches in which no path occurs twice or below another, and a batch's rows are
 * deleted before the next batch starts. After a crash only rows of one batch can be half done, and the two paths of a
 * row tell how far it got.
 */
export interface Journal {
  /**
   * Plans to move a file or folder, or to delete a file (null). Only within a transaction. Paths are relative to the
   * vault.
   */
  planMove(from: string, to: string | null): void;
  /** Applies planned moves; does nothing while a transaction is open. Returns the number of rows that must wait. */
  apply(): number;
  /** At start: applies planned moves, then removes temporary files that no row names. Returns the number of each. */
  recover(): { settled: number; left: number; swept: number };
  /** True when a planned move names this path, or moves a folder that contains a file of this name. */
  mentions(path: string): boolean;
  /** True when a planned move puts a file at this path: it counts as present, although it is still at its old path. */
  hasPendingMoveTo(path: string): boolean;
}

export function createJournal(deps: { db: Database; paths: VaultPaths; clock: Clock; log: Log }): Journal {
  const { db, paths, clock, log } = deps;
  const rows = (): Row[] => db.prepare('SELECT id, from_path, to_path FROM vault_journal ORDER BY id').all() as Row[];

  /** Applies rows that do not touch each other's paths; returns which are done and which must wait. */
  function applyBatch(batch: readonly Row[]): { done: Row[]; stay: Row[] } {
    const ends = changeFiles(
      batch.map((row) => () => ({
        from: paths.resolve(row.from_path),
        to: row.to_path === null ? null : paths.resolve(row.to_path),
      })),
    );
    const done: Row[] = [],
      stay: Row[] = [];
    for (const [index, row] of batch.entries()) {
      const end = ends[index];
      if (typeof end === 'object')
        log.error({ journal_id: row.id, err: end.failed }, 'a planned file move failed and will be retried');
      else if (end === 'lost') log.error({ journal_id: row.id }, 'the file of a planned move is at neither path');
      (typeof end === 'object' ? stay : done).push(row);
    }
    return { done, stay };
  }

  function apply(): number {
    if (db.sqlite.inTransaction) return 0;
    let waiting = rows();
    const blocked = new Touched();
    while (waiting.length > 0) {
      const { batch, rest } = nextBatch(waiting, blocked);
      if (batch.length === 0) break;
      const { done, stay } = applyBatch(batch);
      for (const path of stay.flatMap(pathsOf)) blocked.add(path);
      forget(db, done);
      for (const row of done) removeEmptyParents(paths.root, row.from_path);
      waiting = rest;
    }
    return (db.prepare('SELECT count(*) AS n FROM vault_journal').get() as { n: number }).n;
  }

  // Applies moves that were planned outside `vault.transaction`, so that no reader finds a row whose file is still
  // elsewhere.
  let isDue = false;
  db.afterCommit(() => {
    if (!isDue) return;
    isDue = false;
    apply();
  });

  const bringsFileTo = (row: Row, path: string): boolean =>
    row.to_path === path ||
    (row.to_path !== null &&
      path.startsWith(`${row.to_path}/`) &&
      lstatOrNull(paths.resolve(row.from_path + path.slice(row.to_path.length))) !== null);
  return {
    planMove(from, to) {
      if (!db.sqlite.inTransaction) throw new Error('file moves must be planned within a transaction');
      paths.resolve(from);
      if (to !== null) paths.resolve(to);
      if (from === to) return;
      db.prepare('INSERT INTO vault_journal (from_path, to_path, created_at) VALUES (?, ?, ?)').run(
        from,
        to,
        toTimestamp(clock.now()),
      );
      isDue = true;
    },
    apply,
    recover() {
      const before = rows().length;
      const left = apply();
      return { settled: before - left, left, swept: sweepTemporary(db, paths.root) };
    },
    mentions: (path) => rowsOf(db, path).some((row) => row.from_path === path || bringsFileTo(row, path)),
    hasPendingMoveTo: (path) => rowsOf(db, path).some((row) => bringsFileTo(row, path)),
  };
}

/** Planned moves that name this path or a folder above it. */
const rowsOf = (db: Database, path: string): Row[] =>
  db
    .prepare(
      `SELECT id, from_path, to_path FROM vault_journal WHERE from_path IN (SELECT value FROM json_each($paths))
        OR to_path IN (SELECT value FROM json_each($paths))`,
    )
    .all({ paths: JSON.stringify(withParents(path)) }) as Row[];

/** True when a planned move names this path or a folder above it. */
export const hasPendingMove = (db: Database, path: string): boolean => rowsOf(db, path).length > 0;

/** Paths that must not be touched again, together with paths above and below them. */
class Touched {
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
function nextBatch(waiting: Row[], blocked: Touched): { batch: Row[]; rest: Row[] } {
  const batch: Row[] = [];
  const used = new Touched();
  for (const [index, row] of waiting.entries()) {
    const touched = pathsOf(row);
    if (touched.some((path) => blocked.meets(path))) touched.forEach((path) => blocked.add(path));
    else if (touched.some((path) => used.meets(path))) return { batch, rest: waiting.slice(index) };
    else {
      batch.push(row);
      touched.forEach((path) => used.add(path));
    }
  }
  return { batch, rest: [] };
}

function forget(db: Database, done: Row[]): void {
  if (done.length === 0) return;
  db.prepare('DELETE FROM vault_journal WHERE id IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(done.map((row) => row.id)),
  );
}

/**
 * Keeps folders that people look for: the first and second level, and the whole inbox, where someone may be copying.
 */
function removeEmptyParents(root: string, path: string): void {
  const parts = path.split('/').slice(0, -1);
  const kept = parts[0] === FOLDERS.trash ? 1 : 2;
  if (parts[0] === FOLDERS.inbox) return;
  for (let depth = parts.length; depth > kept; depth -= 1) {
    try {
      rmdirSync(join(root, ...parts.slice(0, depth)));
    } catch {
      // Not empty or already gone: folders further up stay as well.
      return;
    }
  }
}

/** Removes leftovers of interrupted uploads from `tmp/`. A planned move names every file that is needed. */
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
