import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDocument, addPatient, openTestVault, type TestVault } from '../../../test/support/vault.ts';
import { createVaultRepository, type VaultRepository } from './repository.ts';

let t: TestVault, repository: VaultRepository;
beforeEach(() => {
  t = openTestVault();
  repository = createVaultRepository(t.db);
});
afterEach(() => t.close());

function addStudy(folder: string | null, bundle: string | null, patientId: number | null = null): number {
  return Number(
    t.db
      .prepare(
        "INSERT INTO imaging_studies (patient_id, folder_path, bundle_path, created_at) VALUES (?, ?, ?, '2026-01-01')",
      )
      .run(patientId, folder, bundle).lastInsertRowid,
  );
}

const addSeries = (study: number, folder: string): unknown =>
  t.db.prepare('INSERT INTO imaging_series (study_id, folder_path) VALUES (?, ?)').run(study, folder);

const paths = (): unknown[] => [
  ...t.db.prepare('SELECT file_path FROM documents ORDER BY id').pluck().all(),
  ...t.db.prepare('SELECT folder_path FROM imaging_studies ORDER BY id').pluck().all(),
  ...t.db.prepare('SELECT bundle_path FROM imaging_studies ORDER BY id').pluck().all(),
  ...t.db.prepare('SELECT folder_path FROM imaging_series ORDER BY id').pluck().all(),
];

test('a document is found by its id and by its path', () => {
  const patientId = addPatient(t.db);
  const id = addDocument(t, 'patients/a/1.pdf', 'one', patientId);
  const expected = {
    id,
    file_path: 'patients/a/1.pdf',
    file_size: 3,
    original_filename: '1.pdf',
    patient_id: patientId,
    uploaded_by_user_id: null,
    status: 'done',
  };
  expect([repository.documentById(id), repository.documentAt('patients/a/1.pdf')]).toEqual([expected, expected]);
  expect([repository.documentById(id + 1), repository.documentAt('patients/a')]).toEqual([undefined, undefined]);
});

test('documents of a folder are found by their names', () => {
  const ids = ['patients/a/1.pdf', 'patients/a/2.pdf', 'patients/a/sub/1.pdf', 'patients/b/1.pdf'].map((path) =>
    addDocument(t, path, path),
  );
  const found = repository.documentsIn('patients/a', ['2.pdf', '1.pdf', 'missing.pdf']);
  expect([...found].map(([name, row]) => [name, row.id]).sort()).toEqual([
    ['1.pdf', ids[0]],
    ['2.pdf', ids[1]],
  ]);
  expect(repository.documentsIn('patients/a', []).size).toBe(0);
});

test('documents below a folder are those in it at any depth, and not those of a similar name', () => {
  const [deep, , , inside] = [
    'patients/a/b/c/1.pdf',
    'patients/a.pdf',
    'patients/a0/1.pdf',
    'patients/a/2.pdf',
    'patients/a!/1.pdf',
  ].map((path) => addDocument(t, path, path));
  expect(repository.documentsBelow('patients/a').map((row) => row.id)).toEqual([deep, inside]);
  expect(repository.documentsBelow('patients/a/2.pdf').map((row) => row.id)).toEqual([inside]);
});

test('a patient is found by the name of the folder', () => {
  const id = addPatient(t.db, 'elena-keller');
  expect([repository.patientBySlug('elena-keller'), repository.patientBySlug('elena')]).toEqual([id, undefined]);
});

test('a path belongs to the studies and series above it', () => {
  const patientId = addPatient(t.db);
  const study = addStudy('patients/a/2025/mr', 'patients/a/bundles/7', patientId);
  addSeries(study, 'patients/a/2025/mr/series-1');
  const row = (path: string, series: 0 | 1) => ({ id: study, patient_id: patientId, path, series });
  expect(repository.studyAbove('patients/a/2025/mr/series-1/1.dcm')).toEqual([
    row('patients/a/2025/mr', 0),
    row('patients/a/2025/mr/series-1', 1),
  ]);
  expect(repository.studyAbove('patients/a/bundles/7/DICOMDIR')).toEqual([row('patients/a/bundles/7', 0)]);
  expect(repository.studyAbove('patients/a/2025/mr')).toEqual([row('patients/a/2025/mr', 0)]);
  expect([repository.studyAbove('patients/a/2025'), repository.studyAbove('patients/a/2025/mr2/1.dcm')]).toEqual([
    [],
    [],
  ]);
});

test('studies below a folder are those whose folder or bundle is in it', () => {
  const [one, two] = [addStudy('patients/a/2025/mr', null), addStudy('patients/b/x', 'patients/a/bundles/7')];
  addStudy('patients/a2/mr', null);
  expect(repository.studiesBelow('patients/a')).toEqual([
    { id: one, patient_id: null },
    { id: two, patient_id: null },
  ]);
});

test('every path at or below a folder is rewritten, and no other', () => {
  for (const path of ['patients/a/1.pdf', 'patients/a/sub/a/2.pdf', 'patients/ab/3.pdf', 'inbox/patients/a/4.pdf'])
    addDocument(t, path, path);
  addSeries(addStudy('patients/a/mr', 'patients/a'), 'patients/a/mr/1');
  addSeries(addStudy('patients/ab/mr', null), 'patients/ab/mr/1');
  repository.rewritePaths('patients/a', 'patients/new/name', '2026-05-05T00:00:00');
  expect(paths()).toEqual([
    ...['patients/new/name/1.pdf', 'patients/new/name/sub/a/2.pdf', 'patients/ab/3.pdf', 'inbox/patients/a/4.pdf'],
    ...['patients/new/name/mr', 'patients/ab/mr'],
    ...['patients/new/name', null],
    ...['patients/new/name/mr/1', 'patients/ab/mr/1'],
  ]);
  expect(t.db.prepare('SELECT updated_at FROM documents ORDER BY id').pluck().all()).toEqual([
    ...['2026-05-05T00:00:00', '2026-05-05T00:00:00'],
    ...['2026-01-01T00:00:00', '2026-01-01T00:00:00'],
  ]);
});
