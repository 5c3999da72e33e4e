import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import type { Database } from '../database/connection.ts';
import { batchesOf } from './batches.ts';
import { hashFile } from './hash.ts';
import { hasPendingMove } from './journal.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from './layout.ts';
import { createPaths, isVaultPath, lstatOrNull, withParents, type VaultPaths } from './paths.ts';
import { makePathPlain } from './plain-name.ts';

/**
 * What a person has to know. Paths are relative to the vault.
 * - `missing`, `changed`: a document's file is gone, or has other bytes than were stored
 * - `foreign`: no row speaks of this entry; `same_as` is the document that has this very content
 * - `doubled`: the file of a document has the content of an earlier one, `same_as`
 * - `lost_trash`: the file of a trash item is gone
 */
export type Fault =
  | { kind: 'missing' | 'changed'; path: string; document_id: number }
  | { kind: 'foreign'; path: string; same_as: number | null }
  | { kind: 'doubled'; path: string; document_id: number; same_as: number }
  | { kind: 'lost_trash'; path: string; trash_id: number };

/** Nothing wrong: `waiting` lies in the inbox, `promised` and `temporary` are what a process left at its end. The next start deals with them. */
export interface Leftover {
  kind: 'waiting' | 'promised' | 'temporary';
  path: string;
}

export interface VerifyReport {
  documents: number;
  /** Documents' files that are as they were stored, and their size. */
  files: number;
  bytes: number;
  faults: Fault[];
  leftovers: Leftover[];
  /** What SQLite says of its own file: damage, and references that point nowhere. Empty when it is whole. */
  database: string[];
}

const SLICE_DOCUMENTS = 200;
const SLICE_BYTES = 256 * 2 ** 20;

interface DocumentRow {
  id: number;
  file_path: string;
  file_size: number;
  file_hash: string;
}
export interface VerifyDeps {
  db: Database;
  paths: VaultPaths;
  signal?: AbortSignal | undefined;
  /** SHA-256 of a file; where it is computed is the caller's matter. */
  hash: (absolute: string, signal?: AbortSignal) => Promise<string>;
  /** The same of many at once, null for each that cannot be read: what fits by it is not looked at one by one. */
  hashAll?: (absolutes: string[], signal?: AbortSignal) => Promise<(string | null)[]>;
}

/**
 * Compares the database, the files and their hashes, reading every byte once. May run beside a working core: what moved
 * meanwhile is looked at again before it is reported. Rejects with the signal's reason.
 */
export async function verifyVault(
  db: Database,
  root: string,
  { signal, onFile }: { signal?: AbortSignal; onFile?: (files: number) => void } = {},
): Promise<VerifyReport> {
  const deps: VerifyDeps = { db, paths: createPaths(root), signal, hash: hashFile };
  const report: VerifyReport = {
    documents: 0,
    files: 0,
    bytes: 0,
    faults: [],
    leftovers: promised(db),
    database: databaseFaults(db.sqlite),
  };
  for (let last: number | null = 0; last !== null;) {
    const slice: Slice = await verifySlice(deps, last);
    report.documents += slice.documents;
    report.files += slice.files;
    report.bytes += slice.bytes;
    report.faults.push(...slice.faults);
    last = slice.last;
    onFile?.(report.files);
  }
  const rest = await verifyRest(deps);
  report.faults.push(...rest.faults);
  report.leftovers.push(...rest.leftovers);
  return report;
}

/** `last`: id of the last document of the slice; null when there are no more. */
export interface Slice {
  documents: number;
  files: number;
  bytes: number;
  faults: Fault[];
  last: number | null;
}

/** Compares the next documents after `after`: few enough, in number and bytes, that little is lost when the process ends in between. */
export async function verifySlice(deps: VerifyDeps, after: number): Promise<Slice> {
  const rows = fewEnough(
    deps.db
      .prepare('SELECT id, file_path, file_size, file_hash FROM documents WHERE id > ? ORDER BY id LIMIT ?')
      .all(after, SLICE_DOCUMENTS) as DocumentRow[],
  );
  const slice: Slice = { documents: 0, files: 0, bytes: 0, faults: [], last: null };
  const whole = await wholeAmong(deps, rows);
  for (const document of rows) {
    deps.signal?.throwIfAborted();
    slice.documents += 1;
    slice.last = document.id;
    const fault = whole.has(document.id) ? null : await checkDocument(deps, document);
    if (fault) slice.faults.push(fault);
    else {
      slice.files += 1;
      slice.bytes += document.file_size;
    }
  }
  return slice;
}

