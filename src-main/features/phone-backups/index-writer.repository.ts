import type Sqlite from 'better-sqlite3';
import { openVaultDatabase } from '../../platform/database/encryption.ts';
import { ensurePrivateDatabase } from '../../platform/kernel/private-file.ts';
import type { IndexDatabase } from '../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import type { StoredTable } from '../../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import {
  createIndexWriter,
  createTables,
  INDEX_VERSION,
  type IndexWriter,
} from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';

/** Adapts a better-sqlite3 database to the interface of the index. */
export const asIndexDatabase = (db: Sqlite.Database): IndexDatabase => ({
  exec: (sql) => void db.exec(sql),
  prepare(sql) {
    const statement = db.prepare(sql);
    return {
      run: (values) => void statement.run(values),
      all: (values = []) => statement.all(values) as Record<string, unknown>[],
    };
  },
  close: () => void db.close(),
});

/**
 * Opens the index of a backup for writing, and creates it if there is none or another version wrote it. Only one writer
 * may be open at a time.
 */
export function openIndexWriter(file: string, tables: readonly StoredTable[]): IndexWriter & { close(): void } {
  // Creates the file readable by its owner only; SQLite copies the mode for its log.
  ensurePrivateDatabase(file);
  const db = openVaultDatabase(file);
  db.pragma('busy_timeout = 10000');
  db.pragma('journal_mode = WAL');
  // A power failure may destroy the index, which can be rebuilt from the backup.
  db.pragma('synchronous = NORMAL');
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -8000');
  if (db.pragma('user_version', { simple: true }) !== INDEX_VERSION) {
    dropTables(db);
    createTables(asIndexDatabase(db), tables);
    db.pragma(`user_version = ${INDEX_VERSION}`);
  }
  return {
    ...createIndexWriter(asIndexDatabase(db), tables),
    close() {
      if (db.inTransaction) db.exec('ROLLBACK');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}

function dropTables(db: Sqlite.Database): void {
  const names = db
    .prepare(
      `SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT GLOB '*_fts_*'`,
    )
    .pluck()
    .all() as string[];
  for (const name of names) db.exec(`DROP TABLE IF EXISTS "${name}"`);
}
