import { existsSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import {
  applyPragmas,
  openDatabase,
  wrapConnection,
  type Database,
} from '../../src-main/platform/database/connection.ts';

let migrated: Buffer | null = null;

/** The bytes of a database with all migrations, which take twenty times as long as a copy. */
function emptyDatabase(): Buffer {
  if (!migrated) {
    const db = openDatabase(':memory:');
    migrated = db.sqlite.serialize();
    db.close();
  }
  return migrated;
}

/**
 * Opens the database file, made from a migrated copy if it is missing. Its data need not survive a power cut, so
 * nothing waits for the disk.
 */
export function openTestDatabase(file: string): Database {
  if (!existsSync(file)) writeFileSync(file, emptyDatabase(), { mode: 0o600 });
  const db = openDatabase(file);
  db.sqlite.pragma('synchronous = OFF');
  return db;
}

/** Opens an empty database in memory. */
export function openDatabaseInMemory(): Database {
  const sqlite = new Sqlite(emptyDatabase());
  applyPragmas(sqlite);
  return wrapConnection(sqlite);
}
