import { describe, expect, it } from 'vitest';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { candidatesOf, isOtherValue, movePoint } from './result-candidates.ts';

const result = (more: object): LabResult =>
  ({
    value: 13,
    value_text: '13',
    unit: '%',
    reference_range_low: null,
    reference_range_high: 5.7,
    unit_preferred: null,
    doubt: ['readings_differ'],
    evidence: null,
    ...more,
  }) as unknown as LabResult;
const texts = (more: object): string[] =>
  candidatesOf(result(more)).map(({ value_text, unit }) => `${value_text} ${unit ?? '-'}`);
const evidence = (second_reading: string) => ({ page: 1, bbox: [0, 0, 1, 1], confidence: 0.5, second_reading });

describe('the candidates of a doubtful value', () => {
  it('are the first reading, then the second look', () => {
    expect(texts({ evidence: evidence('73') })).toEqual(['13 %', '73 %']);
  });

  it('move the point only if that puts the number into its range', () => {
    const potassium = {
      doubt: ['decimals_differ'],
      unit: 'mmol/L',
      reference_range_low: 3.5,
      reference_range_high: 5.1,
    };
    expect(texts({ ...potassium, value: 42, value_text: '42' })).toEqual(['42 mmol/L', '4.2 mmol/L']);
    expect(texts({ ...potassium, value: 4.2, value_text: '4,2' })).toEqual(['4,2 mmol/L']);
    expect(texts({ ...potassium, value: 0.42, value_text: '0,42' })).toEqual(['0,42 mmol/L', '4,2 mmol/L']);
    expect(
      texts({ ...potassium, value: 42, value_text: '42', reference_range_low: null, reference_range_high: null }),
    ).toEqual(['42 mmol/L']);
    const ferritin = { unit: 'µg/L', reference_range_low: 30, reference_range_high: 300, value: 29, value_text: '29' };
    expect(texts({ ...ferritin, doubt: ['curve_differs'] })).toEqual(['29 µg/L']);
    expect(texts({ ...ferritin, value: 420, value_text: '420' })).toEqual(['420 µg/L']);
  });

  it('begin with the value in the store where the reader put a lost point back, and either can be chosen', () => {
    const repaired = { value: 4.8, value_text: '48', unit: 'mmol/L', evidence: evidence('8') };
    expect(texts(repaired)).toEqual(['4.8 mmol/L', '48 mmol/L', '8 mmol/L']);
    expect(['4.8', '48', '8'].map((text) => isOtherValue(result(repaired), text))).toEqual([true, true, true]);
    expect(isOtherValue(result({}), '13')).toBe(false);
    const words = { value: 1.2, value_text: '24 h: 1.2' };
    expect([texts(words), isOtherValue(result(words), '24 h: 1.2')]).toEqual([['24 h: 1.2 %'], false]);
  });

  it('keep the sign of the value', () => {
    expect(texts({ doubt: ['far_from_range'], value: 30, value_text: '< 30', reference_range_high: 5 })).toEqual([
      '< 30 %',
      '< 3 %',
    ]);
  });

  it('offer the usual unit if the unit is open', () => {
    const open = { doubt: ['unit_missing'], unit: null, unit_preferred: 'g/L', reference_range_high: null };
    expect(texts(open)).toEqual(['13 -', '13 g/L']);
    expect(texts({ ...open, unit_preferred: 'umol/L' })).toEqual(['13 -', '13 µmol/L']);
    expect(texts({ ...open, unit: 'g/L', doubt: ['unit_inferred'] })).toEqual(['13 g/L']);
  });

  it('are none for a result without a value', () => {
    expect(texts({ value: null, value_text: null })).toEqual([]);
  });
});

it('moves a decimal point by places', () => {
  expect([movePoint('122', -1), movePoint('122', -2), movePoint('5', -1), movePoint('5', -2)]).toEqual([
    '12.2',
    '1.22',
    '0.5',
    '0.05',
  ]);
  expect([movePoint('1,25', 1), movePoint('1,25', 2), movePoint('0.42', 1), movePoint('12', 1)]).toEqual([
    '12,5',
    '125',
    '4.2',
    '120',
  ]);
});
