import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { contentsOf } from '../../../test/support/files.ts';
import { openDatabase } from '../database/connection.ts';
import { createKeyFile, unlockByRecoveryKey } from '../sealed/key-file.ts';
import { copyVault, finishMove, planMove, undoMove } from './move.ts';
import { encryptVault } from './switch-vault.ts';
import { isUnlocked, lockVaultKeys, unlockVault, useVaultKeys } from './unlock-vault.ts';
import { readVaultFile } from './vault-files.ts';

let place: string, root: string, target: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'hearth-move-'));
  [root, target] = [join(place, 'vault'), join(place, 'disk')];
  for (const folder of ['inbox', 'patients/ann', 'unclassified', 'trash', 'tmp'])
    mkdirSync(join(root, folder), { recursive: true });
  openDatabase(join(root, 'vault.db')).close();
  for (const name of ['a', 'b', 'c']) write(`patients/ann/${name}.pdf`, name);
  write('vault.lock', '');
  write('tmp/half', 'half');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
const signal = new AbortController().signal;
const report = (): void => undefined;
const whileOpen = (unfinished: string): Promise<void> =>
  copyVault(root, unfinished, { isClosed: false, signal, report });

test('copies while the vault is open, then what changed, and leaves what belongs to the program', async () => {
  const move = planMove(root, target, 'x');
  await whileOpen(move.unfinished);
  expect(existsSync(join(move.unfinished, 'vault.db'))).toBe(false);
  write('patients/ann/d.pdf', 'new');
  write('patients/ann/a.pdf', 'A');
  utimesSync(join(root, 'patients/ann/a.pdf'), 1, 1);
  rmSync(join(root, 'patients/ann/b.pdf'));
  const now = contentsOf(root);
  const placed: boolean[] = [];
  await finishMove(move, report, () => placed.push(existsSync(root) && existsSync(join(target, 'vault.db'))));
  for (const folder of ['inbox', 'unclassified', 'trash']) mkdirSync(join(target, folder), { recursive: true });
  expect(contentsOf(target)).toEqual(now);
  // At the moment at which it is remembered, the vault is in both places.
  expect([placed, existsSync(root), existsSync(join(move.aside, 'vault.db'))]).toEqual([[true], false, true]);
  expect([existsSync(join(target, 'vault.lock')), existsSync(join(target, 'tmp'))]).toEqual([false, false]);
});

test('does not replace what somebody put into the folder meanwhile', async () => {
  const move = planMove(root, target, 'x');
  await whileOpen(move.unfinished);
  mkdirSync(target);
  writeFileSync(join(target, 'photo.jpg'), 'photo');
  await expect(finishMove(move, report, () => undefined)).rejects.toThrow();
  undoMove(move);
  expect([readFileSync(join(target, 'photo.jpg'), 'utf8'), existsSync(root), existsSync(move.unfinished)]).toEqual([
    'photo',
    true,
    false,
  ]);
});

test('is taken back after it was finished', async () => {
  const before = contentsOf(root);
  const move = planMove(root, target, 'x');
  await finishMove(move, report, () => undefined);
  undoMove(move);
  expect([contentsOf(root), existsSync(target), existsSync(move.aside)]).toEqual([before, false, false]);
});

test.each([true, false])('moves an encrypted vault, unlocked here: %s', async (isOpenHere) => {
  const { file, recoveryKey } = await createKeyFile('correct horse battery');
  const keys = unlockByRecoveryKey(file, recoveryKey)!;
  for (const _step of encryptVault(root, file, keys));
  if (isOpenHere) useVaultKeys(root, file, keys);
  await finishMove(planMove(root, target, 'x'), report, () => undefined);
  expect(isUnlocked(target)).toBe(isOpenHere);
  if (!isOpenHere) expect(await unlockVault(target, recoveryKey)).toBe(true);
  expect(readVaultFile(join(target, 'patients/ann/a.pdf')).toString()).toBe('a');
  openDatabase(join(target, 'vault.db')).close();
  for (const folder of [root, target]) lockVaultKeys(folder);
  expect(() => openDatabase(join(target, 'vault.db'))).toThrow(expect.objectContaining({ code: 'SQLITE_NOTADB' }));
});
