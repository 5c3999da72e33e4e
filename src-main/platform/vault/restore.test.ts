import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordFsCalls, withFs } from '../../../test/support/fs-faults.ts';
import { addDocument, openTestVault } from '../../../test/support/vault.ts';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import { writeBackup } from './backup.ts';
import { LOCK_FILE } from './lock.ts';
import { replaceVault, restoreBackup, restoreInto, VaultNotEmpty } from './restore.ts';

let folder: string, root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-restore-'));
  root = join(folder, 'vault');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Unpacks a database and one more file. */
const unpack = async (unfinished: string): Promise<number> => {
  openTestDatabase(join(unfinished, 'vault.db')).close();
  writeFileSync(join(unfinished, 'file'), 'restored');
  return 1;
};
const restore = (replace: boolean, work = unpack) => restoreInto({ root, replace, uniqueName: 'now' }, work);
function fillRoot(...names: string[]): void {
  mkdirSync(root);
  for (const name of names) writeFileSync(join(root, name), 'present');
}

test('a backup is restored to a missing folder, an empty one, and one with only a lock file', async () => {
  const prepare = [() => undefined, () => fillRoot(), () => fillRoot(LOCK_FILE, 'vault.holder.json')];
  for (const step of prepare) {
    step();
    expect(await restore(false)).toEqual({ files: 1, aside: null });
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('restored');
    expect(readdirSync(folder)).toEqual(['vault']);
    expect(existsSync(join(root, LOCK_FILE))).toBe(false);
    rmSync(root, { recursive: true });
  }
});

test('a vault is not replaced unless that is requested, and nothing is unpacked', async () => {
  fillRoot('vault.db');
  let unpacked = 0;
  const counting = async (unfinished: string): Promise<number> => {
    unpacked += 1;
    return unpack(unfinished);
  };
  await expect(restore(false, counting)).rejects.toThrow(new VaultNotEmpty(root));
  expect([unpacked, readdirSync(folder)]).toEqual([0, ['vault']]);
  expect(await restore(true, counting)).toEqual({ files: 1, aside: `${root}.before-restore-now` });
  expect(readFileSync(join(`${root}.before-restore-now`, 'vault.db'), 'utf8')).toBe('present');
});

test('a restore that fails leaves the vault as it was and nothing beside it', async () => {
  fillRoot('vault.db');
  const failing = async (unfinished: string): Promise<number> => {
    writeFileSync(join(unfinished, 'half'), 'half');
    throw new Error('the disk is full');
  };
  await expect(restore(true, failing)).rejects.toThrow('the disk is full');
  expect([readdirSync(folder), readdirSync(root)]).toEqual([['vault'], ['vault.db']]);
});

test('a backup of a newer Hearth is not restored', async () => {
  const newer = async (unfinished: string): Promise<number> => {
    const db = openTestDatabase(join(unfinished, 'vault.db'));
    db.sqlite.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 9999999999999)");
    db.close();
    return 0;
  };
  await expect(restore(false, newer)).rejects.toMatchObject({ name: 'NewerDatabaseError' });
  expect(readdirSync(folder)).toEqual([]);
});

test("the vault is put back if the restored one can't take its place", () => {
  fillRoot('vault.db');
  const move = (): unknown => replaceVault({ root, unfinished: join(folder, 'missing'), uniqueName: 'now' });
  expect(move).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect([readdirSync(folder), readdirSync(root)]).toEqual([['vault'], ['vault.db']]);
});

test('a refused restore names the folder and says how to go on', async () => {
  fillRoot('vault.db');
  await expect(restore(false)).rejects.toMatchObject({
    name: 'VaultNotEmpty',
    message: expect.stringMatching(/^.*vault already contains a vault\. .*--vault.*--replace/),
  });
});

test('a fault without a vault to put back is reported as it is', () => {
  const move = (): unknown => replaceVault({ root, unfinished: join(folder, 'missing'), uniqueName: 'now' });
  expect(move).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(readdirSync(folder)).toEqual([]);
});

describe('a restored archive', () => {
  const file = (): string => join(folder, 'hearth.zip');
  beforeEach(async () => {
    const vault = openTestVault();
    addDocument(vault, 'patients/a/2025/1.pdf', 'one');
    addDocument(vault, 'patients/a/2025/2.pdf', 'two');
    await writeBackup({
      db: vault.db,
      root: vault.root,
      target: file(),
      now: '2026-11-21T08:00:00',
      uniqueName: 'unique',
    });
    vault.close();
  });
  const restoreFile = () => restoreBackup({ file: file(), root, replace: false, uniqueName: 'now' });

  test('is private, in its folders, and counts its files without the database', async () => {
    expect(await restoreFile()).toEqual({ files: 2, aside: null });
    expect(readFileSync(join(root, 'patients/a/2025/2.pdf'), 'utf8')).toBe('two');
    if (process.platform === 'win32') return;
    const modeOf = (path: string): number => statSync(join(root, path)).mode & 0o777;
    expect(['', 'patients', 'patients/a/2025'].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    expect(['vault.db', 'patients/a/2025/1.pdf'].map(modeOf)).toEqual([0o600, 0o600]);
  });

  test.skipIf(process.platform === 'win32')('is on the disk before it takes the place of the vault', async () => {
    const { calls, fs } = recordFsCalls(folder);
    await withFs(fs, restoreFile);
    const unfinished = 'vault.restoring-now';
    const flushes = ['patients/a/2025/1.pdf', 'patients/a/2025/2.pdf', 'vault.db'].map(
      (path) => `flush ${unfinished}/${path}`,
    );
    expect(calls.filter((call) => call.startsWith('flush vault.')).sort()).toEqual(flushes);
    expect(calls.slice(-2)).toEqual([`rename ${unfinished} vault`, 'flush .']);
  });
});
