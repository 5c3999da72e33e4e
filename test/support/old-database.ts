import Sqlite from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const MIGRATIONS = new URL('../../src-main/platform/database/migrations/', import.meta.url);

/**
 * Writes a database as the program left it when the migration with the number `last` was its newest, with these rows.
 * Returns its path.
 */
export function writeOldDatabase(file: string, last: number, rows: string): string {
  const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', MIGRATIONS), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  const db = new Sqlite(file);
  db.exec(
    'CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)',
  );
  for (const { tag, when } of entries.slice(0, last + 1)) {
    const sql = readFileSync(new URL(`${tag}.sql`, MIGRATIONS), 'utf8');
    for (const statement of sql.split('--> statement-breakpoint')) db.exec(statement);
    const hash = createHash('sha256').update(sql).digest('hex');
    db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(hash, when);
  }
  db.exec(rows);
  db.close();
  return file;
}
