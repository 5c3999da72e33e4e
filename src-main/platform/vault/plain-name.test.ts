import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordFsCalls, withFs } from '../../../test/support/fs-faults.ts';
import { isVaultPath } from './paths.ts';
import { makePathPlain } from './plain-name.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-plain-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, bytes: string): string => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
  return path;
};

test('leaves plain paths alone', () => {
  expect(makePathPlain(root, put('inbox/elena-keller/a b.pdf', 'x'))).toBeNull();
  expect(existsSync(join(root, 'inbox/elena-keller/a b.pdf'))).toBe(true);
});

test.runIf(process.platform !== 'win32')(
  'gives valid names to files with invalid names and in invalid folders, and overwrites none',
  () => {
    put('inbox/elena-keller/b.pdf', 'mine');
    for (const [odd, plain] of [
      ['inbox/elena-keller/a\\b.pdf', 'inbox/elena-keller/b-2.pdf'],
      ['inbox/elena-keller/CON.pdf', 'inbox/elena-keller/CON-file.pdf'],
      ['inbox/elena-keller/a\nb.pdf', 'inbox/elena-keller/ab.pdf'],
      ['inbox/elena-keller/scans. /sub/c.pdf', 'inbox/elena-keller/c.pdf'],
      ['inbox/NUL/d.pdf', 'inbox/d.pdf'],
    ] as const) {
      expect([odd, makePathPlain(root, put(odd, odd))]).toEqual([odd, plain]);
      expect([readFileSync(join(root, plain), 'utf8'), existsSync(join(root, odd)), isVaultPath(plain)]).toEqual([
        odd,
        false,
        true,
      ]);
    }
    expect(readFileSync(join(root, 'inbox/elena-keller/b.pdf'), 'utf8')).toBe('mine');
  },
);

test('moves a file out of deeply nested folders to a valid path', () => {
  const deep = `inbox/elena-keller/${'folder/'.repeat(160)}e.pdf`;
  const plain = makePathPlain(root, put(deep, 'deep'));
  expect(plain).toMatch(/^inbox\/elena-keller\/(folder\/){100,}e\.pdf$/);
  expect([
    isVaultPath(plain ?? ''),
    readFileSync(join(root, plain ?? ''), 'utf8'),
    makePathPlain(root, plain ?? ''),
  ]).toEqual([true, 'deep', null]);
});

test.skipIf(process.platform === 'win32')('flushes the new name', () => {
  const odd = put('inbox/elena-keller/CON.pdf', 'x');
  const { calls, fs } = recordFsCalls(root);
  withFs(fs, () => makePathPlain(root, odd));
  expect(calls).toEqual([
    'rename inbox/elena-keller/CON.pdf inbox/elena-keller/CON-file.pdf',
    'flush inbox/elena-keller',
  ]);
});
