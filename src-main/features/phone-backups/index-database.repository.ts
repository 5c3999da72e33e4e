import type Sqlite from 'better-sqlite3';
import type { IndexDatabase } from '../../../src-shared/ios-backup/artifacts/index-store/database.ts';

/** A database of better-sqlite3 as the index knows it. */
export const indexDatabase = (db: Sqlite.Database): IndexDatabase => ({
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
