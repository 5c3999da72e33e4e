import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolder, moveFile, removeFile, writeFileAtomic } from './atomic.ts';

let root: string;
beforeEach(() => { root = mkdtempSync(join(tmpdir(), 'hearth-atomic-')); });
afterEach(() => rmSync(root, { recursive: true, force: true }));
const at = (...parts: string[]): string => join(root, ...parts);
const entries = (): string[] => (readdirSync(root, { recursive: true }) as string[]).sort();

test('a file is written whole, private, in a new folder, and replaced without a trace', () => {
  writeFileAtomic(at('new', 'a.json'), 'one', 'unique');
  writeFileAtomic(at('new', 'a.json'), Buffer.from('two'), 'unique');
  expect(readFileSync(at('new', 'a.json'), 'utf8')).toBe('two');
  expect(entries()).toEqual(['new', 'new/a.json']);
  if (process.platform !== 'win32') expect([statSync(at('new', 'a.json')).mode & 0o777, statSync(at('new')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('a write that fails leaves the old file and nothing else', () => {
  writeFileAtomic(at('a'), 'old', 'unique');
  mkdirSync(at('folder'));
  expect(() => writeFileAtomic(at('folder'), 'new', 'unique')).toThrow();
  expect(entries()).toEqual(['a', 'folder']);
});

test('a move makes its folder, and can be asked again', () => {
  writeFileSync(at('a'), 'x');
  expect(moveFile(at('a'), at('p', 'q', 'b'))).toBe('moved');
  expect(moveFile(at('a'), at('p', 'q', 'b'))).toBe('already');
  expect(moveFile(at('nothing'), at('nowhere'))).toBe('lost');
  expect(entries()).toEqual(['p', 'p/q', 'p/q/b']);
});

test('a move cut off between its two halves is finished', () => {
  writeFileSync(at('a'), 'x');
  linkSync(at('a'), at('b'));
  expect(moveFile(at('a'), at('b'))).toBe('moved');
  expect(entries()).toEqual(['b']);
});

test('the same content at the target is one file; other content is set aside', () => {
  writeFileSync(at('a.pdf'), 'x');
  writeFileSync(at('b.pdf'), 'x');
  moveFile(at('a.pdf'), at('b.pdf'));
  expect(entries()).toEqual(['b.pdf']);
  writeFileSync(at('a.pdf'), 'other');
  writeFileSync(at('b-2.pdf'), 'stands here');
  moveFile(at('a.pdf'), at('b.pdf'));
  expect(Object.fromEntries(entries().map((name) => [name, readFileSync(at(name), 'utf8')]))).toEqual({ 'b.pdf': 'other', 'b-2.pdf': 'stands here', 'b-3.pdf': 'x' });
});

test('folders are made with their parents, removing is idempotent', () => {
  createFolder(at('a', 'b', 'c'));
  createFolder(at('a', 'b', 'c'));
  writeFileSync(at('a', 'f'), 'x');
  removeFile(at('a', 'f'));
  removeFile(at('a', 'f'));
  expect(entries()).toEqual(['a', 'a/b', 'a/b/c']);
});
