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

test('caches an answer until this or another connection writes', () => {
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
