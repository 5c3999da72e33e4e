import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLabTables, type LabTables } from '../../../test/support/lab-tables.ts';
import { createLabListRepository, type LabFilter, type LabListRepository } from './list-repository.ts';

/** More results than a list by name sorts in memory; from here on SQLite reads them in the order of the date index. */
const MANY = 50_000;

let tables: LabTables, lists: LabListRepository, patient: number, other: number;
beforeAll(() => {
  tables = openLabTables();
  lists = createLabListRepository(tables.db);
});
afterAll(() => tables.db.close());
beforeEach(() => {
  patient = tables.patient();
  other = tables.patient();
});

const NO_PAGE = { limit: 100, offset: 0 };
const filterOf = (more: Partial<LabFilter>): LabFilter => ({
  patientIds: [patient],
  names: null,
  from: undefined,
  to: undefined,
  orphans: false,
  ...more,
});
/** The ids that a filter lists, however many results there are, and as many as it counts. */
function listed(more: Partial<LabFilter>, page = NO_PAGE): number[] {
  const filter = filterOf(more);
  const ids = lists.ids(filter, 1, page);
  expect(lists.ids(filter, MANY, page)).toEqual(ids);
  if (page === NO_PAGE) expect(lists.count(filter)).toBe(ids.length);
  return ids;
}

describe('a list of lab results', () => {
  it('is newest first, results of one day by age, those without a date last', () => {
    const ids = ['2024-01-01', null, '2025-01-01', '2024-01-01', null].map((test_date) =>
      tables.result(patient, { test_date }),
    );
    const expected = [2, 3, 0, 4, 1].map((index) => ids[index]);
    expect(listed({})).toEqual(expected);
    expect(listed({ names: ['Ferritin'] })).toEqual(expected);
  });

  it('merges the results of several patients by date, page by page', () => {
    const ids = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'].map((test_date, index) =>
      tables.result(index % 2 === 0 ? patient : other, { test_date }),
    );
    const patientIds = [other, patient];
    expect(listed({ patientIds })).toEqual(ids.toReversed());
    expect(listed({ patientIds }, { limit: 2, offset: 0 })).toEqual([ids[4], ids[3]]);
    expect(listed({ patientIds }, { limit: 2, offset: 2 })).toEqual([ids[2], ids[1]]);
    expect(listed({ patientIds }, { limit: 2, offset: 4 })).toEqual([ids[0]]);
    expect(listed({ patientIds, names: ['Ferritin'] }, { limit: 2, offset: 1 })).toEqual([ids[3], ids[2]]);
  });

  it('holds the results with one of the names', () => {
    const ids = ['Ferritin', 'Kalium', 'ferritin'].map((test_name_original) =>
      tables.result(patient, { test_name_original }),
    );
    expect(listed({ names: ['Ferritin'] })).toEqual([ids[0]]);
    expect(listed({ names: ['Ferritin', 'Kalium'] })).toEqual([ids[1], ids[0]]);
    expect(listed({ names: [] })).toEqual([]);
  });

  it('holds the results between two days, both included', () => {
    const [first, second, third] = ['2024-01-01', '2024-02-01', '2024-03-01'].map((test_date) =>
      tables.result(patient, { test_date }),
    );
    tables.result(patient, { test_date: null });
    expect(listed({ from: '2024-02-01' })).toEqual([third, second]);
    expect(listed({ to: '2024-02-01' })).toEqual([second, first]);
    expect(listed({ from: '2024-02-01', to: '2024-02-01', names: ['Ferritin'] })).toEqual([second]);
  });

  it('of orphans holds the results without a document', () => {
    tables.result(patient, { document_id: tables.document(patient) });
    const orphan = tables.result(patient);
    expect(listed({ orphans: true })).toEqual([orphan]);
  });

  it('is empty for nobody', () => {
    tables.result(patient);
    expect(listed({ patientIds: [] })).toEqual([]);
  });

  it('can hold the results of more than a hundred patients', () => {
    const patientIds = [patient, other, ...Array.from({ length: 100 }, () => tables.patient())];
    const first = tables.result(patient, { test_date: '2024-01-01' });
    const last = tables.result(patientIds.at(-1) ?? null, { test_date: '2025-01-01', test_name_original: 'Kalium' });
    tables.result(tables.patient());
    expect(listed({ patientIds })).toEqual([last, first]);
    expect(listed({ patientIds, names: ['Kalium'], from: '2024-06-01' })).toEqual([last]);
    expect(listed({ patientIds: patientIds.slice(0, 100) })).toEqual([first]);
  });
});
