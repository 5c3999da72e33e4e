import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setVaultKeys } from '../../platform/kernel/process-keys.ts';
import { sealWhereItIs } from '../../platform/vault/vault-files.ts';
import { listedSize } from './folder-facts.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-facts-'));
  setVaultKeys(root, { files: randomBytes(32), database: randomBytes(32) });
});
afterAll(() => {
  setVaultKeys(root, null);
  rmSync(root, { recursive: true });
});

it('a file of an encrypted vault is listed with the size of its content, sealed or not', async () => {
  const path = join(root, 'paper.pdf');
  writeFileSync(path, randomBytes(70_000));
  expect(await listedSize(path)).toBe(70_000);
  await sealWhereItIs(path);
  expect(await listedSize(path)).toBe(70_000);
});

it('a file that is gone has no size, and what a link points to is not opened', async () => {
  symlinkSync(join(root, 'gone'), join(root, 'link'));
  expect([await listedSize(join(root, 'gone')), await listedSize(join(root, 'link'))]).toEqual([
    null,
    join(root, 'gone').length,
  ]);
});
