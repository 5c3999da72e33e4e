import { describe, expect, it, test } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

/** Name, value, unit, range and day of each result; days only where they differ from that of the sample. */
const datedRows = (lines: readonly string[]) =>
  rowsOf(lines).map((row) => [row.test_name_original, row.value, row.unit, row.test_date, row.is_abnormal]);

describe('results of several days', () => {
  it('have their own columns although their headings are printed close together', () => {
    expect(
      datedRows([
        'Date            18/02/25 20/05/25 Units         Reference',
        'Sodium          138      140      mmol/L        (135-145)',
        'Urea            14.1 H   12.7 H   mmol/L        (3.0-10.0)',
      ]),
    ).toEqual([
      ['Sodium', 140, 'mmol/L', '2025-05-20', false],
      ['Sodium', 138, 'mmol/L', '2025-02-18', false],
      ['Urea', 12.7, 'mmol/L', '2025-05-20', true],
      ['Urea', 14.1, 'mmol/L', '2025-02-18', true],
    ]);
    expect(
      datedRows([
        'Analyse         3 mars 2025 5 mai 2025  Unité      Norme',
        'Créatinine      98          104         µmol/l     62 - 106',
      ]),
    ).toEqual([
      ['Créatinine', 104, 'µmol/l', '2025-05-05', false],
      ['Créatinine', 98, 'µmol/l', '2025-03-03', false],
    ]);
  });

  it('are of the day of their place in the row where signs move them beside its column', () =>
    expect(
      datedRows([
        'Analyse               14.11.2024    21.11.2024  Einheit  Referenz',
        'GOT                         112 *        48 *   U/L      0 - 40',
        'Alk. Phosphatase               98          90   U/L      40 - 129',
        'Bilirubin                     1,9 *       1,0   mg/dL    0,2 - 1,2',
      ]).map(([, value, , day]) => [value, day]),
    ).toEqual([
      [48, '2024-11-21'],
      [112, '2024-11-14'],
      [90, '2024-11-21'],
      [98, '2024-11-14'],
      [1, '2024-11-21'],
      [1.9, '2024-11-14'],
    ]));

  it('are numbers, with the flag before or behind them', () =>
    expect(
      datedRows([
        'Test           20/05/24     18/11/24     19/05/25     Units       Reference',
        'Creatinine     98           104          H 112        umol/L      60-110',
        'Urate          H 0.47       0.44 H       0.36         mmol/L      0.20-0.42',
      ]).map((row) => row.slice(1)),
    ).toEqual([
      [112, 'umol/L', '2025-05-19', true],
      [104, 'umol/L', '2024-11-18', false],
      [98, 'umol/L', '2024-05-20', false],
      [0.36, 'mmol/L', '2025-05-19', false],
      [0.44, 'mmol/L', '2024-11-18', true],
      [0.47, 'mmol/L', '2024-05-20', true],
    ]));

  it('have names under the word for results', () =>
    expect(
      datedRows([
        'Results         11/02/2025        Target     Last visit',
        'HbA1c           61 mmol/mol       < 53       72',
        'Urine ACR       2.1 mg/mmol       < 3.0      2.4',
      ]),
    ).toEqual([
      ['HbA1c', 61, 'mmol/mol', '2025-02-11', true],
      ['Urine ACR', 2.1, 'mg/mmol', '2025-02-11', false],
    ]));
});

describe('cumulative reports', () => {
  it('have their days in another line than the units', () =>
    expect(
      datedRows([
        'Request Number  12345678   22334455   Units     Ref Range',
        'Date            14/02/24   03/03/25',
        'Time            0910       0845',
        'Sodium          138        141        mmol/L    (135-145)',
        'Glucose         5.1        *7.2       mmol/L    (3.0-5.4)',
      ]),
    ).toEqual([
      ['Sodium', 141, 'mmol/L', '2025-03-03', false],
      ['Sodium', 138, 'mmol/L', '2024-02-14', false],
      ['Glucose', 7.2, 'mmol/L', '2025-03-03', true],
      ['Glucose', 5.1, 'mmol/L', '2024-02-14', false],
    ]));

  it('have several columns of the same day', () =>
    expect(
      datedRows([
        '                  12.03.25 06:10   12.03.25 18:40   Einheit',
        'Troponin T hs     18               64               ng/l',
      ]).map(([, value, , date]) => [value, date]),
    ).toEqual([
      [18, '2025-03-12'],
      [64, '2025-03-12'],
    ]));
});

