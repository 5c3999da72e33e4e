import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import { openTestVault, testLog, type TestVault } from '../../../test/support/vault.ts';
import { createAudit } from '../../platform/audit/audit.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { databaseKeyFor } from '../../platform/kernel/process-keys.ts';
import { createKeyFile, unlockByRecoveryKey, type KeyFile } from '../../platform/sealed/key-file.ts';
import { replaceKeyFile } from '../../platform/vault/switch-vault.ts';
import { isUnlocked, keysUnder, lockAllVaults, readKeyFile, useVaultKeys } from '../../platform/vault/unlock-vault.ts';
import { createVaultEncryption, type VaultEncryption } from './service.ts';

const MINUTE = 60_000;
let t: TestVault, service: VaultEncryption, locked: number, minutes: number, isBusy: boolean, begun: KeyFile[];
let closing: 'lock' | 'other' | null, unrecorded: ErrorCode | null;

/** Each test has a vault of its own, so none are left from another one. */
const guesses = { read: () => [], write: () => undefined };
const create = (): VaultEncryption =>
  createVaultEncryption({
    ...{ root: t.root, clock: t.clock, log: testLog(), audit: createAudit({ db: t.db, clock: t.clock }) },
    lockAfterMinutes: () => minutes,
    isBusy: () => Promise.resolve(isBusy),
    isMoving: () => false,
    countPlainBackups: () => ({ count: 0, folder: '' }),
    encryption: {
      ...{ lock: () => void (locked += 1), begin: ({ file }) => void begun.push(file), failed: () => null },
      ...{ closing: () => closing, takeUnrecorded: () => unrecorded },
    },
    ...{ rememberedKeys: null, guesses },
  });
