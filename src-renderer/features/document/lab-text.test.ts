import { describe, expect, it } from 'vitest';
import { flagOf, groupByPanel, labValueText, rangeBar, rangeText } from './lab-text.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('values', () => {
  it('keeps the decimals that were printed', () => {
    expect(labValueText({ value: 4, value_text: '4.0' }, 'en')).toBe('4.0');
    expect(labValueText({ value: 318, value_text: '318' }, 'en')).toBe('318');
  });
  it('writes numbers as the reader does', () => {
    expect(labValueText({ value: 12.9, value_text: '12.9' }, 'de')).toBe('12,9');
    expect(labValueText({ value: 12.9, value_text: '12,9' }, 'en')).toBe('12.9');
  });
  it('keeps comparators and words', () => {
    expect(plain(labValueText({ value: 0.6, value_text: '<0.6' }, 'en'))).toBe('< 0.6');
    expect(plain(labValueText({ value: 90, value_text: '>= 90' }, 'en'))).toBe('≥ 90');
    expect(labValueText({ value: null, value_text: 'negative' }, 'en')).toBe('negative');
    expect(labValueText({ value: 2, value_text: '2 (positive)' }, 'en')).toBe('2 (positive)');
    expect(labValueText({ value: 1.5, value_text: null }, 'en')).toBe('1.5');
  });
});

it('writes ranges with one or two ends, at the same precision', () => {
  expect(rangeText(13.5, 17, 'en')).toBe('13.5–17.0');
  expect(plain(rangeText(null, 5.2, 'en'))).toBe('< 5.2');
  expect(plain(rangeText(1, null, 'de'))).toBe('> 1');
  expect(rangeText(null, null, 'en')).toBe('');
});

describe('flags', () => {
  const row = { value: 24, is_abnormal: true, reference_range_low: 30, reference_range_high: 300 };
  it('says on which side a value lies', () => {
    expect(flagOf(row)).toBe('low');
    expect(flagOf({ ...row, value: 400, is_abnormal: null })).toBe('high');
  });
  it('trusts the reader where there is no side, and when it says normal', () => {
    expect(flagOf({ ...row, value: null })).toBe('abnormal');
    expect(flagOf({ ...row, value: 100 })).toBe('abnormal');
    expect(flagOf({ ...row, is_abnormal: false })).toBeNull();
    expect(flagOf({ ...row, value: 100, is_abnormal: null })).toBeNull();
  });
});

describe('range bars', () => {
  const bar = (value: number | null, low: number | null, high: number | null) => rangeBar({ value, reference_range_low: low, reference_range_high: high });
  it('put the range in the middle and the value where it lies', () => {
    expect(bar(15, 10, 20)).toEqual({ from: 0.25, to: 0.75, at: 0.5 });
    expect(bar(7.5, 10, 20)?.at).toBe(0.125);
  });
  it('keep a value far out at the edge', () => {
    expect(bar(900, 10, 20)?.at).toBe(1);
    expect(bar(-900, 10, 20)?.at).toBe(0);
  });
  it('start or end with a range of one bound', () => {
    expect(bar(3, null, 6)).toMatchObject({ from: 0, at: 1 / 3, to: 2 / 3 });
    expect(bar(60, 60, null)).toMatchObject({ from: 1 / 3, at: 1 / 3, to: 1 });
  });
  it('need numbers to compare', () => {
    expect(bar(null, 10, 20)).toBeNull();
    expect(bar(5, null, null)).toBeNull();
    expect(bar(5, 20, 20)).toBeNull();
    expect(bar(5, null, 0)).toBeNull();
  });
});

it('groups by panel in the order of the page, without a heading for one', () => {
  const rows = [{ id: 1, panel_name: 'CBC' }, { id: 2, panel_name: 'Lipids' }, { id: 3, panel_name: 'CBC' }] as never[];
  expect(groupByPanel(rows).map((group) => [group.panel, group.results.length])).toEqual([['CBC', 2], ['Lipids', 1]]);
  expect(groupByPanel(rows.slice(0, 1))[0]?.panel).toBeNull();
});
