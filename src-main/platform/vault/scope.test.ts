import { expect, test } from 'vitest';
import { isDestination, isInDocumentFolder, isMovable, scopeOf } from './scope.ts';

test('derives the owner of a folder from its name', () => {
  expect(
    [
      'patients/elena-keller/2025/a.pdf',
      'patients/elena-keller',
      'inbox/elena-keller/a.pdf',
      'patients/user-5/a.pdf',
    ].map(scopeOf),
  ).toEqual([
    { patientSlug: 'elena-keller' },
    { patientSlug: 'elena-keller' },
    { patientSlug: 'elena-keller' },
    { patientSlug: 'user-5' },
  ]);
  expect(['unclassified/user-3/a.pdf', 'inbox/user-4/scans'].map(scopeOf)).toEqual([{ userId: 3 }, { userId: 4 }]);
  expect(
    ['patients', 'inbox', '', 'unclassified/elena/a.pdf', 'trash/7/0.pdf', 'cache/thumbnails/a.webp'].map(scopeOf),
  ).toEqual([null, null, null, null, null, null]);
});

test('moves only entries of document folders, and only between them', () => {
  expect(
    ['patients/a/b.pdf', 'inbox/a.pdf', 'trash/1/a.pdf', 'vault.db', 'patientsx/a/b.pdf'].map(isInDocumentFolder),
  ).toEqual([true, true, false, false, false]);
  expect([
    isMovable('patients/a', 'dir'),
    isMovable('patients/a/2025', 'dir'),
    isMovable('inbox/a.pdf', 'file'),
    isMovable('secret.key', 'file'),
  ]).toEqual([false, true, true, false]);
  expect(['patients/a/b.pdf', 'patients/b.pdf', 'inbox/a/b.pdf', 'tmp/a/b.pdf'].map(isDestination)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
