/** @module-tag long */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testClock, testLog } from '../../test/support/vault.ts';
import {
  changePassword,
  createKeyFile,
  unlockByPassword,
  unlockByRecoveryKey,
  type KeyFile,
} from '../platform/sealed/key-file.ts';
import { openVaultDatabase } from '../platform/database/encryption.ts';
import { readHolder } from '../platform/vault/holder.ts';
import { lockVault } from '../platform/vault/lock.ts';
import { encryptVault, replaceKeyFile } from '../platform/vault/switch-vault.ts';
import { unfinishedSealOf } from '../platform/vault/vault-files.ts';
import { isUnlocked, lockAllVaults, readKeyFile } from '../platform/vault/unlock-vault.ts';
import { createClosedVault, type ClosedVault } from './closed-vault.ts';

const PAPER = 'patients/elena/letter.pdf';
let clock: ReturnType<typeof testClock>;
let root: string, opened: (string | null)[], forgotten: KeyFile[], file: KeyFile, recoveryKey: string;

const close = (): ClosedVault =>
  createClosedVault({
    ...{ root, clock, log: testLog(), onOpen: (failed) => void opened.push(failed) },
    forgetKeys: (given) => void forgotten.push(given),
  });
const plan = (direction: 'encrypt' | 'decrypt') => ({ direction, file, keys: unlockByRecoveryKey(file, recoveryKey)! });
const paper = (): string => readFileSync(join(root, PAPER), 'latin1');

beforeEach(async () => {
  clock = testClock();
  root = mkdtempSync(join(tmpdir(), 'closed-'));
  [opened, forgotten] = [[], []];
  mkdirSync(join(root, 'patients/elena'), { recursive: true });
  writeFileSync(join(root, PAPER), 'a letter');
  const db = openVaultDatabase(join(root, 'vault.db'));
  db.exec('CREATE TABLE papers (words TEXT)');
  db.close();
  ({ file, recoveryKey } = await createKeyFile('correct horse battery'));
});
afterEach(() => {
  lockAllVaults();
  rmSync(root, { recursive: true, force: true });
});

it('encrypts, hands the vault over unlocked, and again after the password, each only once', async () => {
  close().begin(plan('encrypt'));
  await expect.poll(() => opened, { timeout: 30_000 }).toEqual([null]);
  expect([paper().startsWith('age-encryption.org'), isUnlocked(root)]).toEqual([true, true]);
  lockAllVaults();
  const next = close();
  expect(await next.unlock('wrong horse battery')).toBe(false);
  expect(await Promise.all([next.unlock(recoveryKey), next.unlock(recoveryKey)])).toEqual([true, true]);
  expect([opened, isUnlocked(root)]).toEqual([[null, null], true]);
});

it('goes on with a switch that was interrupted, and says how far it is', async () => {
  close().begin(plan('encrypt'));
  await expect.poll(() => opened, { timeout: 30_000 }).toHaveLength(1);
  writeFileSync(join(root, 'vault-key.json'), JSON.stringify({ ...file, state: 'decrypting' }));
  const next = close();
  expect(next.state()).toEqual({ is_open: false, switching: null, unfinished: 'decrypting', failed: null });
  expect(await next.unlock(recoveryKey)).toBe(true);
  expect(next.state()).toMatchObject({ switching: { direction: 'decrypt', is_undo: false }, unfinished: null });
  await expect(next.unlock(recoveryKey)).rejects.toThrow('vault.being_switched');
  await expect.poll(() => opened, { timeout: 30_000 }).toEqual([null, null]);
  expect([paper(), existsSync(join(root, 'vault-key.json'))]).toEqual(['a letter', false]);
  // No keychain opens what was decrypted.
  expect(forgotten.map(({ id }) => id)).toEqual([file.id]);
});

it('opens a vault as it was that another program has, and says why it was not encrypted', async () => {
  const release = lockVault(root);
  close().begin(plan('encrypt'));
  await expect.poll(() => opened).toEqual(['vault.busy_elsewhere']);
  release();
  expect([paper(), existsSync(join(root, 'vault-key.json'))]).toEqual(['a letter', false]);
});

it('never takes a vault whose disk went away for a plain one', async () => {
  rmSync(root, { recursive: true });
  const closed = close();
  await expect(closed.unlock(recoveryKey)).rejects.toThrow('vault.disk_gone');
  closed.begin(plan('encrypt'));
  await expect.poll(() => closed.state().failed).toBe('vault.disk_gone');
  expect([opened, existsSync(root)]).toEqual([[], false]);
});

it('goes on with the password as it was changed until the vault was closed', async () => {
  close().begin(plan('encrypt'));
  await expect.poll(() => opened, { timeout: 30_000 }).toHaveLength(1);
  const before = plan('decrypt');
  replaceKeyFile(root, (await changePassword({ ...file, state: 'on' }, { recoveryKey }, 'heather on the slope'))!);
  // In the way of its new form, so that it ends in the middle.
  mkdirSync(unfinishedSealOf(join(root, PAPER)));
  const next = close();
  next.begin(before);
  await expect.poll(() => next.state().unfinished, { timeout: 30_000 }).toBe('decrypting');
  const stored = JSON.parse(readFileSync(join(root, 'vault-key.json'), 'utf8')) as KeyFile;
  expect(await unlockByPassword(stored, 'correct horse battery')).toBeNull();
});

it('stays closed where the key file was damaged meanwhile', async () => {
  writeFileSync(join(root, 'vault-key.json'), '{');
  const closed = close();
  closed.begin(plan('encrypt'));
  await expect.poll(() => closed.state().failed).toBe('vault.switch_failed');
  expect(opened).toEqual([]);
});

