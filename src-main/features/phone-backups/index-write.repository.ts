import Sqlite from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';
import {
  createIndexWriter,
  createTables,
  INDEX_VERSION,
  type IndexWriter,
} from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import type { StoredTable } from '../../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import { indexDatabase } from './index-database.repository.ts';

/** Opens the index of a backup for writing; made when there is none, or one of another version. Only one at a time. */
export function openIndexWriter(file: string, tables: readonly StoredTable[]): IndexWriter & { close(): void } {
  // Made here for its owner alone; SQLite makes the log beside it alike.
  closeSync(openSync(file, 'a', 0o600));
  const db = new Sqlite(file);
  db.pragma('busy_timeout = 10000');
  db.pragma('journal_mode = WAL');
  // Everything in it can be read again from the backup; a power cut costs only that.
  db.pragma('synchronous = NORMAL');
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -8000');
  if (db.pragma('user_version', { simple: true }) !== INDEX_VERSION) {
    for (const name of db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT GLOB '*_fts_*'",
      )
      .pluck()
      .all() as string[])
      db.exec(`DROP TABLE IF EXISTS "${name}"`);
    createTables(indexDatabase(db), tables);
    db.pragma(`user_version = ${INDEX_VERSION}`);
  }
  return {
    ...createIndexWriter(indexDatabase(db), tables),
    close() {
      if (db.inTransaction) db.exec('ROLLBACK');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}
