import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useDatabaseKey } from '../database/encryption.ts';
import { changeDatabaseKey } from './change-database-key.ts';

const KEY = randomBytes(32);
let folder: string, file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encrypted-'));
  file = join(folder, 'vault.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(key: Uint8Array | null): Sqlite.Database {
  const db = new Sqlite(file);
  useDatabaseKey(db, key);
  return db;
}
function fill(key: Uint8Array | null): void {
  const db = open(key);
  db.pragma('journal_mode = WAL');
  db.exec(`CREATE TABLE papers (words TEXT); CREATE VIRTUAL TABLE found USING fts5 (words, tokenize = 'trigram')`);
  const rows = db.prepare('INSERT INTO papers VALUES (?)');
  const index = db.prepare('INSERT INTO found VALUES (?)');
  db.transaction(() => {
    for (let n = 0; n < 500; n += 1) for (const to of [rows, index]) to.run(`zanthoxylum ${n}`);
  })();
  // Stays in the write-ahead log.
  db.prepare('INSERT INTO papers VALUES (?)').run('zanthoxylum of the log');
  expect(leaks()).toEqual(key === null ? ['vault.db-wal'] : []);
  db.close();
}
const leaks = (): string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes('zanthoxylum'));
function count(key: Uint8Array | null): [number, number, string] {
  const db = open(key);
  try {
    return [
      db.prepare('SELECT count(*) FROM papers').pluck().get() as number,
      db.prepare("SELECT count(*) FROM found WHERE found MATCH 'thoxyl'").pluck().get() as number,
      db.pragma('integrity_check', { simple: true }) as string,
    ];
  } finally {
    db.close();
  }
}

it('holds no word in the clear, in the database, its index and its log', () => {
  fill(KEY);
  expect(leaks()).toEqual([]);
  expect(count(KEY)).toEqual([501, 500, 'ok']);
});

it('gives nothing without the key, with a wrong one, and after a changed bit', () => {
  fill(KEY);
  for (const wrong of [null, randomBytes(32)]) expect(() => count(wrong)).toThrow('file is not a database');
  const bytes = readFileSync(file);
  bytes[5 * 4096 + 77]! ^= 1;
  writeFileSync(file, bytes);
  const db = open(KEY);
  const found = db.pragma('integrity_check', { simple: true });
  db.close();
  expect(found).not.toBe('ok');
});

it('is encrypted, given another key and decrypted with all rows, those of the log too', () => {
  const other = randomBytes(32);
  fill(null);
  changeDatabaseKey(file, null, KEY);
  expect([leaks(), count(KEY)]).toEqual([[], [501, 500, 'ok']]);
  changeDatabaseKey(file, KEY, other);
  expect(() => count(KEY)).toThrow('file is not a database');
  expect([leaks(), count(other)]).toEqual([[], [501, 500, 'ok']]);
  changeDatabaseKey(file, other, null);
  expect([leaks(), count(null)]).toEqual([['vault.db'], [501, 500, 'ok']]);
  expect(readdirSync(folder).filter((name) => name.includes('rekey'))).toEqual([]);
});

it('copies itself encrypted under the same key', () => {
  fill(KEY);
  const db = open(KEY);
  const copy = join(folder, 'copy.db');
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  expect(leaks()).toEqual([]);
  file = copy;
  expect(count(KEY)).toEqual([501, 500, 'ok']);
});
