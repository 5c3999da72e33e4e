import { describe, expect, it } from 'vitest';
import type { LabPoint } from '../../../src-shared/contract/labs.ts';
import { mergeDualUnitResults } from './dual-unit-results.ts';

type Print = Pick<LabPoint, 'value'> & Partial<LabPoint> & { unit: string };

/** A point of the report 1 from 2024-01-01, already in the unit of the series. */
const point = ({ unit, ...more }: Print, index: number): LabPoint => ({
  id: index + 1,
  document_id: 1,
  laboratory: null,
  page: 1,
  date: '2024-01-01',
  comparator: null,
  reference_range_low: null,
  reference_range_high: null,
  reference_range_comparator: null,
  doubt: [],
  flag: null,
  converted: unit.toLowerCase() !== 'mmol/l',
  original: { value_text: null, unit, reference_range_low: null, reference_range_high: null },
  also_printed: [],
  also_in: [],
  ...more,
});
/** Ids of the points that stay in a series in mmol/L, each with the ids of its other prints. */
const merged = (...prints: Print[]) =>
  mergeDualUnitResults(prints.map(point), 'mmol/L').map(({ id, also_printed }) => [
    id,
    also_printed.map((one) => one.id),
  ]);

const MMOL = { unit: 'mmol/L', value: 5 };
const MG = { unit: 'mg/dL', value: 5.02 };

describe('results that one report prints in two units', () => {
  it('stay as the print in the unit of the series, wherever it is on the page', () => {
    expect(merged(MMOL, MG)).toEqual([[1, [2]]]);
    expect(merged(MG, MMOL)).toEqual([[2, [1]]]);
    expect(merged({ ...MMOL, unit: 'mmol/l' }, MMOL)).toEqual([[2, [1]]]);
    expect(merged(MMOL, { ...MMOL, unit: 'mmol/l' })).toEqual([[1, [2]]]);
  });

  it('stay as the print that needs no conversion if none is in the unit of the series', () => {
    expect(merged(MG, { ...MMOL, unit: 'mmol/l' })).toEqual([[2, [1]]]);
    expect(merged({ ...MMOL, unit: 'mmol/l' }, MG)).toEqual([[1, [2]]]);
  });

  it('list the value and unit of each other print', () => {
    const [only] = mergeDualUnitResults([MMOL, MG, { unit: 'g/L', value: 4.98 }].map(point), 'mmol/L');
    expect(only).toMatchObject({
      value: 5,
      also_printed: [
        { id: 2, value_text: null, unit: 'mg/dL' },
        { id: 3, value_text: null, unit: 'g/L' },
      ],
    });
  });

  it('differ by at most two per cent, below zero too', () => {
    expect(merged({ ...MMOL, value: 100 }, { ...MG, value: 102 })).toEqual([[1, [2]]]);
    expect(merged({ ...MMOL, value: 100 }, { ...MG, value: 102.1 })).toHaveLength(2);
    expect(merged({ ...MMOL, value: -5 }, { ...MG, value: -5.05 })).toEqual([[1, [2]]]);
  });

  it('are the nearest of several values', () => {
    expect(merged(MMOL, { ...MG, value: 4.95 }, { ...MG, value: 5.01 })).toEqual([
      [1, [3]],
      [2, []],
    ]);
  });

  it('belong to one measurement only', () => {
    expect(merged(MMOL, { ...MMOL, value: 5.05 }, MG)).toEqual([
      [1, [3]],
      [2, []],
    ]);
  });
});

describe('results that are not two prints of one measurement', () => {
  const both = [
    [1, []],
    [2, []],
  ];
  it('are those without a document, such as measurements of two devices', () => {
    expect(merged({ ...MMOL, document_id: null }, { ...MG, document_id: null })).toEqual(both);
  });

  it('are those of two reports or days', () => {
    expect(merged(MMOL, { ...MG, document_id: 2 })).toEqual(both);
    expect(merged(MMOL, { ...MG, date: '2024-01-02' })).toEqual(both);
  });

  it('are those in one unit, and those with different comparators', () => {
    expect(merged(MMOL, MMOL)).toEqual(both);
    expect(merged({ ...MMOL, comparator: '<' }, MG)).toEqual(both);
    expect(merged({ ...MMOL, comparator: '<' }, { ...MG, comparator: '<' })).toEqual([[1, [2]]]);
  });
});