/** The first ones, up to as many bytes as a slice may have; one at least. */
function fewEnough(rows: DocumentRow[]): DocumentRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.file_size) > SLICE_BYTES);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** Ids of documents whose files hold what was stored, as far as that can be told at once. */
async function wholeAmong({ paths, hashAll, signal }: VerifyDeps, rows: readonly DocumentRow[]): Promise<Set<number>> {
  const whole = new Set<number>();
  if (!hashAll) return whole;
  for (const batch of batchesOf(rows.map((row) => ({ ...row, size: row.file_size })))) {
    const present = batch.flatMap((row) => {
      const absolute = plainFileAt(paths, row);
      return absolute === null ? [] : [{ row, absolute }];
    });
    const hashes = await hashAll(
      present.map(({ absolute }) => absolute),
      signal,
    );
    for (const [index, { row }] of present.entries()) if (hashes[index] === row.file_hash) whole.add(row.id);
  }
  return whole;
}

/** The place of a document's file when one of the stored size lies there. */
function plainFileAt(paths: VaultPaths, { file_path, file_size }: DocumentRow): string | null {
  try {
    const absolute = paths.resolve(file_path);
    const entry = lstatOrNull(absolute);
    return entry?.isFile() && entry.size === file_size ? absolute : null;
  } catch {
    // A link stands on the way: it is looked at by itself.
    return null;
  }
}

/** What is looked at once, after all documents: doubled content, entries without a row, the trash. */
export async function verifyRest(deps: VerifyDeps): Promise<{ faults: Fault[]; leftovers: Leftover[] }> {
  const faults = doubled(deps.db);
  const leftovers: Leftover[] = [];
  for await (const stray of strayEntries(deps)) {
    if (stray.kind === 'foreign') faults.push(stray);
    else leftovers.push(stray);
  }
  return { faults: [...faults, ...lostTrash(deps)], leftovers };
}

/** Looks at a document until its row stays the same while its file is read. */
async function checkDocument(deps: VerifyDeps, seen: DocumentRow): Promise<Fault | null> {
  for (let document = seen; ;) {
    const kind = await compare(deps, document);
    if (kind === null) return null;
    const now = deps.db
      .prepare('SELECT id, file_path, file_size, file_hash FROM documents WHERE id = ?')
      .get(seen.id) as DocumentRow | undefined;
    if (now === undefined) return null;
    if (now.file_path === document.file_path && now.file_hash === document.file_hash) {
      return hasPendingMove(deps.db, now.file_path) ? null : { kind, path: now.file_path, document_id: now.id };
    }
    document = now;
  }
}