/** Printed rows without headings, and their only result: value, unit and range. */
const ROWS: [line: string, result: [number | null, string | null, number | null, number | null]][] = [
  ['eGFR (CKD-EPI 2021)    58      mL/min/1,73mq    60 - 120', [58, 'mL/min/1,73mq', 60, 120]],
  ['WBC                    7.2 K/mcL                4.0-11.0', [7.2, 'K/mcL', 4, 11]],
  ['Sg-LEUCOCITI           6,41    10^3/mmc         4,00 - 10,00', [6.41, '10^3/mmc', 4, 10]],
  ['Globuli rossi          4,71    mln/mmc          4,20 - 5,40', [4.71, 'mln/mmc', 4.2, 5.4]],
  ['Leukozyten             6,8     10³/µl           4,0 - 10,0', [6.8, '10³/µl', 4, 10]],
  ['Thrombozyten           231     Giga/l           150 - 400', [231, 'Giga/l', 150, 400]],
  ['D-Dimere               0,42    mg/l FEU         < 0,50', [0.42, 'mg/l FEU', null, 0.5]],
  ['Prothrombin Time       13.2    secs             (10.0 - 14.0)', [13.2, 'secs', 10, 14]],
  ['PT-INR                 2,4                      2,0 - 3,0', [2.4, null, 2, 3]],
  ['Magnesium              0,82 mmol/l              0.70 ‑ 1.00', [0.82, 'mmol/l', 0.7, 1]],
  ['CRP-Schnelltest: 34 mg/l', [34, 'mg/l', null, null]],
  ['BZ nüchtern            142 mg/dl', [142, 'mg/dl', null, null]],
  ['LH    12,4   IU/l   Follikelphase 2,4-12,6 / Lutealphase 1,0-11,4', [12.4, 'IU/l', null, null]],
  ['Creatinine             H 112   umol/L           60-110', [112, 'umol/L', 60, 110]],
];
describe('rows without headings', () => {
  test.each(ROWS)('%s', (line, result) => expect(read([line]).map((row) => row.slice(1, 5))).toEqual([result]));
});

/** Rows under headings, and the value, unit and range of the last one. */
const TABLES: [lines: string[], result: [number | null, string | null, number | null, number | null]][] = [
  [
    ['Esame   Esito      U.M.      Intervallo', 'TSH     5,12 (A)   µUI/mL    0,27 - 4,20'],
    [5.12, 'µUI/mL', 0.27, 4.2],
  ],
  [
    ['Esame   Esito      U.M.             Intervallo', 'eGFR    58    B    mL/min/1,73mq    oltre 60'],
    [58, 'mL/min/1,73mq', 60, null],
  ],
  [
    ['Test    Result     Units     Interval', 'TSH     5.12       mU/L      0.27 - 4.20'],
    [5.12, 'mU/L', 0.27, 4.2],
  ],
];
describe('rows under headings', () => {
  test.each(TABLES)('%j', (lines, result) => expect(read(lines).map((row) => row.slice(1, 5))).toEqual([result]));
});

it('restores the units of antibodies against allergens in boxes that OCR reads as letters', () =>
  expect(
    read(
      [
        'Untersuchung       Ergebnis    Einheit        Referenz',
        'Birke (t3)         42,6        t    kU/A      < 0,35',
        'Erdnuss (f13)      < 0,10      kun            < 0,35',
      ],
      true,
    ).map((row) => row.slice(0, 3)),
  ).toEqual([
    ['Birke (t3)', 42.6, 'kU/L'],
    ['Erdnuss (f13)', 0.1, 'kU/L'],
  ]));

