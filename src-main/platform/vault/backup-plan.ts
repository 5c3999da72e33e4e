import { mkdirSync, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openVaultDatabase } from '../database/encryption.ts';
import type { Database } from '../database/connection.ts';
import { isBackupPath } from './backup-format.ts';
import type { VaultKey } from '../kernel/age-format.ts';
import { randomId } from '../kernel/ids.ts';
import { fileKeyFor } from '../kernel/process-keys.ts';
import { openContent, SealBroken, type Content } from '../sealed/sealed-file.ts';
import { DAMAGED, hashFile, hashStored } from './hash.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from './layout.ts';
import { lstatOrNull, withParents, type VaultPaths } from './paths.ts';
import { writeSealed } from './vault-files.ts';
import { filesBelow, isFiled } from './verify.ts';

/** A file of the backup: its path in the copied database, its stored bytes and its document. */
export interface PlannedFile {
  path: string;
  size: number;
  sha256: string;
  id: number | null;
  /** A sealed copy of a file that was put into an encrypted vault as it is. */
  sealed?: string;
  /** Its current path, if it has moved. */ now?: string;
}

/** A path that the copied rows refer to; `id`, `hash` and `size` for documents. */
export interface Wanted {
  path: string;
  id: number | null;
  hash: string | null;
  size: number | null;
}

/**
 * Lists the files of a backup with their hashes: files named in the copied database, even if the running core has moved
 * them since, and other files in the document folders. `missing` are rows whose file no longer exists.
 */
export async function planBackup({
  db,
  paths,
  copy,
  at,
  sealedFolder,
}: {
  db: Database;
  paths: VaultPaths;
  copy: string;
  at: number;
  /** Where sealed copies go, of an encrypted vault. */
  sealedFolder: string;
}): Promise<{ files: PlannedFile[]; missing: string[] }> {
  const measure = (absolute: string): Promise<Measured | null> => measureFile(absolute, sealedFolder);
  const copied = readCopied(copy, at);
  const filesByPath = new Map(copied.files.map((file) => [file.path, file]));
  const files: PlannedFile[] = [];
  const missing: string[] = [...copied.outside];
  for (const file of filesByPath.values()) {
    const found = await find(db, paths, file, measure);
    if (found) files.push({ path: file.path, id: file.id, ...storedPart(found) });
    else missing.push(file.path);
  }
  for (const folder of [...DOCUMENT_FOLDERS, FOLDERS.trash])
    for await (const path of filesBelow(paths.root, folder)) {
      const backupPath = filesByPath.has(path)
        ? null
        : pathInBackup(db, copied, path, lstatOrNull(paths.resolve(path))?.mtimeMs ?? 0);
      const found = backupPath === null ? null : await measure(paths.resolve(path));
      if (backupPath !== null && found) files.push({ path: backupPath, now: path, id: null, ...storedPart(found) });
    }
  return { files, missing };
}

/**
 * Returns the backup path of a file that no copied row names, or null if it is not part of the backup. A document with
 * a row was either moved, and is in the backup under its old path, or was added later. Files that were in the inbox
 * before (`modified`, ms) and imported since are included, so that a restore imports them again. Files of a moved study
 * keep the path of the copied database.
 */
export function pathInBackup(db: Database, copied: CopiedPaths, path: string, modified: number): string | null {
  const layThere = path.startsWith(`${FOLDERS.inbox}/`) && modified < copied.at;
  if (!layThere && isFiled(db, path)) return null;
  const study = db
    .prepare(`SELECT s.id, above.value AS folder, s.bundle_path = above.value AS bundle FROM json_each($paths) AS above
    JOIN imaging_studies AS s ON s.folder_path = above.value OR s.bundle_path = above.value LIMIT 1`)
    .get({ paths: JSON.stringify(withParents(path)) }) as
    | { id: number; folder: string; bundle: 0 | 1 | null }
    | undefined;
  if (!study) return path;
  const then = copied.studies.get(study.id);
  const folder = study.bundle ? then?.bundle_path : then?.folder_path;
  return folder ? folder + path.slice(study.folder.length) : null;
}

/**
 * Opens a planned file at its current path; an open file may be moved safely. Returns a descriptor, which the caller
 * closes, or null if the file no longer exists.
 */
