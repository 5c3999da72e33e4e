import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestVault, type TestVault } from '../../../test/support/vault.ts';
import { resolveMerged } from './merged-names.ts';

let t: TestVault;
beforeEach(() => {
  t = openTestVault();
});
afterEach(() => t.close());

function addMerge(kind: string, sources: number[], target: number, undoneAt: string | null = null): void {
  t.db
    .prepare(
      `INSERT INTO name_merges (kind, target_id, target_created, sources, aliases, moved, created_at, undone_at)
        VALUES (?, ?, 0, ?, '[]', '[]', '2026-01-01T00:00:00', ?)`,
    )
    .run(kind, target, JSON.stringify({ entries: sources.map((id) => ({ id })), filled: {} }), undoneAt);
}

/** The references of one row after merges. */
const resolved = (row: Record<string, unknown>): unknown =>
  resolveMerged(t.db, [{ table: 'documents', rows: [row] }])[0]?.rows[0];

test('a reference follows merges to the remaining entry', () => {
  addMerge('doctors', [1, 2], 3);
  addMerge('doctors', [3], 7);
  expect([1, 2, 3, 7, 8].map((id) => resolved({ doctor_id: id }))).toEqual(
    [7, 7, 7, 7, 8].map((id) => ({ doctor_id: id })),
  );
});

test('a reference follows the latest merge of its entry', () => {
  addMerge('facilities', [1], 2);
  addMerge('facilities', [1], 5);
  expect(resolved({ facility_id: 1 })).toEqual({ facility_id: 5 });
});

test('a reference does not follow a merge that was undone', () => {
  addMerge('doctors', [1], 2, '2026-02-01T00:00:00');
  expect(resolved({ doctor_id: 1 })).toEqual({ doctor_id: 1 });
});

test('resolving a reference through circular merges ends', () => {
  addMerge('doctors', [1], 2);
  addMerge('doctors', [2], 1);
  expect(resolved({ doctor_id: 1 })).toEqual({ doctor_id: 1 });
});

test.each([
  ['norm_lab_test_id', 'lab_tests'],
  ['norm_specialty_id', 'specialties'],
  ['norm_diagnosis_id', 'diagnoses'],
  ['norm_medication_id', 'medications'],
  ['doctor_id', 'doctors'],
  ['facility_id', 'facilities'],
])('%s refers to %s, whose merges are their own', (column, kind) => {
  addMerge(kind, [1], 2);
  addMerge(kind === 'doctors' ? 'facilities' : 'doctors', [1], 9);
  expect(resolved({ [column]: 1 })).toEqual({ [column]: 2 });
});

test('other columns, empty references and the parts of the snapshot stay as they are', () => {
  addMerge('doctors', [1], 2);
  const snapshot = [
    { table: 'documents', rows: [{ id: 1, doctor_id: null, patient_id: 1, title: '1' }] },
    { table: 'lab_results', relink: 'document_id', rows: [{ '@rowid': 1, document_id: 1 }] },
  ];
  expect(resolveMerged(t.db, snapshot)).toEqual(snapshot);
  expect(resolved({ doctor_id: '1' })).toEqual({ doctor_id: '1' });
});

test('two references to the same entry are resolved alike, also of different kinds', () => {
  addMerge('doctors', [1], 2);
  const rows = [{ doctor_id: 1, facility_id: 1 }, { doctor_id: 1 }];
  expect(resolveMerged(t.db, [{ table: 'events', rows }])).toEqual([
    { table: 'events', rows: [{ doctor_id: 2, facility_id: 1 }, { doctor_id: 2 }] },
  ]);
});
