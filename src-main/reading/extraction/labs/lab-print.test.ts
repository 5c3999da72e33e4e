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

it('belongs to the result above with what a portal says of it, also if the scan lost the range', () => {
  expect(
    read([
      'Glukose nüchtern                 132 mg/dl',
      'Referenz                            erhöht',
      'HbA1c                                7,1 %',
      'Referenz bis 6,5                    erhöht',
      'Kreatinin                        0,9 mg/dl',
      'Referenz bis 1,2            im Normbereich',
    ]),
  ).toEqual([
    ['Glukose nüchtern', 132, 'mg/dl', null, null, true],
    ['HbA1c', 7.1, '%', null, 6.5, true],
    ['Kreatinin', 0.9, 'mg/dl', null, 1.2, false],
  ]);
});

it('takes the sign before a limit for what it says, whatever its column is named', () => {
  expect(
    read([
      'Parameter        Ergebnis       Grenzwert',
      'Anti-HBs         6 IE/l         > 10',
      'Masern-IgG       1850 IU/l      > 200',
      'Blei             90 µg/l        < 70',
    ]).map((row) => row.slice(3)),
  ).toEqual([
    [10, null, true],
    [200, null, false],
    [null, 70, true],
  ]);
});

it('reads neither the footer nor the margin of a page as results', () => {
  const table = [
    'Direttore              Esame            Risultato     U.M.      Valori di riferimento',
    'orario 11-13           Albumina         51,2          g/L       35,0 - 52,0',
    '                       Sodio            139           mmol/L    136 - 145',
  ];
  const blank = Array.from({ length: 40 }, () => '');
  expect(
    read([...table, ...blank, '** Fine **   Informazioni: 01422 555 140 (9-17), laboratorio 9999']).map(
      (row) => row[0],
    ),
  ).toEqual(['Albumina', 'Sodio']);
});

it('has one row for a result that is repeated in another unit beside the method', () => {
  expect(
    read([
      'Examen                  Résultat           Valeurs de référence',
      'Glycémie à jeun         1,02 g/L           0,74 à 1,06',
      'Sérum — automate        soit 5,66 mmol/L',
      'Conclusion              équilibre glycémique amélioré, négatif',
    ]).map(([name, value]) => [name, value]),
  ).toEqual([['Glycémie à jeun', 1.02]]);
});