export function openNow(
  db: Database,
  paths: VaultPaths,
  { path, now = path, size, id, sealed }: PlannedFile,
): number | null {
  if (sealed !== undefined) return openSync(sealed, 'r');
  for (const absolute of candidates(db, paths, now, id)) {
    if (lstatOrNull(absolute)?.size !== size) continue;
    try {
      return openSync(absolute, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return null;
}

/**
 * Paths named by a database that was copied at a given time (ms since the epoch): files of documents and trash items,
 * and folders of studies by id.
 */
export interface CopiedPaths {
  at: number;
  files: Wanted[];
  /** Paths of rows that no backup may contain. */
  outside: string[];
  studies: Map<number, { folder_path: string | null; bundle_path: string | null }>;
}

/** Reads them from a copy of the database that is not open elsewhere. */
export function readCopied(copy: string, at: number): CopiedPaths {
  const db = openVaultDatabase(copy, { readonly: true });
  try {
    const documents = db
      .prepare(
        "SELECT file_path AS path, id, file_hash AS hash, file_size AS size FROM documents WHERE file_path <> '' ORDER BY id",
      )
      .all() as Wanted[];
    const trash = db
      .prepare(
        `SELECT json_extract(file.value, '$.to') AS path, NULL AS id, NULL AS hash, NULL AS size
          FROM trash, json_each(trash.files) AS file ORDER BY trash.id`,
      )
      .all() as Wanted[];
    const studies = db.prepare('SELECT id, folder_path, bundle_path FROM imaging_studies').all() as {
      id: number;
      folder_path: string | null;
      bundle_path: string | null;
    }[];
    const wanted = [...documents, ...trash];
    const files = wanted.filter(({ path }) => isBackupPath(path));
    const outside = wanted.map(({ path }) => path).filter((path) => !isBackupPath(path));
    return { at, files, outside, studies: new Map(studies.map((study) => [study.id, study])) };
  } finally {
    db.close();
  }
}

async function find(
  db: Database,
  paths: VaultPaths,
  { path, id, hash }: Wanted,
  measure: (absolute: string) => Promise<Measured | null>,
): Promise<Measured | null> {
  let best: Measured | null = null;
  for (const absolute of candidates(db, paths, path, id)) {
    const found = await measure(absolute);
    if (found && (hash === null || found.content === hash)) return found;
    // A file that was changed outside Hearth is backed up unchanged if no better copy exists.
    best ??= found;
  }
  return best;
}

/**
 * Yields absolute paths where a file may be now: its own path, then targets of a planned move, of a later move of its
 * document, and of a deletion. Callers repeat until two rounds agree, because the core may move the file between the
 * query and the check on disk.
 */
export function* candidates(db: Database, paths: VaultPaths, path: string, id: number | null): Generator<string> {
  for (let last = '', now = ''; ; last = now) {
    const places = placesNow(db, paths, path, id);
    yield* places;
    now = JSON.stringify(places);
    if (now === last) return;
  }
}

function placesNow(db: Database, paths: VaultPaths, path: string, id: number | null): string[] {
  // A planned move may name a parent folder; the rest of the path stays the same.
  const promised = db
    .prepare(
      `SELECT from_path || substr($path, length(to_path) + 1) FROM vault_journal WHERE to_path IN (SELECT value
        FROM json_each($paths)) ORDER BY id DESC`,
    )
    .pluck()
    .all({ path, paths: JSON.stringify(withParents(path)) }) as string[];
  const currentPaths =
    id === null ? [] : (db.prepare('SELECT file_path FROM documents WHERE id = ?').pluck().all(id) as string[]);
  const deleted = db
    .prepare(
      `SELECT json_extract(file.value, '$.to') FROM trash, json_each(trash.files) AS file
        WHERE json_extract(file.value, '$.from') = ? ORDER BY trash.id DESC`,
    )
    .pluck()
    .all(path) as string[];
  return [...new Set([path, ...promised, ...currentPaths, ...deleted])].flatMap((candidate) =>
    contained(paths, candidate),
  );
}

/** Yields nothing behind a symbolic link, because its target is not part of the vault. */
function contained(paths: VaultPaths, path: string): string[] {
  try {
    return [paths.resolve(path)];
  } catch {
    return [];
  }
}

/** What is stored of a file, and the hash of its content. */
interface Measured extends Pick<PlannedFile, 'size' | 'sha256' | 'sealed'> {
  content: string;
}

const storedPart = ({ content: _content, ...stored }: Measured): Omit<Measured, 'content'> => stored;

/** Measures a regular file; null when there is none. In an encrypted vault, one that is not sealed is copied first. */
async function measureFile(absolute: string, sealedFolder: string): Promise<Measured | null> {
  if (!lstatOrNull(absolute)?.isFile()) return null;
  try {
    const key = fileKeyFor(absolute);
    if (key === null) {
      const sha256 = await hashFile(absolute);
      return { sha256, content: sha256, size: (await stat(absolute)).size };
    }
    const sealed = sealCopy(absolute, key, sealedFolder);
    const stored = sealed ?? absolute;
    return {
      sha256: await hashStored(stored),
      content: await hashOrDamaged(stored),
      size: (await stat(stored)).size,
      ...(sealed !== null && { sealed }),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A damaged file is backed up as it is: nothing better may exist. */
const hashOrDamaged = (absolute: string): Promise<string> =>
  hashFile(absolute).catch((error: unknown) => {
    if (error instanceof SealBroken) return DAMAGED;
    throw error;
  });

/** Copies a file that is not sealed; null for one that is, or whose seal is broken. */
function sealCopy(absolute: string, key: VaultKey, folder: string): string | null {
  let content: Content;
  try {
    content = openContent(absolute, key);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
  try {
    if (content.isSealed) return null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const copy = join(folder, randomId());
    writeSealed(content, copy, key);
    return copy;
  } finally {
    content.close();
  }
}
