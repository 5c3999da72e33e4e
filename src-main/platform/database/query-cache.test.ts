import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './connection.ts';
import { createQueryCache, databaseVersion } from './query-cache.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('caches a result until this or another connection writes', () => {
  const file = join(folder, 'vault.db');
  const db = openDatabase(file);
  const other = openDatabase(file);
  const cached = createQueryCache<number>(() => databaseVersion(db));
  let computed = 0;
  const ask = (key: string): number => cached(key, () => (computed += 1));
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  db.prepare("INSERT INTO patients (slug, display_name, created_at) VALUES ('p', 'P', 'x')").run();
  expect([ask('a'), ask('a')]).toEqual([3, 3]);
  other.prepare("UPDATE patients SET display_name = 'Q'").run();
  expect([ask('a'), ask('a')]).toEqual([4, 4]);
  for (const connection of [db, other]) connection.close();
});

test('caches nothing that was read in a transaction, which may be rolled back', () => {
  const db = openDatabase(join(folder, 'vault.db'));
  const cached = createQueryCache<number>(() => databaseVersion(db));
  const count = (): number =>
    cached('patients', () => db.prepare('SELECT count(*) FROM patients').pluck().get() as number);
  expect(() =>
    db.transaction(() => {
      db.prepare("INSERT INTO patients (slug, display_name, created_at) VALUES ('p', 'P', 'x')").run();
      expect(count()).toBe(1);
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  expect(count()).toBe(0);
  db.close();
});
