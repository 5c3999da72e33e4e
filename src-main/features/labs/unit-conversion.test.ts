import ucum from '@lhncbc/ucum-lhc';
import { describe, expect, it, test, vi } from 'vitest';
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
])('converts %s from %d %s', (_name, printed, from, to, molarMass, expected) => {
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
])('converts one %s to %s', (from, to, expected) => {
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
    expect(value(0.03, 'g/g Krea', 'mg/mmol Krea')).toBe(3.394);
    expect(value(1, 'nmol/mmol Krea', 'µg/g Krea', of(200))).toBe(1.768);
    expect(convert('mg/g', 'mg/mmol', of(66_000))).toMatchObject({ offset: 0, by: 'substance' });
  });
  it('refuses ratios to creatinine of unlike amounts', () => {
    expect(value(1, 'nmol/mmol Krea', 'µg/g Krea')).toBe('needs_molar_mass');
    expect(value(1, 'mg/g', 'mmol/mol')).toBe('needs_molar_mass');
    expect(value(1, 'U/g Krea', 'mg/mmol Krea', of(200))).toBe('other_quantity');
  });
  it('refuses a mass ratio for a share of the same dimension', () => {
    expect([value(1, 'mg/g', '%'), value(1, '%', 'mg/g'), value(1, 'g/g', '%')]).toEqual([
      'other_quantity',
      'other_quantity',
      100,
    ]);
  });
  it('refuses amounts for units of assays, even with a molar mass', () => {
    expect(value(1, 'mg/L FEU', 'µmol/L', of(340_000))).toBe('other_quantity');
    expect(value(1, 'mg/L FEU', 'g/L FEU')).toBe(0.001);
  });
  it('refuses pH for numbers of anything', () => {
    expect(value(7.4, 'pH', 'Tsd/L')).toBe('other_quantity');
    expect(value(7.4, 'Tsd/L', 'pH')).toBe('other_quantity');
    expect(value(7.4, 'pH', '[pH]')).toBe(7.4);
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
  // For a hormone, 1 µg of which is 26.1 mIU, the value 1 ng/mL.
  const hormone = of(null, { rules: [{ from: 'ug/L', to: 'm[IU]/L', factor: 26.1, offset: 0 }] });
  expect(value(2, 'ng/mL', 'µIU/mL', hormone)).toBe(52.2);
  expect(value(52.2, 'mU/L', 'ng/mL', hormone)).toBe(2);
});
test('converts temperatures with their offset', () => {
  expect([value(37, '°C', '°F'), value(98.6, '°F', '°C')]).toEqual([98.6, 37]);
});

test('says whether a conversion needs the substance', () => {
  expect(convert('mg/dL', 'g/L', of(180))).toEqual({ factor: 0.01, offset: 0, by: 'units' });
  expect(convert('mg/dL', 'mmol/L', of(200))).toEqual({ factor: 0.05, offset: 0, by: 'substance' });
  expect(convert('%', 'mmol/mol', HBA1C)).toEqual({ factor: 10.93, offset: -23.5, by: 'substance' });
});

test('finds no unit in spaces, and unknown units equal without them', () => {
  for (const [from, to] of [
    ['', 'mmol/L'],
    ['mmol/L', ''],
    [' ', 'mmol/L'],
    ['mmol/L', ' '],
  ] as const)
    expect(convert(from, to, null), `${from} ${to}`).toBe('no_unit');
  expect(value(3, ' Striche', 'striche ')).toBe(3);
  expect(value(3, 'Striche', 'Punkte')).toBe('unknown_unit');
});

describe('a rule of a substance', () => {
  it('with an offset converts to multiples of its units', () => {
    expect(value(7, '%', 'µmol/mol', HBA1C)).toBe(53_010);
    expect(value(53_010, 'µmol/mol', '%', HBA1C)).toBe(7);
  });
  it('converts to multiples of its units, not to parts of them', () => {
    const hormone = of(null, { rules: [{ from: 'ug/L', to: 'm[IU]/L', factor: 26.1, offset: 0 }] });
    expect(value(2, 'ng/mL', 'U/L', hormone)).toBe(0.0522);
  });
  it('leaves units of other quantities alone', () => {
    expect(value(7, '%', 'mg/dL', HBA1C)).toBe('other_quantity');
    expect(value(7, 'mg/dL', '%', HBA1C)).toBe('other_quantity');
    expect(value(7, '%', '‰', HBA1C)).toBe(70);
  });
  it('combines with units that have an offset of their own', () => {
    const sensor = of(null, { rules: [{ from: '%', to: 'Cel', factor: 2, offset: 10 }] });
    expect(value(10, '%', '°F', sensor)).toBe(86);
    expect(value(86, '°F', '%', sensor)).toBe(10);
  });
  it('in a unit that is unknown is skipped', () => {
    const rules = [
      { from: 'Striche', to: 'mmol/mol', factor: 2, offset: 0 },
      { from: '%', to: 'Striche', factor: 2, offset: 0 },
    ];
    expect(value(7, '%', 'mmol/mol', of(null, { rules }))).toBe('other_quantity');
    expect(value(7, '%', 'mmol/mol', of(null, { rules: [...rules, ...HBA1C.rules] }))).toBe(53.01);
  });
});

test('asks the UCUM library once for the results of a substance in one unit', () => {
  const convertOften = createUnitConversion();
  const library = vi.spyOn(Object.getPrototypeOf(ucum.UcumLhcUtils.getInstance()), 'convertUnitTo');
  const callsFor = (from: string, to: string, substance: Substance): number => {
    const expected = convert(from, to, substance);
    library.mockClear();
    expect(convertOften(from, to, substance)).toEqual(expected);
    return library.mock.calls.length;
  };
  for (const substance of [of(200), of(100), of(null)]) {
    expect(callsFor('mg/dL', 'mmol/L', substance)).toBeGreaterThan(0);
    expect(callsFor('mg/dL', 'mmol/L', { ...substance })).toBe(0);
  }
  for (const charge of [1, 2]) expect(callsFor('mEq/L', 'mmol/L', of(40, { charge }))).toBeGreaterThan(0);
  expect(callsFor('µmol/mol', '%', HBA1C)).toBeGreaterThan(0);
  expect(callsFor('µmol/mol', '%', HBA1C)).toBe(0);
  library.mockRestore();
});
