import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('names and panels', () => {
  it('joins names that are broken into two lines', () => {
    expect(
      read([
        'Analisi                   Esito      U.M.       Valori di riferimento',
        'Anticorpi anti            18         U/ml       < 34',
        'perossidasi',
        'Proteina C reattiva',
        'ad alta sensibilità       1,2        mg/l       < 3,0',
      ]).map((row) => row[0]),
    ).toEqual(['Anticorpi anti perossidasi', 'Proteina C reattiva ad alta sensibilità']);
  });

  it('says which panel a row belongs to', () => {
    expect(
      rowsOf([
        'Test             Result    Unit     Reference',
        'Iron studies',
        'Ferritin         111       µg/L     15 - 150',
        'Hormones',
        'Prolactin        201       mIU/L    102 - 496',
      ]).map((row) => row.panel_name),
    ).toEqual(['Iron studies', 'Hormones']);
  });

  it('does not take a form field, address or doctor for a panel', () => {
    expect(
      rowsOf(['Labor', 'Zuweiser: Dr. med. Anna Roth', 'Ferritin     111     µg/L     15 - 150']).map(
        (row) => row.panel_name,
      ),
    ).toEqual(['Labor']);
    expect(
      rowsOf(['Dr. med. Anna Roth', 'Ferritin     111     µg/L     15 - 150']).map((row) => row.panel_name),
    ).toEqual([null]);
  });

  it('names a result in another unit after the one above', () => {
    expect(
      read([
        'Examen              Résultat      Unités        Valeurs usuelles',
        'Créatinine          9,2           mg/L          6,7 à 11,7',
        'soit                81            µmol/L        59 à 104',
      ]).map((row) => [row[0], row[2]]),
    ).toEqual([
      ['Créatinine', 'mg/L'],
      ['Créatinine', 'µmol/L'],
    ]);
  });
});

describe('numbers', () => {
  it('reads thousands separated by space, apostrophe, point and comma', () => {
    const head = 'Analyse            Ergebnis       Einheit      Referenzbereich';
    expect(
      read([
        head,
        "Thrombozyten       245'000        /µl          150'000 - 400'000",
        'Leukozyten         6.400          /µl          4.000 - 10.000',
        'Leucocytes         7 450          /mm3         4 000 à 10 000',
        'ANC                1,250          /uL          1,500 - 8,000',
      ]).map((row) => row.slice(1, 5)),
    ).toEqual([
      [245000, '/µl', 150000, 400000],
      [6400, '/µl', 4000, 10000],
      [7450, '/mm3', 4000, 10000],
      [1250, '/uL', 1500, 8000],
    ]);
  });

  it('takes the range of the patient’s sex', () => {
    expect(
      read([
        'Test              Result     Unit      Reference',
        'Haemoglobin       125        g/L       m: 135-175 f: 120-155',
        'Ferritin          20         µg/L      M 30-400 / F 15-150',
      ]),
    ).toEqual([
      ['Haemoglobin', 125, 'g/L', 120, 155, false],
      ['Ferritin', 20, 'µg/L', 15, 150, false],
    ]);
  });

  it('reads marks before and behind the value', () => {
    expect(
      read([
        'Test               Result        Unit       Range',
        'Vitamin D          ↓ 18          ng/mL      30 - 100',
        'Zonulin            62 ↑          ng/ml      < 55',
        'Kalium             5.6*          mmol/l     3.5 - 5.1',
      ]).map((row) => [row[1], row[5]]),
    ).toEqual([
      [18, true],
      [62, true],
      [5.6, true],
    ]);
  });
});

