import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWith } from '../../../test/support/requirements.ts';
import { createPaths, isVaultPath, lstatOrNull, withParents } from './paths.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-paths-')));
  mkdirSync(join(root, 'vault', 'patients'), { recursive: true });
  writeFileSync(join(root, 'outside'), 'secret');
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

describeWith({ symlinks: true }, 'a link', () => {
  beforeAll(() => {
    symlinkSync(root, join(root, 'vault', 'patients', 'link'));
    symlinkSync(join(root, 'vault'), join(root, 'way'));
  });

  test('is rejected inside the vault and followed on the way to it', () => {
    const paths = createPaths(join(root, 'way'));
    expect(paths.root).toBe(join(root, 'vault'));
    for (const path of ['patients/link', 'patients/link/outside', 'patients/link/new/file'])
      expect(() => paths.resolve(path)).toThrow(expect.objectContaining({ code: 'vault.path_outside' }));
  });

  test('is returned itself', () => {
    expect(lstatOrNull(join(root, 'way'))?.isSymbolicLink()).toBe(true);
  });
});

test('a path has its folders above it, nearest first', () => {
  expect([withParents('a/b/c'), withParents('a')]).toEqual([['a/b/c', 'a/b', 'a'], ['a']]);
});

test('an entry is returned, and a missing one is not an error', () => {
  expect(lstatOrNull(join(root, 'outside'))?.isFile()).toBe(true);
  expect([lstatOrNull(join(root, 'nothing')), lstatOrNull(join(root, 'outside', 'below'))]).toEqual([null, null]);
  expect(() => lstatOrNull(join(root, 'x'.repeat(5000)))).toThrow(expect.objectContaining({ code: 'ENAMETOOLONG' }));
});

test.each(['\u001f', 'a\u007f', 'a/b\tc', 'a/b.', 'a/ ', 'a/b/..', './a', 'z:', 'Z:\\a', '/', '\\', 'a/con.txt/b'])(
  '%j is not a vault path',
  (path) => {
    expect(isVaultPath(path)).toBe(false);
  },
);

test.each(['.hidden', 'a.b', '1:a', 'ab:c', 'a b', '...a', '~', 'a/console/b'])('%j is a vault path', (path) => {
  if (process.platform !== 'win32' || !path.includes(':')) expect(isVaultPath(path)).toBe(true);
});
