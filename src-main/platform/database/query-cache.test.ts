import { expect, test } from 'vitest';
import { openDatabase } from './connection.ts';
import { createQueryCache, databaseVersion } from './query-cache.ts';

test('an answer is kept until somebody writes', () => {
  const db = openDatabase(':memory:');
  const kept = createQueryCache<number>(() => databaseVersion(db));
  let made = 0;
  const ask = (key: string): number => kept(key, () => (made += 1));
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  db.prepare("INSERT INTO patients (slug, display_name, created_at) VALUES ('p', 'P', 'x')").run();
  expect([ask('a'), ask('a')]).toEqual([3, 3]);
  db.close();
});
