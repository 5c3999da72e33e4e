import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestVault } from '../../../test/support/vault.ts';
import { openVaultDatabase } from '../database/encryption.ts';
import { databaseKeyFor, setVaultKeys } from '../kernel/process-keys.ts';
import { DATABASE_FILE } from './layout.ts';
import { borrow, copyForReading } from './reading-copy.ts';

test('a copy of the database is removed when it is released', () => {
  const t = openTestVault();
  const copy = copyForReading(t.root);
  expect(existsSync(join(copy, DATABASE_FILE))).toBe(true);
  borrow(copy).release();
  expect(existsSync(copy)).toBe(false);
  t.close();
});

test('copies of programs that were killed are removed by the next one, and those of running ones stay', () => {
  const { pid: ended } = spawnSync(process.execPath, ['-e', '0']);
  const [left, used] = [ended, process.ppid].map((pid) => mkdtempSync(join(tmpdir(), `hearth-vault-copy-${pid}-`)));
  for (const folder of [left!, used!]) {
    mkdirSync(join(folder, 'cache'));
    writeFileSync(join(folder, DATABASE_FILE), 'names and illnesses');
  }
  const t = openTestVault();
  const copy = copyForReading(t.root);
  expect([existsSync(left!), existsSync(used!)]).toEqual([false, true]);
  for (const folder of [copy, used!]) rmSync(folder, { recursive: true });
  t.close();
});

test('the database of an encrypted vault is copied as it is, and read with the key of the vault', () => {
  const root = mkdtempSync(join(tmpdir(), 'hearth-encrypted-'));
  setVaultKeys(root, { files: randomBytes(32), database: randomBytes(32) });
  const db = openVaultDatabase(join(root, DATABASE_FILE));
  db.exec("CREATE TABLE papers (words TEXT); INSERT INTO papers VALUES ('zanthoxylum')");
  db.close();
  const copy = copyForReading(root);
  const copied = openVaultDatabase(join(copy, DATABASE_FILE), { readonly: true });
  expect(copied.prepare('SELECT words FROM papers').pluck().all()).toEqual(['zanthoxylum']);
  copied.close();
  expect(readFileSync(join(copy, DATABASE_FILE)).includes('zanthoxylum')).toBe(false);
  borrow(copy).release();
  expect([existsSync(copy), databaseKeyFor(join(copy, DATABASE_FILE))]).toEqual([false, null]);
  setVaultKeys(root, null);
  rmSync(root, { recursive: true });
});
