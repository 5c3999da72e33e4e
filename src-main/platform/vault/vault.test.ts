import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordFsCalls, withFs } from '../../../test/support/fs-faults.ts';
import {
  addDocument,
  commitAndDie,
  filesOf,
  openTestVault,
  putFile,
  sha256,
  testLog,
  type TestVault,
} from '../../../test/support/vault.ts';
import type { Log } from '../kernel/log.ts';
import { createVault } from './vault.ts';

let t: TestVault;
const opened: TestVault[] = [];
beforeEach(() => {
  t = openTestVault();
});
afterEach(() => {
  for (const vault of opened.splice(0)) vault.close();
  t.close();
});

describe('receive', () => {
  const limited = (limit: number, bytes: string): Promise<unknown> =>
    t.vault.receive(Readable.from([Buffer.from(bytes)]), { limit });

  test('stores the bytes in a private temporary file, and returns their size and hash', async () => {
    const received = await t.vault.receive(Readable.from([Buffer.from('two '), Buffer.from('chunks')]), { limit: 10 });
    expect(received).toEqual({ path: expect.stringMatching(/^tmp\/id-/), size: 10, hash: sha256('two chunks') });
    expect(readFileSync(t.vault.resolve(received.path), 'utf8')).toBe('two chunks');
    if (process.platform !== 'win32') expect(lstatSync(t.vault.resolve(received.path)).mode & 0o777).toBe(0o600);
  });

  test.each([
    [0, '0 bytes'],
    [1, '1 bytes'],
    [1023, '1023 bytes'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [1_048_575, '1024 KiB'],
    [1_048_576, '1 MiB'],
  ])('refuses more than %i bytes, names the limit and keeps nothing', async (limit, readable) => {
    await expect(limited(limit, 'x'.repeat(limit + 1))).rejects.toMatchObject({
      code: 'upload.too_large',
      params: { limit: readable },
    });
    expect(filesOf(t.root)).toEqual({});
  });

  test.skipIf(process.platform === 'win32')('has the bytes on the disk when it returns', async () => {
    const { calls, fs } = recordFsCalls(t.root);
    const { path } = await withFs(fs, () => t.vault.receive(Readable.from(['bytes']), { limit: 10 }));
    expect(calls).toEqual([`flush ${path}`]);
  });

  test('keeps nothing when the source fails or the caller stops', async () => {
    const broken = new Readable({ read: () => void broken.destroy(new Error('the connection broke')) });
    await expect(t.vault.receive(broken, { limit: 10 })).rejects.toThrow('the connection broke');
    const signal = AbortSignal.abort();
    await expect(t.vault.receive(Readable.from(['x']), { limit: 10, signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(filesOf(t.root)).toEqual({});
  });
});

test('discard removes a temporary file and no other', () => {
  putFile(t.root, 'tmp/a', 'temporary');
  putFile(t.root, 'inbox/user-1/a.pdf', 'stays');
  t.vault.discard('tmp/a');
  t.vault.discard('tmp/a');
  t.vault.discard('inbox/user-1/a.pdf');
  expect(filesOf(t.root)).toEqual({ 'inbox/user-1/a.pdf': 'stays' });
});

test('temporary paths differ and may have an extension', () => {
  const paths = [t.vault.temporaryPath(), t.vault.temporaryPath(), t.vault.temporaryPath('.db')];
  expect(new Set(paths).size).toBe(3);
  expect(paths[0]).toMatch(/^tmp\/id-\d+-\d+$/);
  expect(paths[2]).toMatch(/^tmp\/id-\d+-\d+\.db$/);
});

describe('a free path', () => {
  const folder = 'patients/elena-keller/2025';

  test('is not one on disk, in a row or of a planned move', () => {
    expect(t.vault.freePath(folder, 'a.pdf')).toBe(`${folder}/a.pdf`);
    putFile(t.root, `${folder}/a.pdf`, 'on disk');
    expect(t.vault.freePath(folder, 'a.pdf')).toBe(`${folder}/a-2.pdf`);
    addDocument(t, `${folder}/a-2.pdf`, 'in a row');
    t.vault.transaction(() => {
      t.vault.journal.planMove(`${folder}/a.pdf`, `${folder}/a-3.pdf`);
      expect(t.vault.freePath(folder, 'a.pdf')).toBe(`${folder}/a-4.pdf`);
    });
    expect(t.vault.freePath(folder, 'a.pdf')).toBe(`${folder}/a.pdf`);
  });

  test('may be the one that the caller has', () => {
    addDocument(t, `${folder}/a.pdf`, 'one');
    addDocument(t, `${folder}/a-2.pdf`, 'two');
    expect(t.vault.freePath(folder, 'a.pdf', `${folder}/a-2.pdf`)).toBe(`${folder}/a-2.pdf`);
    expect(t.vault.freePath(folder, 'a.pdf', `${folder}/a.pdf`)).toBe(`${folder}/a.pdf`);
  });

  test('is found after many of the same name, with gaps', () => {
    addDocument(t, `${folder}/a.pdf`, '1');
    for (let n = 2; n <= 12; n += 1) if (n !== 9) addDocument(t, `${folder}/a-${n}.pdf`, String(n));
    expect(t.vault.freePath(folder, 'a.pdf')).toBe(`${folder}/a-9.pdf`);
    putFile(t.root, `${folder}/a-9.pdf`, 'foreign');
    expect(t.vault.freePath(folder, 'a.pdf')).toBe(`${folder}/a-13.pdf`);
    // A folder whose name only starts with the same characters does not count.
    addDocument(t, `${folder}-other/a-13.pdf`, 'elsewhere');
    expect(t.vault.freePath(folder, 'a.pdf')).toBe(`${folder}/a-13.pdf`);
    expect(t.vault.freePath(folder, 'a.pdf', `${folder}/a-11.pdf`)).toBe(`${folder}/a-11.pdf`);
  });
});

test('a path is known by a row or by a planned move', () => {
  addDocument(t, 'patients/a/1.pdf', 'one');
  putFile(t.root, 'patients/a/2.pdf', 'two');
  expect([t.vault.knows('patients/a/1.pdf'), t.vault.knows('patients/a/2.pdf')]).toEqual([true, false]);
  t.vault.transaction(() => {
    t.vault.journal.planMove('patients/a/2.pdf', 'patients/a/3.pdf');
    expect(['2', '3', '4'].map((name) => t.vault.knows(`patients/a/${name}.pdf`))).toEqual([true, true, false]);
  });
});

test('a transaction returns its result, and moves its files after the outermost one', () => {
  putFile(t.root, 'tmp/a', 'bytes');
  const result = t.vault.transaction(() => {
    t.vault.transaction(() => t.vault.journal.planMove('tmp/a', 'inbox/user-1/a.pdf'));
    expect(filesOf(t.root)).toEqual({ 'tmp/a': 'bytes' });
    return 'result';
  });
  expect(result).toBe('result');
  expect(filesOf(t.root)).toEqual({ 'inbox/user-1/a.pdf': 'bytes' });
});

test('a transaction that throws moves no files', () => {
  putFile(t.root, 'tmp/a', 'bytes');
  expect(() =>
    t.vault.transaction(() => {
      t.vault.journal.planMove('tmp/a', 'inbox/user-1/a.pdf');
      throw new Error('changed my mind');
    }),
  ).toThrow('changed my mind');
  t.vault.journal.apply();
  expect(filesOf(t.root)).toEqual({ 'tmp/a': 'bytes' });
});

test('opening a vault finishes the moves of an interrupted process and sweeps its uploads', () => {
  putFile(t.root, 'tmp/kept', 'new');
  putFile(t.root, 'tmp/broken-off', 'half');
  commitAndDie(t, () => t.vault.journal.planMove('tmp/kept', 'inbox/user-1/a.pdf'));
  opened.push(openTestVault(t.root));
  expect(filesOf(t.root)).toEqual({ 'inbox/user-1/a.pdf': 'new' });
});

test('opening a vault logs what it finished, and nothing otherwise', () => {
  const entries: unknown[] = [];
  const log: Log = {
    ...testLog(),
    child: (module) => ({ ...log, info: (fields, message) => void entries.push([module, fields, message]) }),
  };
  const reopen = (): unknown[] => {
    createVault({ root: t.root, db: t.db, clock: t.clock, ids: () => 'id', log });
    return entries.splice(0);
  };
  expect(reopen()).toEqual([]);
  for (const name of ['a', 'left']) putFile(t.root, `tmp/${name}`, name);
  commitAndDie(t, () => t.vault.journal.planMove('tmp/a', 'inbox/a'));
  const finished = 'finished what was interrupted';
  expect(reopen()).toEqual([['vault', { applied: 1, waiting: 0, removed: 1 }, finished]]);
  putFile(t.root, 'tmp/b', 'b');
  putFile(t.root, 'tmp/c', 'c');
  putFile(t.root, 'patients/x', 'a file in the way of a folder');
  commitAndDie(t, () => {
    t.vault.journal.planMove('tmp/b', 'inbox/b');
    t.vault.journal.planMove('tmp/c', 'patients/x/c');
  });
  expect(reopen()).toEqual([['vault', { applied: 1, waiting: 1, removed: 0 }, finished]]);
});

test('the folders of a vault are private', () => {
  if (process.platform === 'win32') return;
  for (const folder of [
    '',
    'inbox',
    'patients',
    'unclassified',
    'trash',
    'tmp',
    'cache',
    'cache/thumbnails',
    'cache/health-links',
  ])
    expect([folder, lstatSync(join(t.root, folder)).mode & 0o777]).toEqual([folder, 0o700]);
});
