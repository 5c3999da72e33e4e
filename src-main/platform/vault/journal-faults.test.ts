import { mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { itWith } from '../../../test/support/requirements.ts';
import { commitAndDie, filesOf, openTestVault, putFile, testLog, type TestVault } from '../../../test/support/vault.ts';
import type { Log } from '../kernel/log.ts';
import { createJournal } from './journal.ts';
import { createPaths } from './paths.ts';

const opened: TestVault[] = [];
const open = (): TestVault => {
  const vault = openTestVault();
  opened.push(vault);
  return vault;
};
afterEach(() => {
  for (const vault of opened.splice(0)) vault.close();
});

itWith({ symlinks: true }, 'retries a failed move later, together with the moves that depend on it', () => {
  const t = open();
  for (const name of ['u', 'v', 'w']) putFile(t.root, `tmp/${name}`, name);
  mkdirSync(join(t.root, 'patients/a'));
  commitAndDie(t, () => {
    t.vault.journal.planMove('tmp/u', 'patients/a/1.pdf');
    t.vault.journal.planMove('patients/a/1.pdf', 'trash/1/0.pdf');
    t.vault.journal.planMove('tmp/w', 'inbox/w.pdf');
  });
  renameSync(join(t.root, 'patients/a'), join(t.root, 'patients/b'));
  symlinkSync(join(t.root, 'patients/b'), join(t.root, 'patients/a'));
  expect(t.vault.journal.apply()).toBe(2);
  expect(filesOf(t.root)).toEqual({ 'tmp/u': 'u', 'tmp/v': 'v', 'inbox/w.pdf': 'w' });
  unlinkSync(join(t.root, 'patients/a'));
  expect(t.vault.journal.apply()).toBe(0);
  expect(filesOf(t.root)).toEqual({ 'tmp/v': 'v', 'trash/1/0.pdf': 'u', 'inbox/w.pdf': 'w' });
});

test('holds back all moves that depend on a failed one, also through others', () => {
  const t = open();
  putFile(t.root, 'tmp/u', 'u');
  putFile(t.root, 'patients/a', 'a file in the way of a folder');
  commitAndDie(t, () => {
    t.vault.journal.planMove('tmp/u', 'patients/a/1.pdf');
    t.vault.journal.planMove('patients/a/1.pdf', 'trash/1/0.pdf');
    t.vault.journal.planMove('trash/1/0.pdf', 'inbox/u.pdf');
  });
  expect(t.vault.journal.apply()).toBe(3);
  unlinkSync(join(t.root, 'patients/a'));
  expect(t.vault.journal.apply()).toBe(0);
  expect(filesOf(t.root)).toEqual({ 'inbox/u.pdf': 'u' });
});

test('does not move a folder away from a failed move into it', () => {
  const t = open();
  putFile(t.root, 'tmp/u', 'u');
  putFile(t.root, 'patients/a/1', 'a file in the way of a folder');
  commitAndDie(t, () => {
    t.vault.journal.planMove('tmp/u', 'patients/a/1/2.pdf');
    t.vault.journal.planMove('patients/a', 'patients/b');
  });
  expect(t.vault.journal.apply()).toBe(2);
  expect(filesOf(t.root)).toMatchObject({ 'patients/a/1': 'a file in the way of a folder' });
  unlinkSync(join(t.root, 'patients/a/1'));
  expect(t.vault.journal.apply()).toBe(0);
  expect(filesOf(t.root)).toEqual({ 'patients/b/1/2.pdf': 'u' });
});

test('logs failed and lost moves by number, without the names of files', () => {
  const t = open();
  for (const name of ['u', 'v']) putFile(t.root, `tmp/${name}`, name);
  putFile(t.root, 'patients/a', 'a file in the way of a folder');
  const entries: unknown[][] = [];
  const log = { ...testLog(), error: (...entry: unknown[]) => void entries.push(entry) } as unknown as Log;
  const journal = createJournal({ db: t.db, paths: createPaths(t.root), clock: t.clock, log });
  commitAndDie(t, () => {
    journal.planMove('tmp/u', 'patients/a/1.pdf');
    journal.planMove('tmp/gone', 'inbox/gone.pdf');
    journal.planMove('tmp/v', 'inbox/v.pdf');
  });
  expect(journal.apply()).toBe(1);
  expect(entries).toEqual([
    [
      { journal_id: 1, err: expect.objectContaining({ code: 'ENOTDIR' }) },
      'a planned file move failed and will be retried',
    ],
    [{ journal_id: 2 }, 'the file of a planned move is at neither path'],
  ]);
});

test('does not block other moves for a file that is at neither path', () => {
  const t = open();
  putFile(t.root, 'tmp/w', 'w');
  t.vault.transaction(() => {
    t.vault.journal.planMove('tmp/gone', 'inbox/gone.pdf');
    t.vault.journal.planMove('tmp/w', 'inbox/w.pdf');
  });
  expect(filesOf(t.root)).toEqual({ 'inbox/w.pdf': 'w' });
  expect(t.vault.journal.mentions('tmp/gone')).toBe(false);
});
