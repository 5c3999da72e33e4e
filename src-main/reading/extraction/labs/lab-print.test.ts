import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('a range below its result', () => {
  it('belongs to it after a label or in brackets', () => {
    expect(
      read([
        'Fibrinogène                4,8 g/L',
        '  Valeurs de référence : 2,0 - 4,0',
        'Colesterolo totale         231 mg/dL',
        '                           (desiderabile < 200)',
        'Leukozyten                 6,3 /nl',
        '  Referenz: 4,0 - 10,0 /nl',
      ]),
    ).toEqual([
      ['Fibrinogène', 4.8, 'g/L', 2, 4, true],
      ['Colesterolo totale', 231, 'mg/dL', null, 200, true],
      ['Leukozyten', 6.3, '/nl', 4, 10, false],
    ]);
  });

  it('is a second one if the table has a column of ranges', () => {
    expect(
      read([
        'Analyse          Resultat      Einheit    Referenz',
        'Estradiol        24            pg/ml      30 - 120',
        '                                          (70 - 250)',
      ]).map((row) => row.slice(3, 6)),
    ).toEqual([[30, 120, true]]);
  });
});

it('compares titers', () => {
  expect(
    rowsOf([
      'Analyse               Resultat      Referenz',
      'ANA-Titer             1:640         < 1:80',
      'ASMA                  1:40          < 1:80',
      'TPHA                  < 1:80        < 1:80',
    ]).map((row) => [row.test_name_original, row.value_text, row.is_abnormal, row.reference_range_high]),
  ).toEqual([
    ['ANA-Titer', '1:640', true, null],
    ['ASMA', '1:40', false, null],
    ['TPHA', '< 1:80', false, null],
  ]);
});

it('reads marks in a column before the names', () => {
  expect(
    read([
      '    Test              Result   Units    Range',
      'H   Glucose           187      mg/dL    70-99',
      'L   Sodium            133      mmol/L   136-145',
      '    Potassium         4.4      mmol/L   3.5-5.1',
    ]).map((row) => [row[0], row[1], row[5]]),
  ).toEqual([
    ['Glucose', 187, true],
    ['Sodium', 133, true],
    ['Potassium', 4.4, false],
  ]);
});

it('reads bounds under von and bis, and results between rules', () => {
  expect(read(['Analyse        Wert   Einheit  von    bis', 'Kalium         5,6    mmol/l   3,5    5,1'])).toEqual([
    ['Kalium', 5.6, 'mmol/l', 3.5, 5.1, true],
  ]);
  expect(read(['pH 7,31 | pCO2 52 mmHg | Laktat 2,9 mmol/l']).map((row) => row.slice(0, 3))).toEqual([
    ['pH', 7.31, null],
    ['pCO2', 52, 'mmHg'],
    ['Laktat', 2.9, 'mmol/l'],
  ]);
});

it('takes the first unit of two', () => {
  expect(
    read([
      'Test          Result    Unit     Result SI   Unit SI',
      'Glucose       98        mg/dL    5.4         mmol/L',
    ])[0]?.slice(0, 3),
  ).toEqual(['Glucose', 98, 'mg/dL']);
});
