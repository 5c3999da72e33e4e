import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { openLabTables, type LabTables } from '../../../test/support/lab-tables.ts';
import { createLabRepository, type LabRepository } from './repository.ts';
import type { Spelling } from './spelling-repository.ts';

let tables: LabTables, repository: LabRepository, patient: number;
beforeAll(() => {
  tables = openLabTables();
  repository = createLabRepository(tables.db, () => null);
});
afterAll(() => tables.db.close());
beforeEach(() => {
  patient = tables.patient();
});

const spelling = (name = 'Ferritin', more: Partial<Spelling> = {}): Spelling => ({
  name,
  norm_lab_test_id: null,
  sample_type: null,
  ...more,
});

describe('the latest results of a test', () => {
  const latest = (spellings: Spelling[], limit = 10) =>
    repository.latestIds(patient, spellings, repository.datedByDocument(patient), limit);

  it('are the newest of all spellings, newest first, and at most so many', () => {
    const result = (test_name_original: string, test_date: string) =>
      tables.result(patient, { test_name_original, test_date });
    const second = result('S-Ferritin', '2024-02-01'),
      first = result('Ferritin', '2024-01-01'),
      third = result('Ferritin', '2024-03-01'),
      fourth = result('S-Ferritin', '2024-03-01');
    const oldest = result('S-Ferritin', '2023-12-01');
    result('Kalium', '2024-04-01');
    const both = [spelling(), spelling('S-Ferritin')];
    expect(latest(both)).toEqual([fourth, third, second, first, oldest]);
    expect(latest(both.toReversed())).toEqual([fourth, third, second, first, oldest]);
    expect(latest(both, 3)).toEqual([fourth, third, second]);
    expect(latest([spelling()])).toEqual([third, first]);
  });

  it('include those that only their document dates, after those with a date of their own', () => {
    const on = (event_date: string | null, more = {}) =>
      tables.result(patient, { document_id: tables.document(patient, { event_date }), test_date: null, ...more });
    const old = on('2023-01-01'),
      newer = on('2025-01-01');
    on(null);
    on('2025-01-01', { test_name_original: 'Kalium' });
    on('2025-01-01', { sample_type: 'Urin' });
    const dated = tables.result(patient, { test_date: '2024-01-01' });
    expect(latest([spelling()])).toEqual([dated, newer, old]);
    expect(latest([spelling()], 1)).toEqual([dated, newer]);
    expect(latest([spelling('S-Ferritin'), spelling()])).toEqual([dated, newer, old]);
  });

  it('are the last ones that were added if none has a date', () => {
    const ids = [1, 2, 3].map(() => tables.result(patient, { test_date: null }));
    expect(latest([spelling()])).toEqual(ids.toReversed());
    expect(latest([spelling()], 2)).toEqual([ids[2], ids[1]]);
    tables.result(patient, { test_date: '2024-01-01' });
    expect(latest([spelling()])).toHaveLength(1);
  });
});

test('reads the results of one spelling, sample and entry of a patient', () => {
  const entry = tables.entry(`entry-${patient}`);
  const ids = [{}, { sample_type: 'Urin' }, { norm_lab_test_id: entry }, { test_name_original: 'Fer' }].map((more) =>
    tables.result(patient, more),
  );
  tables.result(tables.patient());
  const idsOf = (one: Spelling) => repository.results(patient, one).map(({ id }) => id);
  expect([
    idsOf(spelling()),
    idsOf(spelling('Ferritin', { sample_type: 'Urin' })),
    idsOf(spelling('Ferritin', { norm_lab_test_id: entry })),
    idsOf(spelling('Fer')),
  ]).toEqual(ids.map((id) => [id]));
  expect(repository.spellings(patient)).toHaveLength(4);
});

