import { describe, expect, it } from 'vitest';
import { resultRow as row } from '../../../test/support/lab-rows.ts';
import { mergeDuplicateResults } from './duplicate-results.ts';
import type { ResultRow } from './result-row.ts';

describe('duplicate results', () => {
  const shown = (rows: ResultRow[]) =>
    mergeDuplicateResults(rows).map(({ row: one, copies }) => [
      one.document_id,
      copies.map((copy) => copy.document_id),
    ]);

  it('of a report scanned twice count once', () => {
    const first = row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      second = row('2024-01-01', '5.10', 'mmol/l', { document_id: 2 });
    expect(shown([first, second])).toEqual([[1, [2]]]);
  });

  it('are shown by the one that was surely read well', () => {
    const misread = row('2024-01-01', '5.1', 'mmol/L', { document_id: 1, doubt: ['poor_print'] }),
      sure = row('2024-01-01', '5.1', 'mmol/L', { document_id: 2 });
    expect(shown([misread, sure])).toEqual([[2, [1]]]);
  });

  it('differ from two results of one report, and from other values, units and days', () => {
    const other = [
      row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      row('2024-01-01', '5.2', 'mmol/L', { document_id: 2 }),
      row('2024-01-02', '5.1', 'mmol/L', { document_id: 3 }),
      row('2024-01-01', '5.1', 'mg/dL', { document_id: 4 }),
      row('2024-01-01', '<5.1', 'mmol/L', { document_id: 5 }),
    ];
    expect(shown(other).every(([, copies]) => (copies as number[]).length === 0)).toBe(true);
    expect(
      shown([
        ...other.slice(0, 2),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 9 }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 9 }),
      ]),
    ).toEqual([
      [1, [9]],
      [1, [9]],
    ]);
  });

  it('without a date are not merged', () => {
    expect(
      shown([row(null, '5.1', 'mmol/L', { document_id: 1 }), row(null, '5.1', 'mmol/L', { document_id: 2 })]),
    ).toEqual([
      [1, []],
      [2, []],
    ]);
  });

  it('are found without a readable unit, and between a result without a document and a new scan', () => {
    expect(
      shown([
        row('2024-01-01', '5.1', null, { document_id: 1 }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 2 }),
      ]),
    ).toEqual([[2, [1]]]);
    expect(
      shown([
        row('2024-01-01', '5.1', 'mmol/L', { document_id: null }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 2 }),
      ]),
    ).toEqual([[2, [null]]]);
    expect(
      shown([
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 2, edited: true }),
      ]),
    ).toEqual([[2, [1]]]);
  });

  it('with different comparators or words are different results', () => {
    expect(
      shown([
        row('2024-01-01', '<5.1', 'mmol/L', { document_id: 1 }),
        row('2024-01-01', '>5.1', 'mmol/L', { document_id: 2 }),
        row('2024-01-01', 'positiv', null, { document_id: 3 }),
        row('2024-01-01', 'negativ', null, { document_id: 4 }),
      ]).map(([document]) => document),
    ).toEqual([1, 2, 3, 4]);
  });

  it('in words count once, whatever their case and spaces', () => {
    expect(
      shown([
        row('2024-01-01', 'negativ', null, { document_id: 1 }),
        row('2024-01-01', ' Negativ ', null, { document_id: 2 }),
      ]),
    ).toEqual([[1, [2]]]);
  });

  it('without a value are not merged', () => {
    const empty = { value: null };
    expect(
      shown([
        row('2024-01-01', null, null, { document_id: 1 }),
        row('2024-01-01', null, null, { document_id: 2 }),
        row('2024-01-01', ' ', null, { document_id: 3, ...empty }),
        row('2024-01-01', '', null, { document_id: 4, ...empty }),
      ]),
    ).toEqual([
      [1, []],
      [2, []],
      [3, []],
      [4, []],
    ]);
  });

  it('have one unit in different spellings, known or unknown', () => {
    const inUnits = (...units: string[]) =>
      shown(units.map((unit, index) => row('2024-01-01', '250', unit, { document_id: index + 1 })));
    expect(inUnits('G/L', '10^9/L')).toEqual([[1, [2]]]);
    expect(inUnits('Striche', 'striche')).toEqual([[1, [2]]]);
    expect(inUnits('Striche', 'Punkte')).toEqual([
      [1, []],
      [2, []],
    ]);
  });

  it('without a readable unit stay apart if the others have two units', () => {
    expect(
      shown([
        row('2024-01-01', '5.1', null, { document_id: 1 }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 2 }),
        row('2024-01-01', '5.1', 'mg/dL', { document_id: 3 }),
      ]).map(([document]) => document),
    ).toEqual([1, 2, 3]);
  });

  it('leave the second result of a document that the other one does not have', () => {
    const twice = [
      row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      row('2024-01-01', '5.1', 'mmol/L', { document_id: 2 }),
    ];
    expect(shown(twice)).toEqual([
      [1, [2]],
      [1, []],
    ]);
  });

  it('are listed under the edited one, then one with a document, one with a unit, and the oldest', () => {
    const merged = (...all: Partial<ResultRow>[]) =>
      mergeDuplicateResults(all.map((more) => row('2024-01-01', '5.1', 'mmol/L', more))).map(({ row: { id } }) => id);
    expect(merged({ id: 11, document_id: 1 }, { id: 10, document_id: 2 })).toEqual([10]);
    expect(merged({ id: 11, document_id: 1 }, { id: 10, document_id: null })).toEqual([11]);
    expect(merged({ id: 11, document_id: 1 }, { id: 10, document_id: 2, unit: null })).toEqual([11]);
    expect(merged({ id: 11, document_id: 1, unit: null }, { id: 10, document_id: null })).toEqual([11]);
    expect(merged({ id: 11, document_id: null, edited: true }, { id: 10, document_id: 2 })).toEqual([11]);
  });
});