const ANN: UserCaller = {
  ...{ kind: 'user', ip: '127.0.0.1', userId: 1, username: 'ann', displayName: 'Ann', role: 'admin', sessionId: 's' },
};
const FIRST = 'correct horse battery';
const SECOND = 'heather on the slope';
async function encrypt(): Promise<string> {
  const { file, recoveryKey } = await createKeyFile(FIRST);
  useVaultKeys(t.root, file, unlockByRecoveryKey(file, recoveryKey)!);
  replaceKeyFile(t.root, file);
  return recoveryKey;
}
const opens = async (secret: string): Promise<boolean> => (await keysUnder(readKeyFile(t.root)!, secret)) !== null;
/** Lets time pass in the steps in which the vault is looked at. */
async function pass(ms: number): Promise<void> {
  for (let done = 0; done < ms; done += 5000) {
    t.clock.advance(5000);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
}

beforeEach(() => {
  t = openTestVault();
  [locked, minutes, isBusy, begun] = [0, 5, false, []];
  [closing, unrecorded] = [null, null];
});
afterEach(async () => {
  await service.close();
  lockAllVaults();
  t.close();
});

it('locks the vault once nobody has used it for as long as the setting says, and records that', async () => {
  await encrypt();
  service = create();
  service.start();
  await pass(4 * MINUTE);
  service.notePresence();
  await pass(4 * MINUTE);
  expect(locked).toBe(0);
  await pass(2 * MINUTE);
  expect(locked).toBe(1);
  const rows = t.db.prepare('SELECT action, username, details FROM audit_log').all();
  expect(rows).toEqual([{ action: 'vault.lock', username: null, details: '{"idle":5}' }]);
});

it('locks also while nothing can be recorded, because the disk is full', async () => {
  await encrypt();
  service = create();
  t.db.prepare("CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'full'); END").run();
  service.start();
  await pass(6 * MINUTE);
  expect(locked).toBe(1);
});

it('locks at once for an administrator, who is recorded unless the disk is full', async () => {
  await encrypt();
  service = create();
  service.lock(ANN);
  const rows = t.db.prepare('SELECT action, username, details FROM audit_log').all();
  expect([locked, rows]).toEqual([1, [{ action: 'vault.lock', username: 'ann', details: null }]]);
  t.db.prepare("CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'full'); END").run();
  service.lock(ANN);
  expect(locked).toBe(2);
});

it('waits while something goes on without people, and follows the setting at once', async () => {
  await encrypt();
  service = create();
  service.start();
  isBusy = true;
  await pass(9 * MINUTE);
  expect(locked).toBe(0);
  [isBusy, minutes] = [false, 0];
  await pass(9 * MINUTE);
  expect(locked).toBe(0);
  minutes = 10;
  await pass(MINUTE);
  expect(locked).toBe(1);
});

it('neither locks a vault that is not encrypted, nor one that is only shown', async () => {
  service = create();
  service.start();
  await pass(9 * MINUTE);
  expect(locked).toBe(0);
  expect(() => service.lock(ANN)).toThrow('vault.not_encrypted');
  await encrypt();
  service = createVaultEncryption({
    ...{ root: t.root, clock: t.clock, log: testLog(), audit: createAudit({ db: t.db, clock: t.clock }) },
    ...{ lockAfterMinutes: () => minutes, isBusy: () => Promise.resolve(false), encryption: null },
    ...{ isMoving: () => false, countPlainBackups: () => ({ count: 0, folder: '' }) },
    ...{ rememberedKeys: null, guesses },
  });
  service.start();
  expect(service.overview(true)).toMatchObject({ is_encrypted: true, can_lock: false, can_switch: false });
  expect(() => service.lock(ANN)).toThrow('vault.cannot_lock');
});

it('forgets and overwrites every key, also those of copies', async () => {
  service = create();
  const { file, recoveryKey } = await createKeyFile('correct horse battery');
  const keys = unlockByRecoveryKey(file, recoveryKey)!;
  useVaultKeys(t.root, file, keys);
  useVaultKeys(`${t.root}.copy`, file, keys);
  lockAllVaults();
  expect([t.root, `${t.root}.copy`].map((folder) => databaseKeyFor(folder))).toEqual([null, null]);
  expect([...keys.files, ...keys.database].every((byte) => byte === 0)).toBe(true);
  expect(isUnlocked(t.root)).toBe(true);
});

it('keeps a recovery key that is confirmed while a password is being changed', async () => {
  const before = await encrypt();
  service = create();
  const shown = await service.makeRecoveryKey(1, FIRST);
  const changing = service.changePassword(FIRST, SECOND);
  // It has read the key file, and derives keys.
  await setImmediate();
  service.replaceRecoveryKey(1, shown);
  await changing;
  const secrets = [FIRST, before, SECOND, shown];
  expect(await Promise.all(secrets.map(opens))).toEqual([false, false, true, true]);
});

it('writes no key file into a vault that was closed while a password was being changed', async () => {
  await encrypt();
  service = create();
  const changing = service.changePassword(FIRST, SECOND);
  // It has read the key file, and derives keys.
  await setImmediate();
  await service.close();
  // As the end of decrypting does.
  rmSync(join(t.root, 'vault-key.json'));
  await expect(changing).rejects.toThrow('vault.locked');
  expect(existsSync(join(t.root, 'vault-key.json'))).toBe(false);
});

it('decrypts with the key file as it is, whatever was changed meanwhile', async () => {
  await encrypt();
  service = create();
  const [, begin] = await Promise.all([service.changePassword(FIRST, SECOND), service.prepareDecrypting(SECOND)]);
  expect(begun).toEqual([]);
  begin();
  expect(begun).toEqual([readKeyFile(t.root)]);
});

it('refuses to lock or switch a vault that closes for something else, and locks once where a lock is due', async () => {
  const recoveryKey = await encrypt();
  service = create();
  service.start();
  const deciding = service.prepareDecrypting(recoveryKey);
  closing = 'other';
  await expect(deciding).rejects.toThrow('vault.closing');
  await expect(service.prepareDecrypting(recoveryKey)).rejects.toThrow('vault.closing');
  await expect(service.makeRecoveryKey(1, FIRST)).rejects.toThrow('vault.closing');
  expect(() => service.lock(ANN)).toThrow('vault.closing');
  await pass(6 * MINUTE);
  closing = 'lock';
  service.lock(ANN);
  expect([begun, locked, t.db.prepare('SELECT action FROM audit_log').all()]).toEqual([[], 0, []]);
  closing = null;
  await pass(MINUTE);
  expect(locked).toBe(1);
});

it('records at its start that the vault stayed as it was, but not what was cancelled too late', () => {
  for (const code of ['vault.switch_cancelled', 'vault.cancelled_too_late'] as const) {
    unrecorded = code;
    service = create();
    service.start();
  }
  const rows = t.db.prepare('SELECT action, username, details FROM audit_log').all();
  const details = '{"code":"vault.switch_cancelled"}';
  expect(rows).toEqual([{ action: 'vault.switch_undone', username: null, details }]);
});