describe('scans', () => {
  const head = 'Test               Result     Unit        Reference range';

  it('repairs damaged units, by the usual unit of the test if the print is ambiguous', () => {
    expect(
      read(
        [
          head,
          'Creatinine         80         pmol/L      62 - 106',
          'Cortisol           400        nmolL       170 - 540',
          'Ferritin           86         Hg/L        15 - 150',
          'Platelets          210        10”9/L      150 - 400',
          'Sodium             140        mmol/I      136 - 145',
        ],
        true,
      ).map((row) => row[2]),
    ).toEqual(['µmol/L', 'nmol/L', 'µg/L', '10^9/L', 'mmol/l']);
  });

  it('restores lost decimal points of value or range with less confidence', () => {
    const rows = rowsOf(
      [
        head,
        'Potassium          58         mmol/L      3.5 - 5.1',
        'Chloride           101        mmol/L      98 - 107',
      ],
      true,
    );
    expect(rows.map((row) => [row.value, row.is_abnormal])).toEqual([
      [5.8, true],
      [101, false],
    ]);
    expect(rows[0]?.confidence).toBeLessThan(0.75);
    expect(read([head, 'Potassium          4.8        mmol/L      35 - 51'], true)[0]?.slice(3, 5)).toEqual([3.5, 5.1]);
    expect(read([head, 'Potassium          58         mmol/L      3.5 - 5.1'])[0]?.[1]).toBe(58);
  });

  it('restores the lost comparator of a bound', () => {
    expect(
      read(
        ['eGFR (CKD-EPI)      102    mL/min/1.73m2    90]', 'Troponin T hs       18     ng/L             14)'],
        true,
      ).map((row) => row.slice(3)),
    ).toEqual([
      [90, null, false],
      [null, 14, true],
    ]);
  });

  it('restores the point of a lower bound and a letter of units', () => {
    expect(
      read(
        [
          head,
          'Potassium          2.5        mmol/L      35-5.3',
          'Leukocytes         4.2        G/          3.5 - 10',
          'Uric acid          310        jumol/L     200 - 420',
          'Platelets          210        Inl         150 - 400',
        ],
        true,
      ).map((row) => row.slice(2, 5)),
    ).toEqual([
      ['mmol/L', 3.5, 5.3],
      ['G/l', 3.5, 10],
      ['µmol/L', 200, 420],
      ['/nl', 150, 400],
    ]);
  });

  it('reads the letters of A1c and immunoglobulins', () => {
    expect(
      read(
        [head, 'Haemoglobin Alc    38         mmol/mol    20 - 41', 'Borrelia I1gG      12         U/ml        < 20'],
        true,
      ).map((row) => row[0]),
    ).toEqual(['Haemoglobin A1c', 'Borrelia IgG']);
  });

  it('reads a colon among digits as the decimal point', () => {
    expect(read([head, 'Fibrinogen         2:1        g/L         1.8 - 3.5'], true)[0]?.[1]).toBe(2.1);
  });
});

describe('bounds of a scan', () => {
  const head = 'Analyse            Ergebnis     Einheit      Referenz';

  it('have the direction of their test when OCR lost the comparator', () => {
    const lines = [
      head,
      'eGFR (CKD-EPI)     71           ml/min       60',
      'Triglyceride       1.42         mmol/l       1.70',
    ];
    expect(read(lines, true).map((row) => row.slice(3, 5))).toEqual([
      [60, null],
      [null, 1.7],
    ]);
    expect(read(lines).map((row) => row.slice(3, 5))).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('have the same decimals', () => {
    const lines = [head, 'Magnesium          0.81         mmol/l       0.65 - 105'];
    expect(read(lines, true)[0]?.slice(3, 5)).toEqual([0.65, 1.05]);
  });
});

it('keeps comparators in whatever way they are printed', () => {
  const signs = ['>/=4.0', '</=4.0', '=>4.5', '≧4.0', '⩽4.0', '＞4.0', '≥ 4.0'];
  const lines = signs.map((sign) => `D-Dimer          ${sign.padEnd(13)}mg/L         < 0.5`);
  expect(
    rowsOf(['Test             Resultat     Einheit      Referenz', ...lines]).map(({ value, value_text }) => [
      value,
      value_text.replace(/[\d. ]/g, ''),
    ]),
  ).toEqual([
    [4, '>='],
    [4, '<='],
    [4.5, '>='],
    [4, '≥'],
    [4, '≤'],
    [4, '>'],
    [4, '≥'],
  ]);
});

it('reads vitamins and hormones that are named by a letter and a number', () => {
  expect(
    read([
      'Test           Result          Range',
      'B12            203 ng/L        180 to 640',
      'T3             1.8 nmol/L      1.2 to 2.7',
    ]),
  ).toEqual([
    ['B12', 203, 'ng/L', 180, 640, false],
    ['T3', 1.8, 'nmol/L', 1.2, 2.7, false],
  ]);
});