it('takes the day from the heading of results in an Italian letter', () =>
  expect(
    datedRows(['Esami del 14/04/2025', 'Creatinina     1,18    mg/dL     (0,50 - 0,90)']).map(([, , , date]) => date),
  ).toEqual(['2025-04-14']));

describe('what is not a result', () => {
  test.each([
    'Creatinine was 1.55 in January.',
    'gedruckt am 06.03.2025 um 10:14 Uhr',
    'Vidierung: Dr. Ann Lee    +',
    'Ph (02) 5550 6110',
  ])('is %s', (line) => {
    const rows = read([
      'Test            Result     Units      Range',
      'Creatinine      1.62       mg/dL      0.57-1.00',
      line,
    ]);
    expect(rows.map(([name]) => name)).toEqual(['Creatinine']);
  });
});

it.each(['(sang veineux)', '(Serum)', '(venous blood)', '(sangue venoso)'])(
  'does not take the material %s below a name for its end',
  (material) =>
    expect(
      rowsOf([
        'Analyse          Résultats     Unités     Valeurs de référence',
        'Hémoglobine      13,1          g/dL       11,5 à 15,0',
        material,
        'Créatinine       8,4           mg/L       5,7 à 11,1',
        material,
      ]).map((row) => row.test_name_original),
    ).toEqual(['Hémoglobine', 'Créatinine']),
);

it('reads a low result of 109 with its flag, the ratio of two substances, and the day in a heading', () => {
  expect(
    rowsOf([
      'Esami (08/03/2026):',
      'Test                               Result     Units       Reference',
      'Haemoglobin estimation             109 L      g/L         (115 - 165)',
      'Urine albumin: creatinine ratio    41.3 H     mg/mmol     (<3.0)',
    ]).map((row) => [row.test_name_original, row.value, row.unit, row.test_date]),
  ).toEqual([
    ['Haemoglobin estimation', 109, 'g/L', '2026-03-08'],
    ['Urine albumin: creatinine ratio', 41.3, 'mg/mmol', '2026-03-08'],
  ]);
});

it('completes days without a year in headings with the year of the newest date of the page', () => {
  const rows = rowsOf([
    'Entlassungsbrief                        Ausdruck 07.01.2026',
    'Parameter       Einheit     Normal      29.12.     31.12.     05.01.',
    'CRP             mg/l        ≤ 5         186        94         8,2',
    'Procalcitonin   µg/l        ≤ 0,5       4,10                  0,21',
  ]);
  expect(rows.map(({ test_name_original: name, test_date: day, value }) => [name, day, value])).toEqual([
    ['CRP', '2026-01-05', 8.2],
    ['CRP', '2025-12-31', 94],
    ['CRP', '2025-12-29', 186],
    ['Procalcitonin', '2026-01-05', 0.21],
    ['Procalcitonin', '2025-12-29', 4.1],
  ]);
});

it('completes days beside an hour or a word, and takes no hour for a year', () => {
  const datesOf = (lines: readonly string[]) => rowsOf(lines).map((row) => [row.value, row.test_date]);
  expect(
    datesOf([
      '                 21.02. 06:00   21.02. 12:00   22.02. 06:00   Ref.',
      'Kalium (mmol/l)  5,4            4,9            4,3            3,5-5,1',
      'Ausdruck 22.02.2025 07:00',
    ]),
  ).toEqual([
    [4.3, '2025-02-22'],
    [5.4, '2025-02-21'],
    [4.9, '2025-02-21'],
  ]);
  expect(
    datesOf([
      'Labor            Eintritt 03.03.   05.03.   Austritt 09.03.   Norm',
      'Natrium mmol/l   129               133      137               136-145',
      'Bericht vom 10.03.2025',
    ]),
  ).toEqual([
    [137, '2025-03-09'],
    [133, '2025-03-05'],
    [129, '2025-03-03'],
  ]);
});
