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

test('writes a file atomically and privately in a new folder, and replaces it', () => {
  writeFileAtomic(at('new', 'a.json'), 'one', 'unique');
  writeFileAtomic(at('new', 'a.json'), Buffer.from('two'), 'unique');
  expect(readFileSync(at('new', 'a.json'), 'utf8')).toBe('two');
  expect(entries()).toEqual(['new', 'new/a.json']);
  if (process.platform !== 'win32')
    expect([statSync(at('new', 'a.json')).mode & 0o777, statSync(at('new')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('leaves only the old file after a failed write', () => {
  writeFileAtomic(at('a'), 'old', 'unique');
  mkdirSync(at('folder'));
  expect(() => writeFileAtomic(at('folder'), 'new', 'unique')).toThrow();
  expect(entries()).toEqual(['a', 'folder']);
});

test('fails to create a folder at the path of a file or where the system refuses', () => {
  writeFileSync(at('file'), 'x');
  for (const path of [at('file'), at('file', 'below')])
    expect(() => createFolder(path)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  if (process.platform === 'linux')
    expect(() => createFolder('/proc/hearth')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

test('creates folders with their parents and removes repeatedly', () => {
  createFolder(at('a', 'b', 'c'));
  createFolder(at('a', 'b', 'c'));
  writeFileSync(at('a', 'f'), 'x');
  removeFile(at('a', 'f'));
  removeFile(at('a', 'f'));
  expect(entries()).toEqual(['a', 'a/b', 'a/b/c']);
});
