import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foldName, freeName, spellingIn } from './free-name.ts';
import { isDestination, isMovable, scopeOf } from './scope.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-names-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const put = (...names: string[]): void => {
  for (const name of names) writeFileSync(join(folder, name), name);
};
const nothing = (): boolean => false;

describe('a free name', () => {
  it('differs from existing names on every file system', () => {
    put('Befund.PDF', 'a\u0308rztin.pdf');
    expect(freeName(folder, 'befund.pdf', null, nothing)).toBe('befund-2.pdf');
    expect(freeName(folder, 'ärztin.pdf', null, nothing)).toBe('ärztin-2.pdf');
    expect(freeName(folder, 'other.pdf', null, nothing)).toBe('other.pdf');
  });
  it('skips names that only the database has', () => {
    put('a.pdf', 'a-2.pdf');
    expect(freeName(folder, 'a.pdf', null, (name) => name === 'a-3.pdf')).toBe('a-4.pdf');
  });
  it('may be the own name, also in another spelling', () => {
    put('a.pdf');
    expect([freeName(folder, 'a.pdf', 'a.pdf', () => true), freeName(folder, 'A.pdf', 'a.pdf', nothing)]).toEqual([
      'a.pdf',
      'A.pdf',
    ]);
  });
  it('is the requested one in a missing folder', () => {
    expect(freeName(join(folder, 'new'), 'a.pdf', null, nothing)).toBe('a.pdf');
  });
});

it('uses the existing spelling of a folder, and the exact one if both exist', () => {
  mkdirSync(join(folder, 'Reha'));
  expect([spellingIn(folder, 'reha'), spellingIn(folder, 'other')]).toEqual(['Reha', 'other']);
  if (process.platform === 'linux') {
    mkdirSync(join(folder, 'reha'));
    expect(spellingIn(folder, 'reha')).toBe('reha');
  }
  expect(foldName('Ä')).toBe(foldName('a\u0308'));
});

describe('places', () => {
  it('belong to the owner in their folder name', () => {
    expect(
      [
        'patients/elena/2024/a.pdf',
        'inbox/elena/a.pdf',
        'inbox/user-3/a.pdf',
        'unclassified/user-12',
        'patients',
        'inbox/a.pdf',
      ].map(scopeOf),
    ).toEqual([
      { patientSlug: 'elena' },
      { patientSlug: 'elena' },
      { userId: 3 },
      { userId: 12 },
      null,
      { patientSlug: 'a.pdf' },
    ]);
  });
  it('cannot be moved if Hearth needs them, nor to where they would be imported again', () => {
    expect([
      isMovable('patients/elena', 'dir'),
      isMovable('patients/elena/2024', 'dir'),
      isMovable('inbox/a.pdf', 'file'),
      isMovable('trash/1/0.pdf', 'file'),
    ]).toEqual([false, true, true, false]);
    expect(
      ['patients/elena/x', 'unclassified/user-1/x', 'patients/x', 'inbox/elena/x', 'cache/a/b', 'trash/1/0.pdf'].map(
        isDestination,
      ),
    ).toEqual([true, true, false, false, false, false]);
  });
});
