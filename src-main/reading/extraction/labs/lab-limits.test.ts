import { describe, expect, it, test } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

/** Name, value, unit and range of each row of a scan. */
const scanned = (...lines: string[]) => read(lines, true).map((row) => row.slice(0, 5));

describe('limits in brackets', () => {
  it('are a range of a scan that lost the sign between them, below or beside the result', () => {
    expect(scanned('Neutrophile     1,7 G/l', '[1,8   7,5]', 'TSH     5,10 mU/l', '[0,27   4,20]')).toEqual([
      ['Neutrophile', 1.7, 'G/l', 1.8, 7.5],
      ['TSH', 5.1, 'mU/l', 0.27, 4.2],
    ]);
    expect(scanned('Glucose     7.1 mmol/L     [3.9 5.6]', 'HbA1c     39 mmol/mol     [20; 41]')).toEqual([
      ['Glucose', 7.1, 'mmol/L', 3.9, 5.6],
      ['HbA1c', 39, 'mmol/mol', 20, 41],
    ]);
  });

  it('may be in the brackets of their label', () =>
    expect(
      scanned('INR', '0,74', '(Referenz: [0,85   1,15])', 'ASAT (GOT)', '43 U/l', '(Referenz: [unter 50])'),
    ).toEqual([
      ['INR', 0.74, null, 0.85, 1.15],
      ['ASAT (GOT)', 43, 'U/l', null, 50],
    ]));
});

test('limits below a bar are a range', () =>
  expect(
    read([
      'Albumin         67 g/l',
      'Min. 35         Max. 52',
      'Kreatinin       1,03 mg/dl',
      'Min. 0,60       Max. 1,20',
    ]).map((row) => row.slice(0, 5)),
  ).toEqual([
    ['Albumin', 67, 'g/l', 35, 52],
    ['Kreatinin', 1.03, 'mg/dl', 0.6, 1.2],
  ]));

test('a number over a labeled range is a result although a scan spoilt it or its unit, and is marked', () => {
  const lines = ['TSH', '0.1 6 mU/L', 'Normal range (0.27-4.20)', 'MCV', '90   £fL', 'Normal range (80-98)'];
  expect(scanned(...lines)).toEqual([
    ['TSH', 0.16, 'mU/L', 0.27, 4.2],
    ['MCV', 90, null, 80, 98],
  ]);
  expect(rowsOf(lines, true)[1]?.doubt).toContain('unit_missing');
});

describe('a table whose columns are tests', () => {
  const day = '24/06/2024     2,96           54,5           5,2';
  const rows = (...lines: string[]) =>
    rowsOf(lines, true).map((row) => [row.value, row.unit, row.reference_range_high]);

  it('has its ranges behind any word', () =>
    expect(
      rows(
        'Date           TSH            Hématocrite    Urée',
        'Unités         mUI/L          %              mmol/L',
        'Usuelles       0,27–4,20      36,0–48,0      2,8–8,1',
        day,
      ),
    ).toEqual([
      [2.96, 'mUI/L', 4.2],
      [54.5, '%', 48],
      [5.2, 'mmol/L', 8.1],
    ]));

  it('may have a unit that a scan spoilt, or a speck between its lines', () =>
    expect(
      rows(
        'Date           TSH            Hématocrite    Urée',
        'i',
        'Unités         mUI/L          %              8q1',
        'Normales       0,27–4,20      36,0–48,0      2,8–8,1',
        day,
      ),
    ).toEqual([
      [2.96, 'mUI/L', 4.2],
      [54.5, '%', 48],
      [5.2, null, 8.1],
    ]));
});

test('a table whose columns are tests has its units and ranges below its days, and doubts those without a range', () => {
  const rows = rowsOf(
    [
      'Datum          Gamma-GT       Ferritin       TSH',
      'a    a    u',
      '13.07.2025     43             72             0,15',
      'a    a',
      '13.10.2025     69             17             2,95',
      'Einheit        U/l            µg/l           mU/l',
      'Ref.           60)            (30 - 300)     (0,27 - 4,20)',
    ],
    true,
  );
  expect(rows.map((row) => [row.value, row.unit, row.reference_range_low, row.doubt])).toEqual([
    [43, 'U/l', null, ['range_missing']],
    [72, 'µg/l', 30, []],
    [0.15, 'mU/l', 0.27, []],
    [69, 'U/l', null, ['range_missing']],
    [17, 'µg/l', 30, []],
    [2.95, 'mU/l', 0.27, []],
  ]);
});

test('leaders may be signs with blanks between them, and an ellipsis the dash of a range', () =>
  expect(
    read([
      'Ferritine _ _ _ _ _ _ _ _ _ _ _ _     368 µg/L     30 … 300',
      'TSH . . . . . . . .     2,3 mU/l     0,27 … 4,20',
    ]),
  ).toEqual([
    ['Ferritine', 368, 'µg/L', 30, 300, true],
    ['TSH', 2.3, 'mU/l', 0.27, 4.2, false],
  ]));

test('rows are read by themselves where a scan lost the heading of their results', () =>
  expect(
    scanned(
      'Analisi                                 Intervallo di riferimento',
      'ALT (GPT)             21 U/L            fino a 41',
      'Sideremia             202 µg/dL         60 - 170',
      'Potassio              3,6 mmol/L        3,5 - 5,1',
    ),
  ).toEqual([
    ['ALT (GPT)', 21, 'U/L', null, 41],
    ['Sideremia', 202, 'µg/dL', 60, 170],
    ['Potassio', 3.6, 'mmol/L', 3.5, 5.1],
  ]));

test('a mark grown together with the percent sign is not part of the result', () =>
  expect(scanned('Saturazione transferrina     55%!     16 - 45')).toEqual([
    ['Saturazione transferrina', 55, '%', 16, 45],
  ]));
