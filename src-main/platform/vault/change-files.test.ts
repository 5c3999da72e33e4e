import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordFsCalls, withFs } from '../../../test/support/fs-faults.ts';
import { changeFiles, type ChangeEnd } from './change-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-changes-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const at = (...parts: string[]): string => join(root, ...parts);
const entries = (): string[] => (readdirSync(root, { recursive: true }) as string[]).sort();
const changeAll = (changes: readonly [from: string, to: string | null][]): ChangeEnd[] =>
  changeFiles(
    changes.map(([from, to]) => () => ({ from, to })),
  );
const moveFile = (from: string, to: string): ChangeEnd => changeAll([[from, to]])[0]!;

test('creates the target folder of a move, and may be repeated', () => {
  writeFileSync(at('a'), 'x');
  expect(moveFile(at('a'), at('p', 'q', 'b'))).toBe('moved');
  expect(moveFile(at('a'), at('p', 'q', 'b'))).toBe('already');
  expect(moveFile(at('nothing'), at('nowhere'))).toBe('lost');
  expect(entries()).toEqual(['p', 'p/q', 'p/q/b']);
});

test('completes an interrupted move', () => {
  writeFileSync(at('a'), 'x');
  linkSync(at('a'), at('b'));
  expect(moveFile(at('a'), at('b'))).toBe('moved');
  expect(entries()).toEqual(['b']);
});

test('merges equal content at the target, and renames different content', () => {
  writeFileSync(at('a.pdf'), 'x');
  writeFileSync(at('b.pdf'), 'x');
  moveFile(at('a.pdf'), at('b.pdf'));
  expect(entries()).toEqual(['b.pdf']);
  writeFileSync(at('a.pdf'), 'other');
  writeFileSync(at('b-2.pdf'), 'stands here');
  moveFile(at('a.pdf'), at('b.pdf'));
  expect(Object.fromEntries(entries().map((name) => [name, readFileSync(at(name), 'utf8')]))).toEqual({
    'b.pdf': 'other',
    'b-2.pdf': 'stands here',
    'b-3.pdf': 'x',
  });
});

test.skipIf(process.platform === 'win32')(
  'many changes flush each folder once, and no old name goes before its new one is on the disk',
  () => {
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    for (const folder of ['old', 'new', 'gone']) mkdirSync(at(folder));
    for (const n of numbers) writeFileSync(at('old', `${n}`), `${n}`);
    writeFileSync(at('gone', 'x'), 'x');
    const { calls, fs } = recordFsCalls(root);
    withFs(fs, () => {
      expect(
        changeAll([
          ...numbers.map((n): [string, string] => [at('old', `${n}`), at('new', `${n}`)]),
          [at('gone', 'x'), null],
        ]),
      ).toEqual([...numbers, 0].map(() => 'moved'));
    });
    expect(calls.filter((call) => call.startsWith('flush'))).toEqual(['flush new', 'flush old', 'flush gone']);
    expect(calls.indexOf('flush new')).toBeGreaterThan(calls.findLastIndex((call) => call.startsWith('link')));
    expect(calls.indexOf('flush new')).toBeLessThan(calls.findIndex((call) => call.startsWith('unlink')));
    expect(calls.indexOf('flush old')).toBeGreaterThan(calls.findLastIndex((call) => call.startsWith('unlink')));
    expect(Object.fromEntries(numbers.map((n) => [n, readFileSync(at('new', `${n}`), 'utf8')]))).toEqual(
      Object.fromEntries(numbers.map((n) => [n, `${n}`])),
    );
  },
);

test('applies the other changes when one fails, which can be retried', () => {
  for (const name of ['a', 'b', 'c']) writeFileSync(at(name), name);
  writeFileSync(at('in-the-way'), 'a file where a folder is wanted');
  const [first, second, third, fourth] = changeFiles([
    () => ({ from: at('a'), to: at('p', 'a') }),
    () => ({ from: at('b'), to: at('in-the-way', 'b') }),
    () => {
      throw new Error('outside');
    },
    () => ({ from: at('c'), to: null }),
  ]);
  expect([first, second, third, fourth]).toEqual([
    'moved',
    { error: expect.any(Error) },
    { error: expect.any(Error) },
    'moved',
  ]);
  expect(entries()).toEqual(['b', 'in-the-way', 'p', 'p/a']);
  rmSync(at('in-the-way'));
  expect(
    changeAll([
      [at('a'), at('p', 'a')],
      [at('b'), at('in-the-way', 'b')],
      [at('c'), null],
    ]),
  ).toEqual(['already', 'moved', 'moved']);
  expect(entries()).toEqual(['in-the-way', 'in-the-way/b', 'p', 'p/a']);
});
