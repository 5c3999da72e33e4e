import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import type { Database } from '../database/connection.ts';
import { contentSizeOf } from './vault-files.ts';
import { batchesOf } from './batches.ts';
import { DAMAGED, hashFile } from './hash.ts';
import { hasPendingMove } from './journal.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from './layout.ts';
import { createPaths, isVaultPath, lstatOrNull, withParents, type VaultPaths } from './paths.ts';
import { makePathPlain } from './plain-name.ts';

/**
 * Problems that people must know about. Paths are relative to the vault.
 * - `missing`, `changed`: the file of a document is gone, or its bytes differ
 * - `foreign`: no row names this entry; `same_as` is the document with the same content
 * - `doubled`: the file has the same content as that of an earlier document, `same_as`
 * - `lost_trash`: the file of a trash item is gone
 */
export type Fault =
  | { kind: 'missing' | 'changed'; path: string; document_id: number }
  | { kind: 'foreign'; path: string; same_as: number | null }
  | { kind: 'doubled'; path: string; document_id: number; same_as: number }
  | { kind: 'lost_trash'; path: string; trash_id: number };

/**
 * Entries that are not problems: `waiting` is in the inbox; `promised` and `temporary` were left by an interrupted
 * process and are handled at the next start.
 */
export interface Leftover {
  kind: 'waiting' | 'promised' | 'temporary';
  path: string;
}

export interface VerifyReport {
  documents: number;
  /** Number and size of unchanged document files. */
  files: number;
  bytes: number;
  faults: Fault[];
  leftovers: Leftover[];
  /** What SQLite reports about its own file: damage and dangling references. Empty when the file is intact. */
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
  /** Hashes a file; the caller decides in which thread. */
  hash: (absolute: string, signal?: AbortSignal) => Promise<string>;
  /** Hashes many files at once, null for each unreadable one; matching files need no further check. */
  hashAll?: (absolutes: string[], signal?: AbortSignal) => Promise<(string | null)[]>;
}

/**
 * Compares the database with the files and their hashes, reading every byte once. May run beside a working core: moved
 * files are checked again before they are reported. Rejects with the signal's reason.
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

/** `last`: id of the last document of the slice; null at the end. */
export interface Slice {
  documents: number;
  files: number;
  bytes: number;
  faults: Fault[];
  last: number | null;
}

/**
 * Compares the next documents after `after`, few enough in number and bytes that little is lost if the process ends.
 */
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
    const count = (fault: Fault | null, size: number): void => {
      if (fault) slice.faults.push(fault);
      else {
        slice.files += 1;
        slice.bytes += size;
      }
    };
    if (document.file_path !== '')
      count(whole.has(document.id) ? null : await checkDocument(deps, document), document.file_size);
    for (const file of studyFiles(deps.db, document.id))
      count(await checkStudyFile(deps, document.id, file), file.file_size);
  }
  return slice;
}

/** Returns the first documents up to the byte limit of a slice, but at least one. */
function fewEnough(rows: DocumentRow[]): DocumentRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.file_size) > SLICE_BYTES);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** Returns the ids of documents whose files have the stored content, with one request to the worker. */
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

/** Returns the absolute path of a document's file if it has the stored size. */
function plainFileAt(paths: VaultPaths, { file_path, file_size }: DocumentRow): string | null {
  try {
    const absolute = paths.resolve(file_path);
    const entry = lstatOrNull(absolute);
    return entry?.isFile() && contentSizeOf(absolute) === file_size ? absolute : null;
  } catch {
    // Paths with a symbolic link are checked separately.
    return null;
  }
}

/** Yields results that need all documents: duplicate content, entries without a row, the trash. */
export async function verifyRest(deps: VerifyDeps): Promise<{ faults: Fault[]; leftovers: Leftover[] }> {
  const faults = doubled(deps.db);
  const leftovers: Leftover[] = [];
  for await (const stray of strayEntries(deps)) {
    if (stray.kind === 'foreign') faults.push(stray);
    else leftovers.push(stray);
  }
  return { faults: [...faults, ...lostTrash(deps)], leftovers };
}

