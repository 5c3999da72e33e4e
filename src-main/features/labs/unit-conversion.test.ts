import { describe, expect, it, test } from 'vitest';
import { createUnitConversion, type Substance } from './unit-conversion.ts';

const convert = createUnitConversion();
const of = (molarMass: number | null, more: Partial<Substance> = {}): Substance => ({
  molarMass,
  charge: null,
  rules: [],
  ...more,
});
/** HbA1c: IFCC mmol/mol = 10.93 × NGSP % − 23.5 (Weykamp et al. 2008, master equation). */
const HBA1C = of(null, { rules: [{ from: '%', to: 'mmol/mol', factor: 10.93, offset: -23.5 }] });
const value = (printed: number, from: string, to: string, substance: Substance | null = null): number | string => {
  const answer = convert(from, to, substance);
  return typeof answer === 'string' ? answer : Number((printed * answer.factor + answer.offset).toPrecision(4));
};

// Published pairs: SI conversion factors of the AMA Manual of Style.
test.each([
  ['glucose', 90, 'mg/dl', 'mmol/L', 180.16, 4.996],
  ['creatinine', 88.4, 'µmol/l', 'mg/dL', 113.12, 1],
  ['cholesterol', 5.2, 'mmol/L', 'mg/dL', 386.65, 201.1],
  ['triglycerides', 150, 'mg/dL', 'mmol/l', 885.4, 1.694],
  ['calcium', 10, 'mg/dL', 'mmol/L', 40.08, 2.495],
  ['urea', 6, 'mmol/L', 'mg/dL', 60.06, 36.04],
  ['uric acid', 357, 'µmol/L', 'mg/dL', 168.11, 6.002],
  ['bilirubin', 1, 'mg/dL', 'µmol/L', 584.66, 17.1],
  ['iron', 100, 'µg/dL', 'µmol/L', 55.845, 17.91],
  ['vitamin D', 30, 'ng/mL', 'nmol/L', 400.64, 74.88],
  ['B12', 300, 'pg/mL', 'pmol/L', 1355.37, 221.3],
])('%s: %d %s', (_name, printed, from, to, molarMass, expected) => {
  expect(value(printed, from, to, of(molarMass))).toBe(expected);
});

test.each([
  ['ng/mL', 'µg/L', 1],
  ['g/dL', 'g/L', 10],
  ['Tsd/µl', 'G/L', 1],
  ['/µL', 'G/L', 0.001],
  ['10^12/L', 'Mio/µL', 1],
  ['L/L', '%', 100],
  ['%', '‰', 10],
  ['µkat/L', 'U/L', 60],
  ['mIU/L', 'µU/mL', 1],
  ['mg/24h', 'g/d', 0.001],
  ['kPa', 'mmHg', 7.501],
  ['pg/mL', 'ng/L', 1],
])('one %s is so many %s', (from, to, expected) => {
  expect(value(1, from, to)).toBe(expected);
});

describe('conversions that dimensions alone would get wrong', () => {
  it('converts HbA1c between per cent and mmol/mol by its own formula', () => {
    expect(value(6.5, '%', 'mmol/mol')).toBe('other_quantity');
    expect(value(7, '%', 'mmol/mol', HBA1C)).toBe(53.01);
    expect(value(48, 'mmol/mol', '%', HBA1C)).toBe(6.542);
  });
  it('refuses molecules for cells, Quick for INR, and units of assays', () => {
    for (const [from, to] of [
      ['µmol/L', '/µL'],
      ['%', 'INR'],
      ['AU/mL', 'BAU/mL'],
      ['mg/L', 'mg/L FEU'],
      ['AU/mL', 'U/mL'],
      ['pH', '%'],
      ['mg/d', 'mg/L'],
      ['Kopien/mL', '/mL'],
    ] as const)
      expect(value(1, from, to), `${from} ${to}`).toBe('other_quantity');
    expect(value(1000, 'AU/L', 'AU/mL')).toBe(1);
  });
  it('converts a ratio to creatinine by the molar mass of creatinine', () => {
    expect(value(30, 'mg/g Krea', 'mg/mmol Krea', of(66_000))).toBe(3.394);
    expect(value(3, 'mg/mmol', 'mg/g', of(66_000))).toBe(26.52);
    expect(value(1, 'mg/mmol', 'g/mol')).toBe(1);
  });
  it('converts equivalents by the charge', () => {
    expect(value(5, 'mEq/L', 'mmol/L', of(40.08, { charge: 2 }))).toBe(2.5);
    expect(value(140, 'mmol/L', 'mval/l', of(22.99, { charge: 1 }))).toBe(140);
  });
});

test('returns the reason if it does not convert', () => {
  expect(convert('mg/dL', 'mmol/L', null)).toBe('needs_molar_mass');
  expect(convert(null, 'mmol/L', null)).toBe('no_unit');
  expect(convert('Striche', 'mmol/L', null)).toBe('unknown_unit');
  expect(convert('Striche', 'striche', null)).toEqual({ factor: 1, offset: 0, by: 'units' });
  expect(convert(null, null, null)).toEqual({ factor: 1, offset: 0, by: 'units' });
  expect(convert('g/L', 's', null)).toBe('other_quantity');
});

test('applies a rule to other units of the same quantity', () => {
  // 1 ng/mL of a hormone of which 1 µg is 26.1 mIU.
  const hormone = of(null, { rules: [{ from: 'ug/L', to: 'm[IU]/L', factor: 26.1, offset: 0 }] });
  expect(value(2, 'ng/mL', 'µIU/mL', hormone)).toBe(52.2);
  expect(value(52.2, 'mU/L', 'ng/mL', hormone)).toBe(2);
});
