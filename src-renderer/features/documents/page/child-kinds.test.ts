import { expect, test } from 'vitest';
import { changesOf, valuesOf, type ChildRow } from './child-kinds.ts';

const row = {
  id: 3,
  document_id: 1,
  norm_medication_id: 9,
  brand_name: 'Glucophage',
  active_ingredient_original: 'Metformin',
  dosage: '500 mg',
  form: null,
  frequency: '1-0-1',
  duration: null,
  quantity: null,
  prescribed_date: null,
  evidence: null,
  edited_fields: null,
} satisfies ChildRow;

test('an edit sends only changed fields and can be undone', () => {
  const before = valuesOf('medication', row);
  const after = { ...before, dosage: '850 mg', frequency: null };
  expect(changesOf(before, after)).toEqual({ dosage: '850 mg', frequency: null });
  expect(changesOf(after, before)).toEqual({ dosage: '500 mg', frequency: '1-0-1' });
  expect(changesOf(before, { ...before })).toEqual({});
});

test('a new row has empty fields', () => {
  expect(valuesOf('vaccination', null)).toEqual({
    vaccine_name: null,
    manufacturer: null,
    lot_number: null,
    dose_number: null,
    date_administered: null,
  });
});
