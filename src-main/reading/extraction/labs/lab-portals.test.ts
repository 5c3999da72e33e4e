import { describe, expect, it } from 'vitest';
import { cleanUnit, isUnit } from '../../../../src-shared/medical/unit.ts';
import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { readPrinted } from '../../../../test/support/printed-document.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { read, rowsOfPage } from '../../../../test/support/printed-labs.ts';

const rows = (lines: readonly string[]) =>
  readPrinted(lines).lab_results.map((row) => [
    row.test_name_original,
    row.value ?? row.value_text,
    row.unit,
    row.reference_range_low,
    row.reference_range_high,
    row.is_abnormal,
  ]);

describe('results of a patient portal', () => {
  it('may have the flag beside the value, and the word "normal" before the range', () => {
    expect(
      rows([
        'HbA1c',
        '                              58 mmol/mol      HIGH',
        'normal 20 - 42 mmol/mol',
        'Urine albumin/creatinine ratio',
        '                              2.6 mg/mmol      ok',
        'normal under 3.0 mg/mmol',
      ]),
    ).toEqual([
      ['HbA1c', 58, 'mmol/mol', 20, 42, true],
      ['Urine albumin/creatinine ratio', 2.6, 'mg/mmol', null, 3, false],
    ]);
  });

  it('are below their names, with a flag beside the name and labels without a colon', () => {
    expect(
      rows([
        'Results from Oct 15, 2025',
        'Hemoglobin A1C                    Abnormal',
        'Your value 6.2 %',
        'Normal range: 4.0 - 5.6 %',
        'Vitamin B12',
        'Your value 1,102 pg/mL',
        'Normal range: 232 - 1,245 pg/mL',
        'HIV Ag/Ab screen',
        'Your value Nonreactive',
        'Normal range: Nonreactive',
        'ANA titer                    Abnormal',
        'Your value 1:160',
        'Normal range: negative',
      ]),
    ).toEqual([
      ['Hemoglobin A1C', 6.2, '%', 4, 5.6, true],
      ['Vitamin B12', 1102, 'pg/mL', 232, 1245, false],
      ['HIV Ag/Ab screen', 'Nonreactive', null, null, null, false],
      ['ANA titer', '1:160', null, null, null, true],
    ]);
  });
});

describe('cards below each other', () => {
  it('have the range below the name, and the unit below the value', () =>
    expect(
      read([
        'HbA1c                                  39',
        'Expected: 20 – 41                      mmol/mol',
        'Total cholesterol                      5.7',
        'Expected: below 5.0                    mmol/L',
        '                                       High',
        'ALT                                    19',
        'Expected: 7 – 35                       U/L',
      ]),
    ).toEqual([
      ['HbA1c', 39, 'mmol/mol', 20, 41, false],
      ['Total cholesterol', 5.7, 'mmol/L', null, 5, true],
      ['ALT', 19, 'U/L', 7, 35, false],
    ]));

  it('have their unit once, also if the range below repeats it', () =>
    expect(
      read([
        'Test                                   Ergebnis',
        'IgE gesamt                             412 kU/l',
        'Norm < 60 kU/l                         erhöht',
        'Hausstaubmilbe (d1)                    < 0,1 kU/l',
        'Norm < 0,35 kU/l                       normal',
      ]),
    ).toEqual([
      ['IgE gesamt', 412, 'kU/l', null, 60, true],
      ['Hausstaubmilbe (d1)', 0.1, 'kU/l', null, 0.35, false],
    ]));
});

describe('results without labels', () => {
  it('are on cards that say in a sentence what they should be', () =>
    expect(
      rows([
        'Sample taken 28 May 2026',
        'Total cholesterol                Above',
        '                                 range',
        '5.9 mmol/L',
        'Should be below 5.0',
        'HDL cholesterol                  In range',
        '1.7 mmol/L',
        'Should be above 1.2',
        'Triglycerides',
        '                                 In range',
        '1.1 mmol/L',
        'Should be below 1.7',
      ]),
    ).toEqual([
      ['Total cholesterol', 5.9, 'mmol/L', null, 5, true],
      ['HDL cholesterol', 1.7, 'mmol/L', 1.2, null, false],
      ['Triglycerides', 1.1, 'mmol/L', null, 1.7, false],
    ]));

  it('are between their name and the label of their range', () =>
    expect(
      rows([
        'Collected February 3, 2026 8:15 AM',
        'Hemoglobin A1c                    Above range',
        '6.1 %',
        'standard range: 4.0 to 5.6 %',
        'Total cholesterol',
        '187 mg/dL',
        'standard range: less than 200 mg/dL',
      ]),
    ).toEqual([
      ['Hemoglobin A1c', 6.1, '%', 4, 5.6, true],
      ['Total cholesterol', 187, 'mg/dL', null, 200, false],
    ]));
});