it('gives up a switch that another computer has taken over, and opens nothing', async () => {
  const closed = close();
  closed.begin(plan('encrypt'));
  const other = { host: 'laptop', pid: 7, since: '2026-11-27T06:00:00', run: 'x' };
  writeFileSync(join(root, 'vault.holder.json'), JSON.stringify(other));
  clock.advance(2000);
  await expect.poll(() => closed.state().failed, { timeout: 30_000 }).toBe('vault.taken_over');
  expect([opened, closed.state().switching, readHolder(root)]).toEqual([[], null, other]);
});

it('tells a damaged key file from one of a newer version', async () => {
  const stored = (text: string): void => writeFileSync(join(root, 'vault-key.json'), text);
  stored('{');
  await expect(close().unlock(recoveryKey)).rejects.toThrow('vault.key_file_damaged');
  stored(JSON.stringify({ ...file, format: 2 }));
  await expect(close().unlock(recoveryKey)).rejects.toThrow('vault.key_file_newer');
});

/** Enough papers that a switch is still being made when it is cancelled. */
const PAPERS = 150;
const papers = (): string[] =>
  Array.from({ length: PAPERS }, (_, n) => readFileSync(join(root, 'patients/elena', `${n}.txt`), 'latin1'));
function addPapers(): void {
  for (let n = 0; n < PAPERS; n += 1) writeFileSync(join(root, 'patients/elena', `${n}.txt`), `page ${n}`);
}
const keyState = (): string | null => readKeyFile(root)?.state ?? null;

it('cancels an encryption that is being made, and opens the vault as it was', async () => {
  addPapers();
  const before = papers();
  const closed = close();
  closed.begin(plan('encrypt'));
  await expect.poll(keyState, { timeout: 30_000, interval: 1 }).toBe('encrypting');
  // Two windows do it at once, with the key that takes no time to prove.
  const both = [closed.cancel(recoveryKey), closed.cancel(recoveryKey)];
  expect(await Promise.all(both)).toEqual([true, true]);
  await expect.poll(() => opened, { timeout: 30_000 }).toEqual(['vault.switch_cancelled']);
  expect([keyState(), papers(), paper(), isUnlocked(root)]).toEqual([null, before, 'a letter', true]);
  await expect(closed.cancel(recoveryKey)).rejects.toThrow('vault.not_being_switched');
});

it('cancels a decryption that is being made, and opens the vault encrypted', async () => {
  addPapers();
  for (const _step of encryptVault(root, file, plan('encrypt').keys));
  const sealed = close();
  sealed.begin(plan('decrypt'));
  await expect.poll(keyState, { timeout: 30_000, interval: 1 }).toBe('decrypting');
  expect(await sealed.cancel(recoveryKey)).toBe(true);
  // A crash right after the answer forgets nothing.
  expect(keyState()).toBe('encrypting');
  expect(sealed.state()).toMatchObject({ switching: { direction: 'encrypt', is_undo: true } });
  await expect.poll(() => opened, { timeout: 30_000 }).toEqual(['vault.switch_cancelled']);
  expect([keyState(), papers().every((text) => text.startsWith('age-encryption.org'))]).toEqual(['on', true]);
});

it('cancels a switch before its first change at once', async () => {
  const closed = close();
  closed.begin(plan('encrypt'));
  expect(await closed.cancel(recoveryKey)).toBe(true);
  await expect.poll(() => opened, { timeout: 30_000 }).toEqual(['vault.switch_cancelled']);
  expect([keyState(), paper()]).toEqual([null, 'a letter']);
});

it('says of a switch that has ended that it was cancelled too late', async () => {
  const closed = close();
  closed.begin(plan('encrypt'));
  // Without a turn for anything else, so that nobody has heard of the end.
  while (keyState() !== 'on') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  expect(await closed.cancel(recoveryKey)).toBe(true);
  await expect.poll(() => opened, { timeout: 30_000 }).toEqual(['vault.cancelled_too_late']);
  expect([keyState(), paper().startsWith('age-encryption.org')]).toEqual(['on', true]);
});

it('undoes a switch that a kill interrupted, and goes on with the undoing after another one', async () => {
  close().begin(plan('encrypt'));
  await expect.poll(() => opened, { timeout: 30_000 }).toHaveLength(1);
  const idle = close();
  await expect(idle.cancel(recoveryKey)).rejects.toThrow('vault.not_being_switched');
  replaceKeyFile(root, { ...file, state: 'encrypting' });
  // In the way of its new form, so that the undoing ends in the middle.
  mkdirSync(unfinishedSealOf(join(root, PAPER)));
  const next = close();
  expect(await next.cancel('wrong horse battery')).toBe(false);
  expect([await next.cancel(recoveryKey), keyState()]).toEqual([true, 'decrypting']);
  await expect
    .poll(() => next.state(), { timeout: 30_000 })
    .toMatchObject({
      ...{ switching: null, unfinished: 'decrypting', failed: 'vault.switch_failed' },
    });
  rmSync(unfinishedSealOf(join(root, PAPER)), { recursive: true });
  expect(await next.unlock(recoveryKey)).toBe(true);
  await expect.poll(() => opened, { timeout: 30_000 }).toEqual([null, null]);
  expect([paper(), keyState()]).toEqual(['a letter', null]);
});

it('begins no undoing when the program ends while a switch is being cancelled', async () => {
  addPapers();
  const closed = close();
  closed.begin(plan('encrypt'));
  await expect.poll(keyState, { timeout: 30_000, interval: 1 }).toBe('encrypting');
  await Promise.all([closed.cancel(recoveryKey), closed.stop()]);
  expect([keyState(), closed.state().switching, opened]).toEqual(['encrypting', null, []]);
  expect(readHolder(root)).toBeNull();
});
