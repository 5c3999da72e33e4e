import { expect, test } from 'vitest';
import { annotationsOf, isOwnScale, ucumOf, unitText } from './ucum-code.ts';

test.each([
  ['µmol/l', 'umol/L'],
  ['μmol/L', 'umol/L'],
  ['mg/dl', 'mg/dL'],
  ['MG/DL', 'mg/dL'],
  ['mcg/L', 'ug/L'],
  ['g/l', 'g/L'],
  ['pg', 'pg'],
  ['fl', 'fL'],
  ['%', '%'],
  ['Vol.-%', '%'],
  ['‰', '[ppth]'],
  ['G/L', '10*9/L'],
  ['T/l', '10*12/L'],
  ['10^9/L', '10*9/L'],
  ['x10⁹/L', '10*9/L'],
  ['10E9/l', '10*9/L'],
  ['Tsd./µl', '10*3/uL'],
  ['Mio/µL', '10*6/uL'],
  ['K/µL', '10*3/uL'],
  ['/µL', '/uL'],
  ['Zellen/µl', '/uL'],
  ['/nl', '/nL'],
  ['/mm³', '/mm3'],
  ['U/L', 'U/L'],
  ['IU/L', 'U/L'],
  ['UI/l', 'U/L'],
  ['E/l', 'U/L'],
  ['mIU/L', 'mU/L'],
  ['µIU/mL', 'uU/mL'],
  ['mU/l', 'mU/L'],
  ['kIU/L', 'kU/L'],
  ['µkat/l', 'ukat/L'],
  ['kUA/l', 'kU/L'],
  ['mEq/L', 'meq/L'],
  ['mval/l', 'meq/L'],
  ['mosmol/kg', 'mosm/kg'],
  ['mmHg', 'mm[Hg]'],
  ['mm/1h', 'mm/h'],
  ['mm/h', 'mm/h'],
  ['Sek.', 's'],
  ['sec', 's'],
  ['ml/min/1,73m²', 'mL/min/{1.73_m2}'],
  ['mL/min/1.73m2', 'mL/min/{1.73_m2}'],
  ['mL/min/1.73m*2', 'mL/min/{1.73_m2}'],
  ['% of total Hgb', '%'],
  ['mg/24h', 'mg/d'],
  ['mmol/24 h', 'mmol/d'],
  ['mg/d', 'mg/d'],
  ['mg/mmol Krea', 'mg/mmol{creat}'],
  ['mg/g Kreatinin', 'mg/g{creat}'],
  ['mg/g', 'mg/g'],
  ['mmol/mol', 'mmol/mol'],
  ['mmol/mol Hb', 'mmol/mol'],
  ['% (NGSP)', '%'],
  ['INR', '{inr}'],
  ['AU/mL', '{AU}/mL'],
  ['BAU/ml', '{BAU}/mL'],
  ['Kopien/ml', '{copies}/mL'],
  ['mg/L FEU', 'mg/L{FEU}'],
  ['L/L', 'L/L'],
  ['/HPF', '/[HPF]'],
  ['pH', '[pH]'],
])('converts %s to %s', (printed, code) => {
  expect(ucumOf(printed)).toBe(code);
});

test.each([
  'umol/L',
  '10*9/L',
  'mL/min/{1.73_m2}',
  'mm[Hg]',
  'mg/g{creat}',
  '{inr}',
  'mg/L{FEU}',
  '{AU}/mL',
  '{copies}/mL',
  '[pH]',
  '[ppth]',
  '/[HPF]',
  '{index}',
])('leaves the code %s unchanged', (code) => {
  expect(ucumOf(code)).toBe(code);
});

test('maps international units to one code', () => {
  expect(['m[IU]/L', '[IU]/mL', 'k[IU]/L', 'u[IU]/mL'].map(ucumOf)).toEqual(['mU/L', 'U/mL', 'kU/L', 'uU/mL']);
});

test.each(['', ' ', 'positiv', 'siehe oben', 'a/b/c/d', '7 Tage'])('rejects %j', (printed) => {
  expect(ucumOf(printed)).toBeNull();
});

test('recognizes scales and assays that equal only themselves', () => {
  expect([isOwnScale('{inr}'), isOwnScale('[pH]'), isOwnScale('{AU}/mL'), isOwnScale('%')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([
    annotationsOf('{AU}/mL'),
    annotationsOf('mg/L{FEU}'),
    annotationsOf('mg/g{creat}'),
    annotationsOf('mL/min/{1.73_m2}'),
  ]).toEqual(['AU', 'FEU', '', '']);
});

test('formats codes in their usual spelling', () => {
  expect(
    [
      'umol/L',
      '10*9/L',
      'mL/min/{1.73_m2}',
      'mm[Hg]',
      'mg/g{creat}',
      'uU/mL',
      '{inr}',
      'mg/L{FEU}',
      '/uL',
      '[ppth]',
    ].map(unitText),
  ).toEqual(['µmol/L', '10⁹/L', 'mL/min/1.73 m²', 'mmHg', 'mg/g creatinine', 'µU/mL', 'inr', 'mg/L FEU', '/µL', '‰']);
});
