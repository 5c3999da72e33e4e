import { describe, expect, it, test } from 'vitest';
import { resultRow } from '../../../test/support/lab-rows.ts';
import { byDate, comparatorOf, flagOf, type ResultRow } from './result-row.ts';

test('reads the comparator in front of a printed number', () => {
  expect(['< 0.3', ' >20', '<=5', '≥ 60', '5.1', '5.1 (<6)', '<LOD', 'negativ', '', null].map(comparatorOf)).toEqual([
    '<',
    '>',
    '≤',
    '≥',
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

describe('the flag of a result', () => {
  const flag = (printed: string | null, more: Partial<ResultRow> = {}) =>
    flagOf(
      resultRow('2024-01-01', printed, 'mmol/L', { reference_range_low: 3.9, reference_range_high: 5.6, ...more }),
    );

  it('is the side of the range on which the value is', () => {
    expect(['3.8', '3.9', '5.6', '5.7'].map((printed) => flag(printed))).toEqual(['low', null, null, 'high']);
    expect(flag('3', { reference_range_high: null })).toBe('low');
    expect(flag('9', { reference_range_low: null })).toBe('high');
  });

  it('of an open value is set if the whole range of the value is outside', () => {
    expect(['<3.9', '<4', '>5.6', '≥5.6', '>5'].map((printed) => flag(printed))).toEqual([
      'low',
      null,
      'high',
      'high',
      null,
    ]);
  });

  it('is absent for a text without a mark, and "abnormal" with one', () => {
    expect([flag('trüb'), flag(null), flag('trüb', { is_abnormal: true }), flag('5', { is_abnormal: true })]).toEqual([
      null,
      null,
      'abnormal',
      'abnormal',
    ]);
  });

  it('is absent if the laboratory or a user marked the value as normal', () => {
    expect(flag('9', { is_abnormal: false })).toBeNull();
  });
});

test('orders results oldest first, those of one day by age, those without a date last', () => {
  const days: [number, string | null][] = [
    [1, null],
    [5, '2024-02-01'],
    [4, '2024-01-01'],
    [6, null],
    [3, '2024-02-01'],
    [2, '2025-01-01'],
  ];
  const ordered = (rows: typeof days) =>
    rows
      .map(([id, date]) => ({ id, date }))
      .sort(byDate)
      .map(({ id }) => id);
  expect(ordered(days)).toEqual([4, 3, 5, 2, 1, 6]);
  expect(ordered(days.toReversed())).toEqual([4, 3, 5, 2, 1, 6]);
  expect(byDate({ id: 1, date: '2024-01-01' }, { id: 2, date: null })).toBeLessThan(0);
  expect(byDate({ id: 1, date: null }, { id: 2, date: '2024-01-01' })).toBeGreaterThan(0);
});
