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

test('a user’s folder has a number of at most 15 digits', () => {
  expect(
    ['inbox/user-3x', 'inbox/auser-3', 'inbox/user-', 'unclassified/user-3x', 'unclassified/user-1234567890123456'].map(
      scopeOf,
    ),
  ).toEqual([{ patientSlug: 'user-3x' }, { patientSlug: 'auser-3' }, { patientSlug: 'user-' }, null, null]);
  expect(scopeOf('unclassified/user-123456789012345/a.pdf')).toEqual({ userId: 123_456_789_012_345 });
});

test('a folder is moved from the third level on, a file from the second', () => {
  expect(['inbox', 'inbox/a', 'inbox/a/b', 'cache/a/b'].map((path) => isMovable(path, 'dir'))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(['inbox', 'inbox/a', 'inbox/a/b', 'cache/a/b'].map((path) => isMovable(path, 'file'))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('only folders below a patient’s or a user’s accept files', () => {
  expect(
    ['patients/a', 'patients/a/b', 'patients/a/b/c', 'unclassified/user-1/a', 'inboxes/a/b', 'inbox/a/b/c'].map(
      isDestination,
    ),
  ).toEqual([false, true, true, true, false, false]);
});
