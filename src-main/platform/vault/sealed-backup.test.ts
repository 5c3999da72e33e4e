import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDocument, openTestVault, putFile, type TestVault } from '../../../test/support/vault.ts';
import { systemClock } from '../kernel/clock.ts';
import { createKeyFile, unlockByRecoveryKey, type KeyFile } from '../sealed/key-file.ts';
import { BackupDamaged } from './backup-format.ts';
import { writeBackup } from './backup.ts';
import { createFileWorker } from './file-worker.ts';
import { restoreBackup } from './restore.ts';
import { encryptVault } from './switch-vault.ts';
import { keysUnder, lockVaultKeys, useVaultKeys } from './unlock-vault.ts';
import { readVaultFile, writeVaultFile } from './vault-files.ts';
import { verifyVault } from './verify.ts';

const WORD = 'zanthoxylum';
const PAPER = 'patients/elena-keller/2025/letter.pdf';
let t: TestVault, folder: string, file: KeyFile, recoveryKey: string;

beforeEach(async () => {
  const plain = openTestVault();
  addDocument(plain, PAPER, `${WORD} letter`);
  plain.db.close();
  ({ file, recoveryKey } = await createKeyFile('correct horse battery'));
  const keys = unlockByRecoveryKey(file, recoveryKey)!;
  for (const _step of encryptVault(plain.root, file, keys));
  useVaultKeys(plain.root, file, keys);
  t = openTestVault(plain.root);
  folder = mkdtempSync(join(tmpdir(), 'hearth-backup-'));
});
afterEach(() => {
  t.close();
  lockVaultKeys(t.root);
  rmSync(folder, { recursive: true, force: true });
});

it('an archive of an encrypted vault is sealed, and restored with its key only', async () => {
  putFile(t.root, 'unclassified/by-hand.txt', `${WORD} by hand`);
  const target = join(folder, 'hearth.zip');
  await writeBackup({ db: t.db, root: t.root, target, now: '2026-11-21T08:00:00', uniqueName: 'unique' });
  expect(readFileSync(target).includes(WORD)).toBe(false);
  const root = join(folder, 'restored');
  const options = { file: target, root, replace: false, uniqueName: 'now' };
  await expect(restoreBackup(options)).rejects.toThrow(BackupDamaged);
  await restoreBackup({
    ...options,
    unlock: async (place, stored) => useVaultKeys(place, stored, (await keysUnder(stored, recoveryKey))!),
  });
  useVaultKeys(root, file, unlockByRecoveryKey(file, recoveryKey)!);
  expect(readFileSync(join(root, PAPER)).includes(WORD)).toBe(false);
  expect(readVaultFile(join(root, PAPER)).toString()).toBe(`${WORD} letter`);
  expect(readVaultFile(join(root, 'unclassified/by-hand.txt')).toString()).toBe(`${WORD} by hand`);
  lockVaultKeys(root);
  lockVaultKeys(`${root}.restoring-now`);
});

it('a sealed paper whose bytes changed is found, by the command and by the thread', async () => {
  expect((await verifyVault(t.db, t.root)).faults).toEqual([]);
  const path = join(t.root, PAPER);
  const whole = readFileSync(path);
  writeFileSync(
    path,
    whole.map((byte, at) => (at === whole.length - 3 ? byte ^ 1 : byte)),
  );
  expect((await verifyVault(t.db, t.root)).faults).toMatchObject([{ kind: 'changed', path: PAPER }]);
  const worker = createFileWorker(systemClock);
  expect([await worker.hash(path), await worker.hashAll([path])]).toEqual(['damaged', [null]]);
  // A damaged paper is backed up as it is: nothing better may exist.
  const [copied] = await worker.copyAll([{ from: path, to: join(folder, 'copy') }]);
  expect([copied?.content, copied?.size]).toEqual(['damaged', whole.length]);
  writeVaultFile(path, Buffer.from(`${WORD} letter`), 'again');
  expect((await verifyVault(t.db, t.root)).faults).toEqual([]);
  await worker.close();
});