async function compare(
  { paths, signal, hash }: VerifyDeps,
  { file_path, file_size, file_hash }: DocumentRow,
): Promise<'missing' | 'changed' | null> {
  try {
    const absolute = paths.resolve(file_path);
    const entry = lstatOrNull(absolute);
    if (!entry?.isFile()) return 'missing';
    if (entry.size !== file_size) return 'changed';
    return (await hash(absolute, signal)) === file_hash ? null : 'changed';
  } catch (error) {
    // Gone meanwhile, or a link stands in its place or on the way to it.
    if (['ENOENT', 'vault.path_outside'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'missing';
    throw error;
  }
}

/** Entries where documents live, in the trash and among the temporary files, that no row speaks of. */
async function* strayEntries(deps: VerifyDeps): AsyncGenerator<Extract<Fault, { kind: 'foreign' }> | Leftover> {
  const { db, paths, signal } = deps;
  for (const folder of DOCUMENT_FOLDERS) {
    for await (const { path } of entriesBelow(paths.root, folder)) {
      if (hasOwner(db, path)) continue;
      if (folder === FOLDERS.inbox) yield { kind: 'waiting', path };
      else yield* foreign(deps, path);
    }
  }
  for await (const { path } of entriesBelow(paths.root, FOLDERS.trash)) {
    signal?.throwIfAborted();
    if (!isInTrashItem(db, path) && !hasPendingMove(db, path)) yield* foreign(deps, path);
  }
  for await (const { path } of entriesBelow(paths.root, FOLDERS.tmp))
    if (!hasPendingMove(db, path)) yield { kind: 'temporary', path };
}

async function* foreign(
  { db, paths, signal, hash: hashOf }: VerifyDeps,
  path: string,
): AsyncGenerator<Extract<Fault, { kind: 'foreign' }>> {
  const absolute = join(paths.root, path);
  const hash = lstatOrNull(absolute)?.isFile() ? await hashOf(absolute, signal) : null;
  // It may have gone, or got its row, since the folder was listed.
  if (lstatOrNull(absolute) === null || hasOwner(db, path) || isInTrashItem(db, path)) return;
  const same =
    hash === null
      ? undefined
      : (db.prepare('SELECT id FROM documents WHERE file_hash = ?').pluck().get(hash) as number | undefined);
  yield { kind: 'foreign', path, same_as: same ?? null };
}

/** `trash/7/0.pdf` belongs to item 7 when its row names it. */
function isInTrashItem(db: Database, path: string): boolean {
  const files = db
    .prepare('SELECT files FROM trash WHERE id = ?')
    .pluck()
    .get(Number(path.split('/')[1])) as string | undefined;
  return files !== undefined && (JSON.parse(files) as { to: string }[]).some((file) => file.to === path);
}

/** True when a document's row, a promise, or an item of the trash speaks of this very file. */
export const isFiled = (db: Database, path: string): boolean =>
  db.prepare('SELECT 1 FROM documents WHERE file_path = ?').get(path) !== undefined ||
  hasPendingMove(db, path) ||
  (path.startsWith(`${FOLDERS.trash}/`) && isInTrashItem(db, path));

/** A document's row, a promise, or an imaging study whose folder this is. */
function hasOwner(db: Database, path: string): boolean {
  if (db.prepare('SELECT 1 FROM documents WHERE file_path = ?').get(path) !== undefined || hasPendingMove(db, path))
    return true;
  return (
    db
      .prepare(
        'SELECT 1 FROM imaging_studies WHERE folder_path IN (SELECT value FROM json_each($folders)) OR bundle_path IN (SELECT value FROM json_each($folders)) LIMIT 1',
      )
      .get({ folders: JSON.stringify(withParents(path).slice(1)) }) !== undefined
  );
}

/** Everything below a folder that is not a folder itself. Links are named, not followed. */
async function* entriesBelow(root: string, folder: string): AsyncGenerator<{ path: string; isFile: boolean }> {
  if (!lstatOrNull(join(root, folder))?.isDirectory()) return;
  for await (const entry of await opendir(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* entriesBelow(root, path);
    else yield { path, isFile: entry.isFile() };
  }
}

/**
 * Vault paths of the plain files below a folder. One that somebody put there under a name that no vault path can hold gets a plain one
 * first: a backup with the odd name could not be restored.
 */
export async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  const odd: string[] = [];
  for await (const { path, isFile } of entriesBelow(root, folder)) {
    if (!isFile) continue;
    if (isVaultPath(path)) yield path;
    else odd.push(path);
  }
  // After the look around, which would meet them again.
  for (const path of odd) yield makePathPlain(root, path) ?? path;
}

function* lostTrash({ db, paths }: VerifyDeps): Generator<Fault> {
  const files = db
    .prepare(
      "SELECT trash.id AS trash_id, json_extract(file.value, '$.to') AS path FROM trash, json_each(trash.files) AS file ORDER BY trash.id",
    )
    .all() as { trash_id: number; path: string }[];
  for (const { trash_id, path } of files) {
    if (!lstatOrNull(paths.resolve(path))?.isFile() && !hasPendingMove(db, path))
      yield { kind: 'lost_trash', path, trash_id };
  }
}

const promised = (db: Database): Leftover[] =>
  (db.prepare('SELECT from_path FROM vault_journal ORDER BY id').pluck().all() as string[]).map((path) => ({
    kind: 'promised',
    path,
  }));

function doubled(db: Database): Fault[] {
  const rows = db
    .prepare(`SELECT d.file_path AS path, d.id AS document_id, first.id AS same_as FROM documents AS d
    JOIN (SELECT file_hash, min(id) AS id FROM documents GROUP BY file_hash HAVING count(*) > 1) AS first ON first.file_hash = d.file_hash WHERE d.id > first.id ORDER BY d.id`)
    .all() as { path: string; document_id: number; same_as: number }[];
  return rows.map((row) => ({ kind: 'doubled', ...row }));
}

/** What SQLite says of a database file that is open. */
export function databaseFaults(sqlite: Sqlite.Database): string[] {
  const damage = (sqlite.pragma('integrity_check(10)') as { integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((message) => message !== 'ok');
  const dangling = (sqlite.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[]).map(
    ({ table, rowid, parent }) => `${table} ${rowid} points to a row of ${parent} that is gone`,
  );
  return [...damage, ...dangling];
}