describe('results in a table', () => {
  it('are rows, though their method has a word of a heading', () =>
    expect(
      rows([
        'Untersuchung          Ergebnis     Einheit     Referenzbereich     Methode',
        'Glukose nüchtern      117          mg/dl       70 – 99             Hexokinase',
        'Harnstoff             38           mg/dl       17 – 48             UV-Test',
        'Kreatinin             1,08         mg/dl       0,67 —- 1,17        enzymatisch',
      ]).map((row) => row.slice(0, 5)),
    ).toEqual([
      ['Glukose nüchtern', 117, 'mg/dl', 70, 99],
      ['Harnstoff', 38, 'mg/dl', 17, 48],
      ['Kreatinin', 1.08, 'mg/dl', 0.67, 1.17],
    ]));

  it('have a letter before their name where the number is outside its range on that side', () =>
    expect(
      rows([
        'H WBC          13.9          10^3/µl          4.5-11.0',
        'L LYM%         17.4          %                20.0-50.0',
        'HGB            13.8          g/dl             12.5-16.0',
      ]).map(([name, , , , , isAbnormal]) => [name, isAbnormal]),
    ).toEqual([
      ['WBC', true],
      ['LYM%', true],
      ['HGB', false],
    ]));

  it('are abnormal where they differ from the expected word', () =>
    expect(
      rows([
        'Untersuchung          Ergebnis          Erwartet',
        'Salmonellen          kein Nachweis          kein Nachweis',
        'Campylobacter          Nachweis          kein Nachweis',
      ]).map((row) => [row[0], row[5]]),
    ).toEqual([
      ['Salmonellen', false],
      ['Campylobacter', true],
    ]));

  it('keep their unit beside a flag in brackets', () =>
    expect(
      rows([
        'Dosaggio          Esito          u.m.          Valori attesi',
        'Ferritina          9 (B)          ng/mL          da 13 a 150',
        'Prolattina          31,6 (A)          ng/mL          da 4,8 a 23,3',
      ]),
    ).toEqual([
      ['Ferritina', 9, 'ng/mL', 13, 150, true],
      ['Prolattina', 31.6, 'ng/mL', 4.8, 23.3, true],
    ]));

  it('include bicarbonate, which is not a bank code', () =>
    expect(
      rows([
        'Norme          Analyse          Unité          Résultat',
        '22.0-26.0          Bicarbonate          mmol/l          16.2',
        '<2.0          Lactate          mmol/l          1.4',
      ]).map(([name]) => name),
    ).toEqual(['Bicarbonate', 'Lactate']));

  it('are neither remarks nor doses', () =>
    expect(
      rows([
        'Natrium          138          mmol/l          135 - 145',
        'Hinweis: primärer          +',
        'Vitamine D3 100 000 UI, 1 ampoule par trimestre',
      ]).map(([name]) => name),
    ).toEqual(['Natrium']));

  it('of antibodies against pollen are not doubted, however far above their limit', () =>
    expect(
      readPrinted([
        'Entnahme: 03.04.2025',
        'Allergen          Ergebnis          Einheit          Grenze',
        'Birke          14,2          kU/l          < 0,35',
        'Hasel          8,90          kU/l          < 0,35',
      ]).lab_results.map(({ doubt }) => doubt),
    ).toEqual([[], []]));
});

describe('damaged units', () => {
  it.each([
    ['Ho/L', 'µg/L'],
    ['Hg/g', 'µg/g'],
    ['mUmin', 'mL/min'],
    ['x10%9/L', 'x10^9/L'],
    ['1079/L', '10^9/L'],
  ])('%s is %s', (printed, unit) => {
    expect(isUnit(printed, { inColumn: true })).toBe(true);
    expect(cleanUnit(printed)).toBe(unit);
  });
});

describe('a range', () => {
  it('has a comma for thousands where it would decrease otherwise', () => {
    expect(parseReferenceRange('232 - 1,245')).toEqual({ low: 232, high: 1245 });
    expect(parseReferenceRange('0.232 - 1,245')).toEqual({ low: 0.232, high: 1.245 });
  });
});

describe('results of several days', () => {
  it('are below their tests, with the word for the day in the line of the units', () =>
    expect(
      readPrinted([
        '               Leukozyten     Hämoglobin     Thrombozyten',
        'Datum          Gpt/l          mmol/l         Gpt/l',
        '               (3,8-9,8)      (8,6-12,1)     (150-400)',
        '01.05.2023     6,4            8,1            233',
        '12.06.2023     2,9            7,6            144',
      ]).lab_results.map((row) => [row.test_date, row.test_name_original, row.value, row.reference_range_low]),
    ).toEqual([
      ['2023-05-01', 'Leukozyten', 6.4, 3.8],
      ['2023-05-01', 'Hämoglobin', 8.1, 8.6],
      ['2023-05-01', 'Thrombozyten', 233, 150],
      ['2023-06-12', 'Leukozyten', 2.9, 3.8],
      ['2023-06-12', 'Hämoglobin', 7.6, 8.6],
      ['2023-06-12', 'Thrombozyten', 144, 150],
    ]));

  it('have their range below, beside earlier ones', () =>
    expect(
      rows([
        'Test                   Result     Units     Interpretation     08/2024',
        'Cholesterol, Total     228        mg/dL     High               211',
        'Reference: < 200',
        'HDL Cholesterol        61         mg/dL     Optimal            58',
        'Reference: > 50',
      ]),
    ).toEqual([
      ['Cholesterol, Total', 228, 'mg/dL', null, 200, true],
      ['HDL Cholesterol', 61, 'mg/dL', 50, null, false],
    ]));

  it('are of the day in the heading of their table', () =>
    expect(
      readPrinted([
        'Austrittsbericht',
        'Hospitalisation 17.11.2025 – 21.11.2025',
        'Labor 18.11.2025     Test           Wert     Einheit     Referenz',
        '                     Hämoglobin     88       g/l         117–153',
        '                     Leukozyten     13.1     G/l         3.5–10.0',
      ]).lab_results.map(({ test_date }) => test_date),
    ).toEqual(['2025-11-18', '2025-11-18']));
});

