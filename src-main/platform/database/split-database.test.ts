import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import { openSplitDatabase, type SplitDatabase } from './split-database.ts';

let folder: string, file: string, db: SplitDatabase | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-split-'));
  [file, db] = [join(folder, 'vault.db'), null];
});
afterEach(() => {
  db?.close();
  rmSync(folder, { recursive: true, force: true });
});
const open = (): SplitDatabase => {
  openTestDatabase(file).close();
  db = openSplitDatabase(file);
  return db;
};
const PATIENT = "INSERT INTO patients (slug, display_name, created_at) VALUES ('elena', 'Elena', '')";

describe('the reader', () => {
  test('sees what the writer writes, and what another process writes', () => {
    const { reader, writer } = open();
    const count = (): unknown => reader.prepare('SELECT count(*) FROM patients').pluck().get();
    writer.prepare(PATIENT).run();
    expect(count()).toBe(1);
    const other = openTestDatabase(file);
    other.prepare(PATIENT.replace("'elena'", "'marco'")).run();
    other.close();
    expect(count()).toBe(2);
  });

  test.each([
    PATIENT,
    'DELETE FROM documents',
    'UPDATE shares SET revoked_at = NULL',
    'DROP TABLE share_audit',
    'CREATE TABLE other (id)',
    'PRAGMA user_version = 99',
  ])('can’t write, whatever the pragma says: %s', (statement) => {
    const { sqlite } = open().reader;
    sqlite.pragma('query_only = OFF');
    expect(() => sqlite.exec(statement)).toThrow(/readonly database/);
  });
});

test('a database that is missing is not created', () => {
  expect(() => openSplitDatabase(file)).toThrow(/unable to open|does not exist/i);
  expect(existsSync(file)).toBe(false);
});

test('a database of an older version is neither migrated nor read', () => {
  openTestDatabase(file).close();
  const sqlite = new Sqlite(file);
  const versions = (): unknown => sqlite.prepare('SELECT count(*) FROM __drizzle_migrations').pluck().get();
  sqlite.exec('DELETE FROM __drizzle_migrations WHERE rowid = (SELECT max(rowid) FROM __drizzle_migrations)');
  const before = versions();
  expect(() => openSplitDatabase(file)).toThrow(/older version/);
  expect(versions()).toBe(before);
  sqlite.close();
});
