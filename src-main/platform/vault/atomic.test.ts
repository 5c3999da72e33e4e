import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fsError, withFs } from '../../../test/support/fs-faults.ts';
import { createFolder, removeFile, syncFile, writeFileAtomic } from './atomic.ts';

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

/** Records flushes, renames and new folders in order, relative to the root: `flush a`, `rename .unique.part a`. */
function recordCalls(work: () => void): string[] {
  const { fsyncSync, mkdirSync: makeFolder, openSync, renameSync } = fs;
  const calls: string[] = [];
  const names = new Map<number, string>();
  const relative = (path: unknown): string => String(path).slice(root.length + 1) || '.';
  withFs(
    {
      openSync: (...args) => {
        const handle = openSync(...args);
        names.set(handle, relative(args[0]));
        return handle;
      },
      fsyncSync: (handle) => {
        calls.push(`flush ${names.get(handle)}`);
        fsyncSync(handle);
      },
      renameSync: (from, to) => {
        calls.push(`rename ${relative(from)} ${relative(to)}`);
        renameSync(from, to);
      },
      mkdirSync: ((path: string, options: object) => {
        calls.push(`create ${relative(path)}`);
        return makeFolder(path, options);
      }) as typeof fs.mkdirSync,
    },
    work,
  );
  return calls;
}

test.skipIf(process.platform === 'win32')('flushes each new name after it is created', () => {
  expect(recordCalls(() => createFolder(at('a', 'b')))).toEqual(['create a', 'flush .', 'create a/b', 'flush a']);
  expect(recordCalls(() => createFolder(at('a', 'b')))).toEqual([]);
  expect(recordCalls(() => writeFileAtomic(at('a', 'f'), 'x', 'unique'))).toEqual([
    'flush a/.unique.part',
    'rename a/.unique.part a/f',
    'flush a',
  ]);
  expect(recordCalls(() => syncFile(at('a', 'f')))).toEqual(['flush a/f']);
  expect(recordCalls(() => removeFile(at('a', 'f')))).toEqual(['flush a']);
  expect(recordCalls(() => removeFile(at('a', 'f')))).toEqual([]);
});

test('accepts a folder that another process creates at the same time, but no other error', () => {
  const makeFolder = fs.mkdirSync;
  const raced = ((path: string, options: object) => {
    makeFolder(path, options);
    throw fsError('EEXIST');
  }) as typeof fs.mkdirSync;
  withFs({ mkdirSync: raced }, () => createFolder(at('a')));
  expect(entries()).toEqual(['a']);
  const refused = (() => {
    throw fsError('EACCES');
  }) as unknown as typeof fs.mkdirSync;
  expect(() => withFs({ mkdirSync: refused }, () => createFolder(at('b')))).toThrow(
    expect.objectContaining({ code: 'EACCES' }),
  );
});

test('writes the complete file when the system accepts it in parts', () => {
  const { writeSync } = fs;
  const inPieces = ((handle: number, data: Uint8Array, from: number) =>
    writeSync(handle, data, from, Math.min(3, data.length - from))) as typeof fs.writeSync;
  withFs({ writeSync: inPieces }, () => writeFileAtomic(at('a'), 'a longer text', 'unique'));
  expect(readFileSync(at('a'), 'utf8')).toBe('a longer text');
  withFs({ writeSync: inPieces }, () => writeFileAtomic(at('empty'), '', 'unique'));
  expect(readFileSync(at('empty'), 'utf8')).toBe('');
});

test('keeps the old file when the disk is full', () => {
  writeFileSync(at('a'), 'old');
  const full = (() => {
    throw fsError('ENOSPC');
  }) as unknown as typeof fs.writeSync;
  expect(() => withFs({ writeSync: full }, () => writeFileAtomic(at('a'), 'new', 'unique'))).toThrow('ENOSPC');
  expect([entries(), readFileSync(at('a'), 'utf8')]).toEqual([['a'], 'old']);
});
