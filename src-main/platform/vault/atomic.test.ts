import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fsError, recordFsCalls, withFs } from '../../../test/support/fs-faults.ts';
import { createFolder, removeFile, syncFile, syncFolder, writeFileAtomic } from './atomic.ts';

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

/** Flushes and changes of names, in order. */
function recordCalls(work: () => void): string[] {
  const recorder = recordFsCalls(root);
  withFs(recorder.fs, work);
  return recorder.calls;
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
  expect(recordCalls(() => removeFile(at('a', 'f')))).toEqual(['unlink a/f', 'flush a']);
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

test('closes each file that it opened, also after a fault', () => {
  writeFileSync(at('a'), 'old');
  const recorder = recordFsCalls(root);
  const fail = (): never => {
    throw fsError('EIO');
  };
  for (const faults of [{}, { fsyncSync: fail }, { writeSync: fail as typeof fs.writeSync }])
    for (const work of [
      () => syncFolder(root),
      () => syncFile(at('a')),
      () => writeFileAtomic(at('b'), 'new', 'unique'),
    ])
      try {
        withFs({ ...recorder.fs, ...faults }, work);
      } catch (error) {
        expect(error).toMatchObject({ code: 'EIO' });
      }
  expect(recorder.open()).toEqual([]);
});

test('reports why a file could not be created, not that it is missing', () => {
  const openSync: typeof fs.openSync = () => {
    throw fsError('EROFS');
  };
  expect(() => withFs({ openSync }, () => writeFileAtomic(at('a'), 'new', 'unique'))).toThrow(
    expect.objectContaining({ code: 'EROFS' }),
  );
});

test('flushes no folder on Windows, which has no such call', () => {
  const recorder = recordFsCalls(root);
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
  try {
    withFs(recorder.fs, () => syncFolder(root));
  } finally {
    Object.defineProperty(process, 'platform', platform);
  }
  expect(recorder.calls).toEqual([]);
});
