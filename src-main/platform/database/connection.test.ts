import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from './connection.ts';

const MIGRATIONS = new URL('migrations/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'hearth-connection-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a database as the program left it when the migration with the number `last` was its newest. */
function writeDatabaseOf(last: number, rows: string): string {
  const file = join(folder, 'vault.db'),
    { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', MIGRATIONS), 'utf8')) as {
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

test('a database of an earlier version keeps when its knowledge was seeded', () => {
  const file = writeDatabaseOf(
    10,
    "INSERT INTO knowledge_editions VALUES ('labs', 'edition 1', '2026-01-02T03:04:05')",
  );
  const db = openDatabase(file);
  expect(db.sqlite.prepare('SELECT part, edition, seeded_at FROM knowledge_editions').all()).toEqual([
    { part: 'labs', edition: 'edition 1', seeded_at: '2026-01-02T03:04:05' },
  ]);
  expect(db.sqlite.pragma('foreign_key_check')).toEqual([]);
  db.close();
});
