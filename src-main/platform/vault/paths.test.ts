import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaths, isVaultPath } from './paths.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-paths-')));
  mkdirSync(join(root, 'vault', 'patients'), { recursive: true });
  writeFileSync(join(root, 'outside'), 'secret');
  symlinkSync(root, join(root, 'vault', 'patients', 'link'));
  symlinkSync(join(root, 'vault'), join(root, 'way'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  'patients/a/2025/x.pdf',
  'inbox/Müller 1.pdf',
  'a',
  'a/..b/c..d',
  'inbox/漢字.pdf',
  `a/${'b'.repeat(255)}`,
  'folder/'.repeat(145) + 'abc',
])('%j stays inside', (path) => {
  expect(isVaultPath(path)).toBe(true);
  expect(createPaths(join(root, 'vault')).resolve(path)).toBe(join(root, 'vault', path));
});

test.each([
  '',
  '.',
  '..',
  '../outside',
  'a/../../outside',
  '/etc/passwd',
  '\\\\host\\share',
  'C:/x',
  'c:x',
  'a//b',
  'a/',
  'a/./b',
  'a\\..\\..\\b',
  'nul\u0000.pdf',
  'a\nb',
  'CON',
  'inbox/lpt1.txt',
  'dots.',
  'space ',
  `a/${'b'.repeat(256)}`,
  `a/${'ü'.repeat(128)}`,
  'folder/'.repeat(146) + 'abc',
])('%j is refused', (path) => {
  expect(isVaultPath(path)).toBe(false);
  expect(() => createPaths(join(root, 'vault')).resolve(path)).toThrow(
    expect.objectContaining({ code: 'vault.path_outside' }),
  );
});

test('rejects a link inside the vault and follows one on the way to it', () => {
  const paths = createPaths(join(root, 'way'));
  expect(paths.root).toBe(join(root, 'vault'));
  for (const path of ['patients/link', 'patients/link/outside', 'patients/link/new/file'])
    expect(() => paths.resolve(path)).toThrow(expect.objectContaining({ code: 'vault.path_outside' }));
});