describe('what is not a result', () => {
  it('is a row of a plan below a table of results', () =>
    expect(
      rows([
        'Labor',
        '               Wert        Einheit     Norm',
        'Leukozyten     13,9        /nl         4,0-9,0',
        'Kreatinin      1,31        mg/dl       0,5-0,9',
        'Wirkstoff      Stärke      mo          mi         ab',
        'L-Thyroxin     75 µg       1           0          0',
        'Magnesium      20 mmol/l   1           0          0',
      ]).map(([name]) => name),
    ).toEqual(['Leukozyten', 'Kreatinin']));

  it('is a pressure, except that of a gas', () =>
    expect(rows(['pO2 61,0 mmHg (75,0 bis 100,0)', 'Blutsperre 250 mmHg (200 bis 300)']).map(([name]) => name)).toEqual(
      ['pO2'],
    ));
});

describe('cards of an app', () => {
  it('have a remark beside the name and a label of one word before the range', () =>
    expect(
      read([
        'Vitamin B12                    im Bereich',
        '412 pmol/l',
        'Referenz 145-569',
        'Vitamin D                      zu tief',
        '38 nmol/l',
        'Referenz 50-150',
      ]),
    ).toEqual([
      ['Vitamin B12', 412, 'pmol/l', 145, 569, false],
      ['Vitamin D', 38, 'nmol/l', 50, 150, true],
    ]));

  it('have a remark behind the unit, and words without a range below other cards', () =>
    expect(
      read([
        'Haemoglobin concentration',
        '151 g/L',
        'Normal range: 130 to 170',
        'Platelet count',
        '131 10*9/L Outside range',
        'Normal range: 150 to 410',
        'Mean cell volume',
        '89.2 fL',
        'Normal range: 80.0 to 100.0',
        'Monospot test',
        'Negative',
      ]).map(([name, value, , , , isAbnormal]) => [name, value, isAbnormal]),
    ).toEqual([
      ['Haemoglobin concentration', 151, false],
      ['Platelet count', 131, true],
      ['Mean cell volume', 89.2, false],
      ['Monospot test', null, false],
    ]));
});

it('reads a bound in words below its result', () =>
  expect(
    read([
      'GFR (CKD-EPI): 91 ml/min',
      'Normal: ab 90',
      'Gamma-GT: 31 U/l',
      'Normal: bis 40',
      'Calcium: 2,31 mmol/l',
      'Normal: 2,15 bis 2,55',
    ]),
  ).toEqual([
    ['GFR (CKD-EPI)', 91, 'ml/min', 90, null, false],
    ['Gamma-GT', 31, 'U/l', null, 40, false],
    ['Calcium', 2.31, 'mmol/l', 2.15, 2.55, false],
  ]));

it('reads a unit below the name of its test', () =>
  expect(
    read([
      'Test                    19 Jan 2026        Goal',
      'Creatinine              118                50-98',
      'µmol/L',
      'Potassium               4.6                3.5-5.3',
      'mmol/L',
      'INR                     1.1                0.9-1.2',
    ]),
  ).toEqual([
    ['Creatinine', 118, 'µmol/L', 50, 98, true],
    ['Potassium', 4.6, 'mmol/L', 3.5, 5.3, false],
    ['INR', 1.1, null, 0.9, 1.2, false],
  ]));

it('has a flag behind the range, and a bar between value and range that a scan shows as letters', () => {
  const page = printedPage([
    'Creatinine',
    '118 µmol/L',
    'ED',
    'Normal range: 64 to 104 Above range',
    'Potassium',
    '4.4 mmol/L',
    'J',
    'Normal range: 3.5 to 5.3      Normal',
  ]);
  const words = page.words.map((word) =>
    word.text === 'ED' || word.text === 'J' ? { ...word, w: 0.54, confidence: 0.2 } : { ...word, h: 0.014 },
  );
  expect(
    rowsOfPage({ ...page, source: 'ocr', words }).map((row) => [
      row.test_name_original,
      row.value,
      row.reference_range_low,
      row.reference_range_high,
      row.is_abnormal,
    ]),
  ).toEqual([
    ['Creatinine', 118, 64, 104, true],
    ['Potassium', 4.4, 3.5, 5.3, false],
  ]);
});
