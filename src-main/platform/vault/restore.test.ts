import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database/connection.ts';
import { LOCK_FILE } from './lock.ts';
import { replaceVault, restoreInto, VaultNotEmpty } from './restore.ts';

let folder: string, root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-restore-'));
  root = join(folder, 'vault');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Unpacks a database and one more file. */
const unpack = async (unfinished: string): Promise<number> => {
  openDatabase(join(unfinished, 'vault.db')).close();
  writeFileSync(join(unfinished, 'file'), 'restored');
  return 1;
};
const restore = (replace: boolean, work = unpack) => restoreInto({ root, replace, uniqueName: 'now' }, work);
function fillRoot(...names: string[]): void {
  mkdirSync(root);
  for (const name of names) writeFileSync(join(root, name), 'present');
}

test('a backup is restored to a missing folder, an empty one, and one with only a lock file', async () => {
  const prepare = [() => undefined, () => fillRoot(), () => fillRoot(LOCK_FILE)];
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
    const db = openDatabase(join(unfinished, 'vault.db'));
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
