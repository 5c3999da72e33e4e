import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../../test/support/vault.ts';
import { systemClock } from '../kernel/clock.ts';
import { createFileWorker, type FileWorker } from './file-worker.ts';

let folder: string, worker: FileWorker;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-worker-'));
  worker = createFileWorker(systemClock);
});
afterEach(async () => {
  await worker.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
function put(name: string, bytes: string): string {
  writeFileSync(at(name), bytes);
  return at(name);
}

test('hashes a file, and rejects a missing one', async () => {
  expect(await worker.hash(put('a', 'abc'))).toBe(sha256('abc'));
  await expect(worker.hash(at('gone'))).rejects.toMatchObject({ code: 'ENOENT', message: 'the file is gone' });
});

test('hashes many files, with null for missing ones and for other entries', async () => {
  mkdirSync(at('folder'));
  expect(await worker.hashAll([put('a', 'abc'), at('gone'), at('folder'), put('b', '')])).toEqual([
    sha256('abc'),
    null,
    null,
    sha256(''),
  ]);
  expect(await worker.hashAll([])).toEqual([]);
});

test('copies files with their size and hash, and leaves nothing of those it cannot read', async () => {
  mkdirSync(at('folder'));
  const large = 'x'.repeat(3 * 2 ** 20 + 17);
  const names = ['large', 'empty', 'gone', 'folder'];
  put('large', large);
  put('empty', '');
  expect(await worker.copyAll(names.map((name) => ({ from: at(name), to: at(`copy-${name}`) })))).toEqual([
    { size: large.length, sha256: sha256(large), content: sha256(large) },
    { size: 0, sha256: sha256(''), content: sha256('') },
    null,
    null,
  ]);
  expect(readFileSync(at('copy-large'), 'utf8') === large).toBe(true);
  if (process.platform !== 'win32') expect(statSync(at('copy-large')).mode & 0o777).toBe(0o600);
  expect(['copy-empty', 'copy-gone', 'copy-folder'].map((name) => existsSync(at(name)))).toEqual([true, false, false]);
});

test('fails when the folder of a copy is missing', async () => {
  put('a', 'abc');
  await expect(worker.copyAll([{ from: at('a'), to: at('missing/a') }])).rejects.toThrow('ENOENT');
});

test('copies a database while it is written, including its log', async () => {
  const db = new Sqlite(at('a.db'));
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (7)');
  await worker.copyDatabase(at('a.db'), at('b.db'));
  db.close();
  const copy = new Sqlite(at('b.db'), { readonly: true });
  expect(copy.prepare('SELECT n FROM t').all()).toEqual([{ n: 7 }]);
  copy.close();
  await expect(worker.copyDatabase(at('a.db'), at('b.db'))).rejects.toThrow();
  await expect(worker.copyDatabase(at('gone.db'), at('c.db'))).rejects.toThrow();
});

test('lists the faults of a database', async () => {
  const db = new Sqlite(at('a.db'));
  db.exec('CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p_id INTEGER REFERENCES p(id))');
  expect(await worker.databaseFaults(at('a.db'))).toEqual([]);
  db.pragma('foreign_keys = OFF');
  db.exec('INSERT INTO c VALUES (5)');
  db.close();
  expect(await worker.databaseFaults(at('a.db'))).toEqual(['c 1 points to a row of p that is gone']);
});

test('ends when it is aborted', async () => {
  put('a', 'abc');
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(worker.hash(at('a'), signal)).rejects.toThrow();
  expect(await worker.hash(at('a'))).toBe(sha256('abc'));
});