/** Checks a document until its row stays the same while its file is read. */
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

type StoredFile = Omit<DocumentRow, 'id'>;

/** The files of the imaging studies of a document, those of a shared bundle once for each study. */
const studyFiles = (db: Database, documentId: number): StoredFile[] =>
  db
    .prepare(
      `SELECT s.folder_path || '/' || o.file_name AS file_path, o.file_size, o.file_hash
        FROM imaging_studies AS i JOIN imaging_series AS s ON s.study_id = i.id
        JOIN imaging_instances AS o ON o.series_id = s.id WHERE i.document_id = @id
      UNION ALL SELECT i.bundle_path || '/' || b.name, b.file_size, b.file_hash
        FROM imaging_studies AS i JOIN imaging_bundle_files AS b ON b.study_id = i.id WHERE i.document_id = @id`,
    )
    .all({ id: documentId }) as StoredFile[];

/** Checks a file of a study; one that was moved or deleted meanwhile is checked the next time. */
async function checkStudyFile(deps: VerifyDeps, documentId: number, file: StoredFile): Promise<Fault | null> {
  deps.signal?.throwIfAborted();
  const kind = await compare(deps, file);
  if (kind === null || hasPendingMove(deps.db, file.file_path)) return null;
  const isStill = studyFiles(deps.db, documentId).some(({ file_path }) => file_path === file.file_path);
  return isStill ? { kind, path: file.file_path, document_id: documentId } : null;
}

async function compare(
  { paths, signal, hash }: VerifyDeps,
  { file_path, file_size, file_hash }: StoredFile,
): Promise<'missing' | 'changed' | null> {
  try {
    const absolute = paths.resolve(file_path);
    const entry = lstatOrNull(absolute);
    if (!entry?.isFile()) return 'missing';
    if (contentSizeOf(absolute) !== file_size) return 'changed';
    return (await hashOrDamaged(hash, absolute, signal)) === file_hash ? null : 'changed';
  } catch (error) {
    // The file was deleted meanwhile, or the file or a parent folder was replaced by a link.
    if (['ENOENT', 'vault.path_outside'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'missing';
    throw error;
  }
}

/** A file of an encrypted vault whose seal is broken has changed. */
const hashOrDamaged = (hash: VerifyDeps['hash'], absolute: string, signal?: AbortSignal): Promise<string> =>
  hash(absolute, signal).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EBADMSG') return DAMAGED;
    throw error;
  });

/** Yields entries in document folders, trash and temporary files that no row names. */
async function* strayEntries(deps: VerifyDeps): AsyncGenerator<Extract<Fault, { kind: 'foreign' }> | Leftover> {
  const { db, paths, signal } = deps;
  for (const folder of DOCUMENT_FOLDERS) {
    for await (const { path } of entriesBelow(paths.root, folder)) {
      if (hasOwner(db, path)) continue;
      if (folder === FOLDERS.inbox) yield { kind: 'waiting', path };
      else yield* checkForeignFile(deps, path);
    }
  }
  for await (const { path } of entriesBelow(paths.root, FOLDERS.trash)) {
    signal?.throwIfAborted();
    if (!isInTrashItem(db, path) && !hasPendingMove(db, path)) yield* checkForeignFile(deps, path);
  }
  for await (const { path } of entriesBelow(paths.root, FOLDERS.tmp))
    if (!hasPendingMove(db, path)) yield { kind: 'temporary', path };
}

