import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import { createQueryCache, createRowCache, databaseVersion } from './query-cache.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('caches a result until this or another connection writes', () => {
  const file = join(folder, 'vault.db');
  const db = openTestDatabase(file);
  const other = openTestDatabase(file);
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
  const db = openTestDatabase(join(folder, 'vault.db'));
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

/** Rows of a table by id, whose reads are counted, and a version as `databaseVersion` gives it. */
function table(maxRows?: number) {
  const state = { version: '1' as string | null, text: 'a', reads: [] as number[][] };
  const rows = createRowCache(
    () => state.version,
    (ids) => {
      state.reads.push([...ids]);
      return ids.filter((id) => id < 100).map((id) => [id, { text: `${state.text}${id}` }] as const);
    },
    maxRows,
  );
  return { state, rows: (ids: number[]): string[] => rows(ids).map(({ text }) => text) };
}

test('reads each row once until the next write, in the order of the ids', () => {
  const { state, rows } = table();
  expect(rows([3, 1])).toEqual(['a3', 'a1']);
  expect(rows([1, 2, 3])).toEqual(['a1', 'a2', 'a3']);
  expect(state.reads).toEqual([[3, 1], [2]]);
  Object.assign(state, { version: '2', text: 'b' });
  expect(rows([1, 2])).toEqual(['b1', 'b2']);
  expect(state.reads.at(-1)).toEqual([1, 2]);
});

test('leaves out rows that do not exist, and finds one that is added later', () => {
  const { state, rows } = table();
  expect(rows([100, 1])).toEqual(['a1']);
  expect(rows([100])).toEqual([]);
  expect(state.reads).toEqual([[100, 1], [100]]);
});

test('keeps nothing that was read within a transaction', () => {
  const { state, rows } = table();
  expect(rows([1])).toEqual(['a1']);
  Object.assign(state, { version: null, text: 'uncommitted ' });
  expect(rows([1])).toEqual(['uncommitted 1']);
  state.version = '1';
  expect(rows([1])).toEqual(['a1']);
});

test('keeps a limited number of rows, and reads more than that at once without keeping them', () => {
  const { state, rows } = table(3);
  rows([1, 2]);
  rows([3, 4]);
  expect(rows([3, 4])).toEqual(['a3', 'a4']);
  expect(state.reads).toHaveLength(2);
  expect(rows([1, 2, 3, 4])).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(state.reads.at(-1)).toEqual([1, 2, 3, 4]);
  rows([1]);
  expect(state.reads.at(-1)).toEqual([1]);
});
