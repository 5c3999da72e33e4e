import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { replaceKey, useDatabaseKey } from '../database/encryption.ts';
import { ensurePrivateDatabase } from '../kernel/private-file.ts';
import { syncFile, syncFolder } from './atomic.ts';
import { VaultInUse } from './lock.ts';

const unfinishedOf = (file: string): string => `${file}.rekey`;

/**
 * Replaces a database file, which must not be open, by one under another key, or by a plain one if `to` is null. The file under its
 * name is always whole: the new one is written beside it, flushed and renamed.
 */
export function changeDatabaseKey(file: string, from: Uint8Array | null, to: Uint8Array | null): void {
  const unfinished = unfinishedOf(file);
  try {
    copyDatabase(file, from);
    const copy = new Sqlite(unfinished, { fileMustExist: true });
    try {
      useDatabaseKey(copy, from);
      // A key can't be changed in WAL mode; the copy begins without it.
      copy.pragma('journal_mode = MEMORY');
      replaceKey(copy, from, to);
    } finally {
      copy.close();
    }
    syncFile(unfinished);
    renameSync(unfinished, file);
  } finally {
    removeUnfinishedDatabase(file);
  }
  for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
  syncFolder(dirname(file));
}

/** Throws for a damaged database, of which no copy can be made. */
export function requireReadableDatabase(file: string, key: Uint8Array | null): void {
  try {
    copyDatabase(file, key);
  } finally {
    removeUnfinishedDatabase(file);
  }
}

/** Removes what a killed process left, or one on a full disk: it takes the space that the next one needs. */
export const removeUnfinishedDatabase = (file: string): void => rmSync(unfinishedOf(file), { force: true });

/** Writes a copy under the same key beside the database. */
function copyDatabase(file: string, key: Uint8Array | null): void {
  removeUnfinishedDatabase(file);
  const source = new Sqlite(file, { fileMustExist: true });
  try {
    useDatabaseKey(source, key);
    // What is in the write-ahead log belongs to the old file.
    source.pragma('wal_checkpoint(TRUNCATE)');
    ensurePrivateDatabase(unfinishedOf(file));
    source.prepare('VACUUM INTO ?').run(unfinishedOf(file));
  } finally {
    source.close();
  }
}

/**
 * Fails while another program, such as one in share mode, has the database open: what it writes would go into the file
 * that is replaced. Leaves the database without a write-ahead log. Throws `VaultInUse`.
 */
export function requireSoleConnection(file: string, key: Uint8Array | null): void {
  const db = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    useDatabaseKey(db, key);
    if (db.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw new VaultInUse();
  } catch (error) {
    throw (error as { code?: string }).code === 'SQLITE_BUSY' ? new VaultInUse() : error;
  } finally {
    db.close();
  }
}
