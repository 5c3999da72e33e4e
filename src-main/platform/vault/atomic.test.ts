import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolder, removeFile, writeFileAtomic } from './atomic.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-atomic-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const at = (...parts: string[]): string => join(root, ...parts);
const entries = (): string[] => (readdirSync(root, { recursive: true }) as string[]).sort();

test('a file is written whole, private, in a new folder, and replaced without a trace', () => {
  writeFileAtomic(at('new', 'a.json'), 'one', 'unique');
  writeFileAtomic(at('new', 'a.json'), Buffer.from('two'), 'unique');
  expect(readFileSync(at('new', 'a.json'), 'utf8')).toBe('two');
  expect(entries()).toEqual(['new', 'new/a.json']);
  if (process.platform !== 'win32')
    expect([statSync(at('new', 'a.json')).mode & 0o777, statSync(at('new')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('a write that fails leaves the old file and nothing else', () => {
  writeFileAtomic(at('a'), 'old', 'unique');
  mkdirSync(at('folder'));
  expect(() => writeFileAtomic(at('folder'), 'new', 'unique')).toThrow();
  expect(entries()).toEqual(['a', 'folder']);
});

test('no folder is made where a file stands, nor where the system takes none', () => {
  writeFileSync(at('file'), 'x');
  for (const path of [at('file'), at('file', 'below')])
    expect(() => createFolder(path)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  if (process.platform === 'linux')
    expect(() => createFolder('/proc/hearth')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

test('folders are made with their parents, removing is idempotent', () => {
  createFolder(at('a', 'b', 'c'));
  createFolder(at('a', 'b', 'c'));
  writeFileSync(at('a', 'f'), 'x');
  removeFile(at('a', 'f'));
  removeFile(at('a', 'f'));
  expect(entries()).toEqual(['a', 'a/b', 'a/b/c']);
});
