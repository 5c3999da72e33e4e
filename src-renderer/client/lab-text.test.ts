import { describe, expect, it } from 'vitest';
import { flagOf, labValueText, rangeText } from './lab-text.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('values', () => {
  it('keeps the decimals that were printed', () => {
    expect(labValueText({ value: 4, value_text: '4.0' }, 'en')).toBe('4.0');
    expect(labValueText({ value: 318, value_text: '318' }, 'en')).toBe('318');
  });
  it('formats numbers in the locale of the user', () => {
    expect(labValueText({ value: 12.9, value_text: '12.9' }, 'de')).toBe('12,9');
    expect(labValueText({ value: 12.9, value_text: '12,9' }, 'en')).toBe('12.9');
  });
  it('keeps comparators and textual results', () => {
    expect(plain(labValueText({ value: 0.6, value_text: '<0.6' }, 'en'))).toBe('< 0.6');
    expect(plain(labValueText({ value: 90, value_text: '>= 90' }, 'en'))).toBe('≥ 90');
    expect(labValueText({ value: null, value_text: 'negative' }, 'en')).toBe('negative');
    expect(labValueText({ value: 2, value_text: '2 (positive)' }, 'en')).toBe('2 (positive)');
    expect(labValueText({ value: 1.5, value_text: null }, 'en')).toBe('1.5');
  });
});

it('formats ranges with one or two bounds at the same precision', () => {
  expect(rangeText({ low: 13.5, high: 17 }, 'en')).toBe('13.5–17.0');
  expect(plain(rangeText({ low: null, high: 5.2 }, 'en'))).toBe('< 5.2');
  expect(plain(rangeText({ low: 1, high: null }, 'de'))).toBe('> 1');
  expect(rangeText({ low: null, high: null }, 'en')).toBe('');
  expect(plain(rangeText({ low: null, high: 5.2, comparator: '≤' }, 'en'))).toBe('≤ 5.2');
  expect(plain(rangeText({ low: 90, high: null, comparator: '≥' }, 'de'))).toBe('≥ 90');
});

describe('flags', () => {
  const row = { value: 24, is_abnormal: true, reference_range_low: 30, reference_range_high: 300 };
  it('tells on which side of the range a value is', () => {
    expect(flagOf(row)).toBe('low');
    expect(flagOf({ ...row, value: 400, is_abnormal: null })).toBe('high');
  });
  it('uses the stored flag without a range, and when it says normal', () => {
    expect(flagOf({ ...row, value: null })).toBe('abnormal');
    expect(flagOf({ ...row, value: 100 })).toBe('abnormal');
    expect(flagOf({ ...row, is_abnormal: false })).toBeNull();
    expect(flagOf({ ...row, value: 100, is_abnormal: null })).toBeNull();
  });
});
