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
 * Ties file changes to transactions. A transaction *promises* changes as rows; once it is committed they are carried out
 * and the rows deleted. A process that dies in between finds the rows at its next start and does the same again.
 *
 * What makes the repetition safe: rows are carried out in batches in which no path occurs twice, nor one below another, and a batch's rows
 * are gone before the next begins. So after a kill only rows of one batch can be half done, each can be judged
 * by its own two paths, and none sees what a later one did.
 */
export interface Journal {
  /** Promises to move a file or a whole folder, or (null) to delete a file. Only within a transaction. Paths are relative to the vault. */
  planMove(from: string, to: string | null): void;
  /** Carries out what is promised; does nothing while a transaction is open. Answers how many rows had to stay for later. */
  apply(): number;
  /** At start: settles, then removes temporary files that nothing names. Answers how many of each. */
  recover(): { settled: number; left: number; swept: number };
  /** True when a promise speaks of this very path, or brings a folder that has a file of this name. */
  mentions(path: string): boolean;
  /** True when a promise brings a file to this path: it counts as being there, although it stands at its old place still. */
  hasPendingMoveTo(path: string): boolean;
}

export function createJournal(deps: { db: Database; paths: VaultPaths; clock: Clock; log: Log }): Journal {
  const { db, paths, clock, log } = deps;
  const rows = (): Row[] => db.prepare('SELECT id, from_path, to_path FROM vault_journal ORDER BY id').all() as Row[];

  /** Carries out rows of which none touches a path of another; answers which are done and which have to stay. */
  function carryOut(batch: readonly Row[]): { done: Row[]; stay: Row[] } {
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
        log.error({ journal_id: row.id, err: end.failed }, 'a promised file change failed and stays for later');
      else if (end === 'lost') log.error({ journal_id: row.id }, 'a promised file is at neither of its places');
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
      const { done, stay } = carryOut(batch);
      for (const path of stay.flatMap(pathsOf)) blocked.add(path);
      forget(db, done);
      for (const row of done) removeEmptyParents(paths.root, row.from_path);
      waiting = rest;
    }
    return (db.prepare('SELECT count(*) AS n FROM vault_journal').get() as { n: number }).n;
  }

  // Whoever promises within a transaction that is not the vault's own does not settle: nobody may find a row whose file is still elsewhere.
  let isDue = false;
  db.afterCommit(() => {
    if (!isDue) return;
    isDue = false;
    apply();
  });

  const comesBy = (row: Row, path: string): boolean =>
    row.to_path === path ||
    (row.to_path !== null &&
      path.startsWith(`${row.to_path}/`) &&
      lstatOrNull(paths.resolve(row.from_path + path.slice(row.to_path.length))) !== null);
  return {
    planMove(from, to) {
      if (!db.sqlite.inTransaction) throw new Error('a file change must be promised within a transaction');
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
    mentions: (path) => rowsOf(db, path).some((row) => row.from_path === path || comesBy(row, path)),
    hasPendingMoveTo: (path) => rowsOf(db, path).some((row) => comesBy(row, path)),
  };
}

/** Promises that speak of this path or of a folder above it. */
const rowsOf = (db: Database, path: string): Row[] =>
  db
    .prepare(
      'SELECT id, from_path, to_path FROM vault_journal WHERE from_path IN (SELECT value FROM json_each($paths)) OR to_path IN (SELECT value FROM json_each($paths))',
    )
    .all({ paths: JSON.stringify(withParents(path)) }) as Row[];

/** True when what lies at this path, or a folder above it, is promised to come or to go. */
export const hasPendingMove = (db: Database, path: string): boolean => rowsOf(db, path).length > 0;

/** Paths that may not be touched again, with what lies above and below them. */
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

/** The longest prefix without a repeated path; rows that touch a blocked path are passed over and block theirs. */
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

/** Folders that a person looks for stay: each first and second level, and all of the inbox, where someone may be copying. */
function removeEmptyParents(root: string, path: string): void {
  const parts = path.split('/').slice(0, -1);
  const kept = parts[0] === FOLDERS.trash ? 1 : 2;
  if (parts[0] === FOLDERS.inbox) return;
  for (let depth = parts.length; depth > kept; depth -= 1) {
    try {
      rmdirSync(join(root, ...parts.slice(0, depth)));
    } catch {
      // Not empty, or gone: nothing to tidy further up.
      return;
    }
  }
}

/** Removes what an interrupted upload left in `tmp/`. Every file that counts is named by a promise. */
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