test('reads a result with its laboratory, page and file, or without them for a summary', () => {
  const facility_id = tables.insert('facilities', {
    canonical_code: `lab-${patient}`,
    canonical_display: 'Synlabor',
    name: 'Synlabor',
    created_at: 'x',
  });
  const document = tables.document(patient, { facility_id, original_filename: 'befund.pdf' });
  const id = tables.result(patient, {
    document_id: document,
    test_date: null,
    is_abnormal: 1,
    evidence: '{"page":3}',
    edited_fields: '[]',
    panel_name: 'Eisen',
  });
  const inSummary = {
    id,
    document_id: document,
    date: '2025-11-12',
    value: 23,
    unit: 'µg/L',
    is_abnormal: true,
    edited: true,
    panel_name: 'Eisen',
  };
  expect(repository.results(patient, spelling())).toMatchObject([
    { ...inSummary, laboratory: 'Synlabor', page: 3, document_filename: 'befund.pdf' },
  ]);
  expect(repository.summaryRows([id]).get(id)).toMatchObject({ ...inSummary, laboratory: null, page: null });
  const plain = tables.result(patient, { is_abnormal: 0 });
  expect(repository.summaryRows([plain]).get(plain)).toMatchObject({ is_abnormal: false, edited: false });
  tables.db.prepare('UPDATE lab_results SET is_abnormal = NULL WHERE id = ?').run(plain);
  expect(repository.summaryRows([plain]).get(plain)?.is_abnormal).toBeNull();
});

test('finds the document of the newest dated result, and counts results without a document', () => {
  expect([repository.latestDocument(patient), repository.orphanCount(patient)]).toEqual([null, 0]);
  const [first, second] = [tables.document(patient), tables.document(patient)];
  tables.result(patient, { document_id: second, test_date: '2025-02-01' });
  tables.result(patient, { document_id: first, test_date: '2025-01-01' });
  tables.result(patient, { document_id: first, test_date: null });
  tables.result(patient, { test_date: '2025-03-01' });
  tables.result(tables.patient());
  expect([repository.latestDocument(patient), repository.orphanCount(patient)]).toEqual([second, 1]);
});

describe('beside a trend', () => {
  it('are the events that overlap it, oldest first', () => {
    const event = (title: string, date_start: string | null, more = {}) =>
      tables.insert('events', {
        patient_id: patient,
        title,
        slug: title,
        event_type: 'treatment',
        date_start,
        created_at: 'x',
        updated_at: 'x',
        ...more,
      });
    event('last day', '2024-12-31');
    event('first day', '2024-01-01');
    event('before', '2023-12-31');
    event('after', '2025-01-01');
    event('until', '2023-01-01', { date_end: '2024-01-01' });
    event('ended', '2023-01-02', { date_end: '2023-12-31' });
    event('ongoing', '2023-01-03', { is_ongoing: 1 });
    event('undated', null);
    const titles = (limit: number) =>
      repository.events(patient, '2024-01-01', '2024-12-31', limit).map(({ title }) => title);
    expect(titles(10)).toEqual(['until', 'ongoing', 'first day', 'last day']);
    expect(titles(2)).toEqual(['until', 'ongoing']);
  });

  it('are the medications prescribed in its time, by brand or else active ingredient', () => {
    const document_id = tables.document(patient, { event_date: '2024-06-01' });
    const medication = (values: Record<string, unknown>) => tables.insert('medications', { document_id, ...values });
    medication({ brand_name: 'Ferinject', prescribed_date: '2024-12-31', dosage: '500 mg' });
    medication({ active_ingredient_original: 'Eisen', prescribed_date: '2024-01-01' });
    medication({ brand_name: 'Of its document' });
    medication({ brand_name: 'Before', prescribed_date: '2023-12-31' });
    medication({ prescribed_date: '2024-05-01' });
    const found = repository.medications(patient, '2024-01-01', '2024-12-31', 10);
    expect(found.map(({ name, date, dosage }) => [name, date, dosage])).toEqual([
      ['Eisen', '2024-01-01', null],
      ['Of its document', '2024-06-01', null],
      ['Ferinject', '2024-12-31', '500 mg'],
    ]);
    expect(repository.medications(patient, '2024-01-01', '2024-12-31', 1)).toEqual(found.slice(0, 1));
  });
});

test('reads results in their wire shape in the order of the ids, without those that do not exist', () => {
  const [first, second] = [tables.result(patient), tables.result(patient, { value: 24 })];
  expect(repository.wireMany([second, 987_654, first])).toMatchObject([
    { id: second, value: 24 },
    { id: first, value: 23 },
  ]);
});