async function* checkForeignFile(
  { db, paths, signal, hash: hashOf }: VerifyDeps,
  path: string,
): AsyncGenerator<Extract<Fault, { kind: 'foreign' }>> {
  const absolute = join(paths.root, path);
  const hash = lstatOrNull(absolute)?.isFile() ? await hashOrDamaged(hashOf, absolute, signal) : null;
  // Since the folder was listed, the entry may have been removed or a row may have been added for it.
  if (lstatOrNull(absolute) === null || hasOwner(db, path) || isInTrashItem(db, path)) return;
  const same =
    hash === null
      ? undefined
      : (db.prepare('SELECT id FROM documents WHERE file_hash = ?').pluck().get(hash) as number | undefined);
  yield { kind: 'foreign', path, same_as: same ?? null };
}

/** `trash/7/0.pdf` belongs to item 7 if its row names it. */
function isInTrashItem(db: Database, path: string): boolean {
  const files = db
    .prepare('SELECT files FROM trash WHERE id = ?')
    .pluck()
    .get(Number(path.split('/')[1])) as string | undefined;
  return files !== undefined && (JSON.parse(files) as { to: string }[]).some((file) => file.to === path);
}

/** Whether a document, a planned move or a trash item names this file. */
export const isFiled = (db: Database, path: string): boolean =>
  db.prepare('SELECT 1 FROM documents WHERE file_path = ?').get(path) !== undefined ||
  hasPendingMove(db, path) ||
  (path.startsWith(`${FOLDERS.trash}/`) && isInTrashItem(db, path));

/** Whether a document, a planned move or an imaging study names this folder. */
function hasOwner(db: Database, path: string): boolean {
  if (db.prepare('SELECT 1 FROM documents WHERE file_path = ?').get(path) !== undefined || hasPendingMove(db, path))
    return true;
  return (
    db
      .prepare(
        `SELECT 1 FROM imaging_studies WHERE folder_path IN (SELECT value FROM json_each($folders))
          OR bundle_path IN (SELECT value FROM json_each($folders)) LIMIT 1`,
      )
      .get({ folders: JSON.stringify(withParents(path).slice(1)) }) !== undefined
  );
}

/** Yields every entry below a folder that is not a folder. Links are yielded, not followed. */
async function* entriesBelow(root: string, folder: string): AsyncGenerator<{ path: string; isFile: boolean }> {
  if (!lstatOrNull(join(root, folder))?.isDirectory()) return;
  for await (const entry of await opendir(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* entriesBelow(root, path);
    else yield { path, isFile: entry.isFile() };
  }
}

/**
 * Yields vault paths of regular files below a folder. A file whose name is invalid in a vault path is renamed first,
 * because a backup with that name could not be restored.
 */
export async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  const odd: string[] = [];
  for await (const { path, isFile } of entriesBelow(root, folder)) {
    if (!isFile) continue;
    if (isVaultPath(path)) yield path;
    else odd.push(path);
  }
  // Runs after listing, which would find the renamed files again.
  for (const path of odd) yield makePathPlain(root, path) ?? path;
}

function* lostTrash({ db, paths }: VerifyDeps): Generator<Fault> {
  const files = db
    .prepare(
      `SELECT trash.id AS trash_id, json_extract(file.value, '$.to') AS path FROM trash, json_each(trash.files) AS file
        ORDER BY trash.id`,
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
    JOIN (SELECT file_hash, min(id) AS id FROM documents WHERE file_path <> '' GROUP BY file_hash HAVING count(*) > 1) AS first
      ON first.file_hash = d.file_hash
    WHERE d.id > first.id ORDER BY d.id`)
    .all() as { path: string; document_id: number; same_as: number }[];
  return rows.map((row) => ({ kind: 'doubled', ...row }));
}

/** Lists what SQLite reports about an open database. */
export function databaseFaults(sqlite: Sqlite.Database): string[] {
  const damage = (sqlite.pragma('integrity_check(10)') as { integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((message) => message !== 'ok');
  const dangling = (sqlite.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[]).map(
    ({ table, rowid, parent }) => `${table} ${rowid} points to a row of ${parent} that is gone`,
  );
  return [...damage, ...dangling];
}
