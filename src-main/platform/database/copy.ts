import Sqlite from 'better-sqlite3';
import { ensurePrivateDatabase } from '../kernel/private-file.ts';

/**
 * Writes a consistent copy of an open database to a new file, without sessions: they are useless elsewhere, and a
 * restore ends all of them.
 */
export function copyDatabase(source: Pick<Sqlite.Database, 'prepare'>, to: string): void {
  ensurePrivateDatabase(to);
  source.prepare('VACUUM INTO ?').run(to);
  removeSessions(to);
}

/** Ends all sessions of a database that is not open. Their ids must not remain in free pages of the file. */
export function removeSessions(file: string): void {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('secure_delete = ON');
    const hasTable = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sessions'").get();
    if (hasTable) db.exec('DELETE FROM sessions');
  } finally {
    db.close();
  }
}
