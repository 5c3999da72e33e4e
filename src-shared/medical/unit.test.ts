import { describe, expect, it } from 'vitest';
import { cleanUnit, isUnit, nearestUnit } from './unit.ts';

describe('isUnit', () => {
  it.each([
    'mmol/L',
    'µg/dl',
    '10^9/L',
    'x10E3/uL',
    'G/l',
    '/µl',
    '%',
    'mL/min/1.73m2',
    'mL/min/1.73m*2',
    '10/3/uL',
    '% of total Hgb',
    'mg/mmol',
    'mmol/mol',
    'K/uL',
    'mm/h',
    'kIU/L',
    'ng/mL',
    'U/l',
    'pmoll',
    'mL/min/1,73mq',
    'ml/min/1,73 qm',
    'K/mcL',
    '10^3/mm3',
    '10E3/UL',
    'mln/mmc',
    'migl/µL',
    'Giga/l',
    'kUA/l',
    'mcIU/mL',
    'mm/1. Std.',
    'mg/24 ore',
    'µg FEU/mL',
    'mg/l FEU',
    'CFU/mL',
    'g%',
  ])('recognizes %s', (text) => expect(isUnit(text)).toBe(true));
  it.each(['1.1', '12', 'Kreatinin', 'Hb', 'negativ', 'H', 'Natrium', '3.5-5.1', ''])('rejects %s', (text) =>
    expect(isUnit(text)).toBe(false),
  );
  it('recognizes single letters only in a column of units', () =>
    expect([isUnit('s'), isUnit('s', { inColumn: true })]).toEqual([false, true]));
  it.each(['t', 'B', 'I'])('rejects the letter %s, which OCR reads in rules of a table', (text) =>
    expect(isUnit(text, { inColumn: true })).toBe(false),
  );
});

describe('cleanUnit', () => {
  it.each([
    ['mmol/I', 'mmol/l'],
    ['mg/d1', 'mg/dl'],
    ['UL', 'U/L'],
    ['nmolL', 'nmol/L'],
    ['10”9/L', '10^9/L'],
    ['10%/L', '10^9/L'],
    ['10/3/uL', '10^3/µL'],
    ['x10?/l', 'x10^9/l'],
    ['[µg/L]', 'µg/L'],
    ['|g/L', 'g/L'],
    ['Hg/L', 'µg/L'],
    ['%o', '‰'],
    ['μmol/l', 'µmol/l'],
  ])('repairs %s to %s', (printed, unit) => expect(cleanUnit(printed)).toBe(unit));
  it.each([
    'mmol/l',
    'mg/dl',
    'G/L',
    'U/l',
    'ng/mL',
    'x10E3',
    'x10E6/uL',
    'Index',
    '10E9/L',
    '10³/µL',
    'x10⁹/L',
    'ng/mL (DDU)',
  ])('leaves %s unchanged', (unit) => expect(cleanUnit(unit)).toBe(unit));
});

describe('nearestUnit', () => {
  const distance = (a: string, b: string): number =>
    [...a].filter((letter, i) => letter !== b[i]).length + Math.abs(a.length - b.length);
  it('reads p as µ only if the test has no unit with p', () => {
    expect(nearestUnit('pmol/L', ['µmol/L', 'mg/dL'], distance)).toBe('µmol/L');
    expect(nearestUnit('pmol/L', ['pmol/L', 'ng/dL'], distance)).toBeNull();
  });
  it('does not replace one short unit by another', () => expect(nearestUnit('%', ['s'], distance)).toBeNull());
});
