import { describe, expect, it } from 'vitest';
import type { LabResult } from '../../../../src-shared/contract/labs.ts';
import { fieldsOf, labChangesOf, NO_RESULT, rangeAsTyped, valuesOfResult, wrongFields } from './lab-values.ts';

const row: LabResult = {
  id: 1,
  document_id: 1,
  patient_id: 1,
  test_name_original: 'Ferritin',
  norm_lab_test_id: 7,
  value: 23,
  value_text: '23',
  unit: 'µg/L',
  reference_range_low: 30,
  reference_range_high: 300,
  reference_range_comparator: null,
  doubt: [],
  is_abnormal: true,
  sample_type: null,
  panel_name: null,
  test_date: '2025-11-12',
  test_names: null,
  test_name_canonical: 'Ferritin',
  canonical_code: 'ferritin',
  unit_preferred: null,
  document_filename: null,
  document_doc_type: null,
  document_doc_date: null,
  document_missing: false,
  evidence: null,
  edited_fields: null,
};

it('formats a range as it is typed', () => {
  expect([
    rangeAsTyped({ low: 30, high: 300 }),
    rangeAsTyped({ low: null, high: 5 }),
    rangeAsTyped({ low: 1.2, high: null }),
    rangeAsTyped({ low: null, high: null }),
  ]).toEqual(['30-300', '<5', '>1.2', '']);
  for (const [typed, low, high] of [
    ['30 – 300', 30, 300],
    ['< 5,0', null, 5],
    ['>=1.2', 1.2, null],
    ['', null, null],
  ] as const)
    expect(fieldsOf({ ...NO_RESULT, name: 'x', range: typed }), typed).toMatchObject({
      reference_range_low: low,
      reference_range_high: high,
    });
});

describe('changes', () => {
  // A doubtful result is doubtful again after undo.
  const reopened = { doubt: row.doubt, edited_fields: null };
  const changed = (part: Partial<typeof NO_RESULT>) => labChangesOf(row, { ...valuesOfResult(row), ...part });
  it('contain only differing fields and the derived flag', () => {
    expect(changed({})).toEqual({ changes: {}, undo: {} });
    expect(changed({ value: '45' })).toEqual({
      changes: { value: 45, value_text: '45', is_abnormal: false },
      undo: { value: 23, value_text: '23', is_abnormal: true, reopened },
    });
    expect(changed({ unit: 'ng/mL' })).toEqual({ changes: { unit: 'ng/mL' }, undo: { unit: 'µg/L', reopened } });
    expect(changed({ value: '< 15' }).changes).toEqual({ value: 15, value_text: '< 15' });
    expect(changed({ value: 'positiv', flag: 'abnormal' }).changes).toEqual({ value: null, value_text: 'positiv' });
  });
  it('of a name restore its entry on undo', () => {
    expect(changed({ name: 'Transferrin' })).toEqual({
      changes: { test_name_original: 'Transferrin' },
      undo: { test_name_original: 'Ferritin', norm_lab_test_id: 7, reopened },
    });
  });
  it('keep a flag that the range does not explain', () => {
    const marked = { ...row, value: 100, value_text: '100', is_abnormal: true };
    expect(valuesOfResult(marked).flag).toBe('abnormal');
    expect(labChangesOf(marked, valuesOfResult(marked)).changes).toEqual({});
  });
});

it('requires a name and a valid range', () => {
  expect([
    wrongFields(NO_RESULT),
    wrongFields({ ...NO_RESULT, name: 'x', range: 'hoch' }),
    wrongFields({ ...NO_RESULT, name: 'x', range: '1-2' }),
  ]).toEqual([['name'], ['range'], []]);
});
