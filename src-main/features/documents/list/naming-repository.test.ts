import { afterAll, expect, test } from 'vitest';
import { openLabTables } from '../../../../test/support/lab-tables.ts';
import { createNamings } from './naming-repository.ts';

const tables = openLabTables();
afterAll(() => tables.db.close());

test('documents are named by their rows as they are now, also when the same page is read again', () => {
  const namings = createNamings(tables.db);
  const patient = tables.patient();
  const document = tables.document(patient);
  const other = tables.document(patient);
  const results = () => [document, other].map((id) => namings([other, document]).get(id)?.highlights?.results);
  expect(results()).toEqual([0, 0]);
  tables.result(patient, { document_id: document });
  expect(results()).toEqual([1, 0]);
  tables.result(patient, { document_id: document, test_name_original: 'Zink' });
  expect(results()).toEqual([2, 0]);
});

test('a result is in range only if there is a range, or words or a user say so', () => {
  const namings = createNamings(tables.db);
  const patient = tables.patient();
  const document = tables.document(patient);
  const add = (more: Record<string, unknown>): number | undefined => {
    tables.result(patient, { document_id: document, is_abnormal: 0, ...more });
    return namings([document]).get(document)?.highlights?.in_range;
  };
  expect(add({ value: 6.8 })).toBe(0);
  expect(add({ value: 5, reference_range_high: 6 })).toBe(1);
  expect(add({ value: null, value_text: 'negativ' })).toBe(2);
  expect(add({ value: 6.8, edited_fields: '["is_abnormal"]' })).toBe(3);
});
