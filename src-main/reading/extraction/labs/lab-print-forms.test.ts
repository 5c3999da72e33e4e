import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

type Row = ReturnType<typeof read>[number];
const normal = (name: string, value: number, unit: string | null, low: number | null, high: number | null): Row => [
  name,
  value,
  unit,
  low,
  high,
  false,
];
const abnormal = (...[name, value, unit, low, high]: Parameters<typeof normal>): Row => [
  name,
  value,
  unit,
  low,
  high,
  true,
];

describe('where laboratories print the reference range', () => {
  it.each<[string, string[], Row[]]>([
    [
      'below each of two results side by side',
      [
        'Bilirubin gesamt       0,6 mg/dl              Kreatinin        0,93 mg/dl',
        'Referenz < 1,2                                Referenz 0,67–1,17',
        'GOT (AST)              58 U/l ↑               Natrium          140 mmol/l',
        'Referenz < 35                                 Referenz 135–145',
      ],
      [
        normal('Bilirubin gesamt', 0.6, 'mg/dl', null, 1.2),
        normal('Kreatinin', 0.93, 'mg/dl', 0.67, 1.17),
        abnormal('GOT (AST)', 58, 'U/l', null, 35),
        normal('Natrium', 140, 'mmol/l', 135, 145),
      ],
    ],
    [
      'below the unit without a word',
      [
        'Test               Result      Units',
        'Sodium             131         mmol/L',
        '                               133 - 146',
        'Potassium          4.4         mmol/L',
        '                               3.5 - 5.3',
      ],
      [abnormal('Sodium', 131, 'mmol/L', 133, 146), normal('Potassium', 4.4, 'mmol/L', 3.5, 5.3)],
    ],
    [
      'below the unit, as its heading says',
      [
        'Test               Result      Units',
        '                               Reference range',
        'Sodium             131         mmol/L',
        '                               133 - 146',
      ],
      [abnormal('Sodium', 131, 'mmol/L', 133, 146)],
    ],
    [
      'in brackets behind the name, with the unit',
      ['Hémoglobine (12,0-15,5 g/dL)             13,1', 'Ferritine (15-150 µg/L)                  8       -'],
      [normal('Hémoglobine', 13.1, 'g/dL', 12, 15.5), abnormal('Ferritine', 8, 'µg/L', 15, 150)],
    ],
    [
      'in brackets as an upper limit without its start',
      ['14.03.2025  Labor  Hb 13,2 g/dl (12,0-16,0); CRP 12,0+ mg/l (-5,0); Kreatinin 0,88 mg/dl (0,50-0,90)'],
      [
        normal('Hb', 13.2, 'g/dl', 12, 16),
        abnormal('CRP', 12, 'mg/l', null, 5),
        normal('Kreatinin', 0.88, 'mg/dl', 0.5, 0.9),
      ],
    ],
    [
      'behind the earlier result',
      [
        'CRP                 12 mg/l    (Vorwert 45)     < 5',
        'Hämoglobin          11,2 g/dl  (Vorwert 10,8)   12,0 - 16,0',
      ],
      [abnormal('CRP', 12, 'mg/l', null, 5), abnormal('Hämoglobin', 11.2, 'g/dl', 12, 16)],
    ],
    [
      'as the target of the patient',
      ['Parameter          Resultat    Einheit     Zielwert', 'LDL-Cholesterin    2.9         mmol/l      < 1.4'],
      [abnormal('LDL-Cholesterin', 2.9, 'mmol/l', null, 1.4)],
    ],
    [
      'in words beside a judgement',
      [
        'Untersuchung          Ergebnis    Einheit    Grenzwert        Bewertung',
        'Hämoglobin            11,6        g/dl       11,0 bis 15,0    normal',
      ],
      [normal('Hämoglobin', 11.6, 'g/dl', 11, 15)],
    ],
  ])('%s', (_, lines, rows) => {
    expect(read(lines)).toEqual(rows);
  });
});

describe('blocks of a portal', () => {
  it('have the range above or below the value, or no words at all', () => {
    expect(
      read([
        'HDL',
        'Normal range: above 40 mg/dL',
        '38 mg/dL Low',
        'Serum folate',
        '6.1 ug/L',
        'Normal range above 3.9 ug/L',
        'Ferritin',
        '9 ug/L',
        '15 - 200 ug/L',
      ]),
    ).toEqual([
      abnormal('HDL', 38, 'mg/dL', 40, null),
      normal('Serum folate', 6.1, 'ug/L', 3.9, null),
      abnormal('Ferritin', 9, 'ug/L', 15, 200),
    ]);
  });

  it('are not findings of an examination', () => {
    expect(read(['Échographie cervicale', 'Indication : recherche de nodule', 'Résultats : thyroïde, 38 mL'])).toEqual(
      [],
    );
    expect(read(['Ramipril', '5 mg'])).toEqual([]);
  });
});

describe('rows', () => {
  it('may be counted at the left, with or without headings', () => {
    const rows = [
      '1   CK        284    U/l      < 190',
      '2   LDH       331    U/l      135-225',
      '3.  Kalium    4.1    mmol/l   3.5-5.1',
    ];
    const results = [
      abnormal('CK', 284, 'U/l', null, 190),
      abnormal('LDH', 331, 'U/l', 135, 225),
      normal('Kalium', 4.1, 'mmol/l', 3.5, 5.1),
    ];
    expect(read(rows)).toEqual(results);
    expect(read(['Nr  Messgrösse   Wert   Einheit   Ref.-Bereich', ...rows])).toEqual(results);
  });

  it('have days as columns below lines with nothing but dates', () => {
    const dated = (lines: string[]) => rowsOf(lines).map((row) => [row.test_name_original, row.value, row.test_date]);
    const results = [
      ['Hb', 104, '2025-03-09'],
      ['Hb', 98, '2025-03-02'],
    ];
    expect(dated(['                 02.03.2025     09.03.2025', 'Hb               98             104'])).toEqual(
      results,
    );
    expect(
      dated([
        'Datum            02.03.2025     09.03.2025     Einheit',
        'Hb               98             104            g/l',
      ]),
    ).toEqual(results);
  });

  it('of a sentence have their ranges in brackets, and their last number may end it', () => {
    expect(read(['Es fand sich ein CRP von 87 mg/l (Norm < 5) und ein Ferritin von 12 µg/l (15-150).'])).toEqual([
      abnormal('CRP', 87, 'mg/l', null, 5),
      abnormal('Ferritin', 12, 'µg/l', 15, 150),
    ]);
    expect(read(['Na 139, K 4.4, Urea 5.1, CRP <1, ALT 24.']).map(([name, value]) => [name, value])).toEqual([
      ['Na', 139],
      ['K', 4.4],
      ['Urea', 5.1],
      ['CRP', 1],
      ['ALT', 24],
    ]);
    expect(read(['TSH 2.1 mU/L (0.3-4.5) and HbA1c 41 mmol/mol.'])).toEqual([
      normal('TSH', 2.1, 'mU/L', 0.3, 4.5),
      normal('HbA1c', 41, 'mmol/mol', null, null),
    ]);
    expect(
      read(['Esami: GB 12.400/mmc, PLT 312.000/mmc, PCR 4,5 mg/dl.']).map(([name, value]) => [name, value]),
    ).toEqual([
      ['GB', 12400],
      ['PLT', 312000],
      ['PCR', 4.5],
    ]);
  });

  it('may be introduced, also within a sentence', () => {
    const values = (lines: string[]) => read(lines).map(([name, value, unit]) => [name, value, unit]);
    expect(values(["All'ingresso: Hb 9,8 g/dl, PCR 14 mg/dl. Alla dimissione: Hb 10,9 g/dl, PCR 1,0 mg/dl."])).toEqual([
      ['Hb', 9.8, 'g/dl'],
      ['PCR', 14, 'mg/dl'],
      ['Hb', 10.9, 'g/dl'],
      ['PCR', 1, 'mg/dl'],
    ]);
    expect(values(['Gli esami mostrano emoglobina 9,8 g/dL, ferritina 6 ng/mL'])).toEqual([
      ['emoglobina', 9.8, 'g/dL'],
      ['ferritina', 6, 'ng/mL'],
    ]);
    expect(values(['Biologie : CRP 88 mg/L ; Na 134 mmol/L ; K 4,2 mmol/L'])).toEqual([
      ['CRP', 88, 'mg/L'],
      ['Na', 134, 'mmol/L'],
      ['K', 4.2, 'mmol/L'],
    ]);
    expect(values(['Hb 10,2 g/dl (↓), MCV 72 fl (↓), CRP 1,2 mg/l'])).toEqual([
      ['Hb', 10.2, 'g/dl'],
      ['MCV', 72, 'fl'],
      ['CRP', 1.2, 'mg/l'],
    ]);
  });

  it('may have dots, a colon or "=" between name and result', () => {
    expect(
      read([
        'Haemoglobin ....: 11.2 g/dL   L   (12.0 - 15.5)',
        'Platelets ......: 312 x10^9/L     (140 - 450)',
        'Vitamin B12 = 210 pg/ml [197-771]',
      ]),
    ).toEqual([
      abnormal('Haemoglobin', 11.2, 'g/dL', 12, 15.5),
      normal('Platelets', 312, 'x10^9/L', 140, 450),
      normal('Vitamin B12', 210, 'pg/ml', 197, 771),
    ]);
  });

  it('of a share and a count have the count under its unit', () => {
    expect(
      read([
        '                     %         G/l        Normalwerte G/l',
        'Neutrophile          62,1      4,21       1,80 - 7,70',
      ]),
    ).toEqual([normal('Neutrophile', 4.21, 'G/l', 1.8, 7.7)]);
  });

  it('have a unit of time in the name, and the Italian flag for low behind the number', () => {
    expect(
      read(['ESR (1 hr)                34      mm/hr     0 - 15', 'Colesterolo HDL           38  B   mg/dL     > 40']),
    ).toEqual([abnormal('ESR (1 hr)', 34, 'mm/hr', 0, 15), abnormal('Colesterolo HDL', 38, 'mg/dL', 40, null)]);
  });

  it('may have the number of the laboratory behind the name', () => {
    expect(read(['Test            Result    Units     Range', 'Ferritin 01     40        ng/mL     15-150'])).toEqual([
      normal('Ferritin', 40, 'ng/mL', 15, 150),
    ]);
  });

  it('follow a heading that says whether they are normal', () => {
    expect(read(['NORMAL RESULTS', 'TSH          1.9 mIU/L       Normal: 0.4-4.0'])).toEqual([
      normal('TSH', 1.9, 'mIU/L', 0.4, 4),
    ]);
  });

  it('of one test may have a day each, beside a dose', () => {
    const lines = ['Datum          INR      Dosis', '03.02.2025     2,4      1/2', '10.02.2025     2,9      1/2'];
    expect(rowsOf(lines).map((row) => [row.test_name_original, row.value, row.test_date])).toEqual([
      ['INR', 2.4, '2025-02-03'],
      ['INR', 2.9, '2025-02-10'],
    ]);
  });

  it.each([
    'Zielwert HbA1c < 7,0 %, LDL < 1,8 mmol/l.',
    'Controllare TSH tra 6 settimane, obiettivo INR 2,0-3,0.',
    'Insulin glargin 12 E zur Nacht, Kalium 20 mmol',
    'Examen direct             nombreux bacilles Gram négatif',
    'Labor                     Norm',
  ])('are not goals, doses or text: %s', (line) => {
    expect(read([line])).toEqual([]);
  });

  it('may have names that only the knowledge base has, before the unit of a result', () => {
    expect(read(['Carboxyhaemoglobin 1.2 %', 'Methotrexat 15 mg']).map(([name]) => name)).toEqual([
      'Carboxyhaemoglobin',
    ]);
  });

  it.each([
    ['a target', 'Empfehlung: Herzsportgruppe, LDL-Ziel unter 55 mg/dl, Kontrolle in 3 Monaten'],
    ['lung function', 'Spirometry today FEV1 1.58 L (67%), FVC 2.71 L. Saturations 96% on air.'],
    ['a count in words', 'Sedimento: alcuni leucociti, rare cellule di sfaldamento.'],
    ['a medicine below a heading', 'Empfohlene Medikation'],
  ])('are not %s', (_, line) => {
    const table = ['Parameter      Wert     Einheit    Norm', 'CRP            3,1      mg/dl      < 0,5'];
    expect(read([line, 'Ergeht an: Dr. Brigitte Sailer, 2630 Ternitz'])).toEqual([]);
    expect(read([...table, line, 'Lovenox        40       mg         0 - 1'])).toHaveLength(
      line === 'Empfohlene Medikation' ? 1 : 2,
    );
  });

  it('are not a comment of a table on its limits', () => {
    const table = [
      'Test              Result     Units     Reference range',
      'HbA1c             5.8        %         4.8 - 5.6',
    ];
    expect(read([...table, 'HbA1c: prediabetes 5.7 - 6.4; diabetes >6.4; goal of adults <7.0'])).toHaveLength(1);
  });
});

describe('words', () => {
  const found = (lines: string[]) => read(lines).map(([name, , , , , isAbnormal]) => [name, isAbnormal]);

  it('that say that something was found are abnormal where nothing else is expected', () => {
    expect(found(['Nitrites            présence', 'Leukozyten          ++', 'Glukose             negativ'])).toEqual([
      ['Nitrites', true],
      ['Leukozyten', true],
      ['Glukose', false],
    ]);
  });

  it('of immunity, blood groups and usual cells are not', () => {
    expect(
      found([
        'Rubella IgG         positive',
        'Anti-HBs            positive',
        'Epithelzellen       vereinzelt',
        'Rhesus              positiv',
      ]),
    ).toEqual([
      ['Rubella IgG', false],
      ['Anti-HBs', false],
      ['Epithelzellen', false],
      ['Rhesus', false],
    ]);
  });
});

describe('a damaged print', () => {
  const TABLE = 'Analyse          Résultat     Unité     Référence';
  it('shows a triangle as a letter, and a digit behind a sign as one', () => {
    expect(read([TABLE, 'Ferritine        8v           µg/l      30 - 200'], true)).toEqual([
      abnormal('Ferritine', 8, 'µg/l', 30, 200),
    ]);
    const [crp] = rowsOf([TABLE, 'CRP              <i           mg/l      < 5'], true);
    expect([crp?.value, crp?.doubt.includes('poor_print')]).toEqual([1, true]);
  });

  it('is doubted where all decimals or the power of ten were lost', () => {
    const doubts = (line: string, scanned: boolean) =>
      rowsOf(['Test            Result    Units     Reference range', line], scanned).flatMap((row) => row.doubt);
    const albumin = 'Albumin         4         g/dL      3.8 - 4.9';
    expect(doubts(albumin, true)).toEqual(['decimals_differ']);
    expect(doubts(albumin, false)).toEqual([]);
    expect(doubts('RBC             4.72      /uL       3.77 - 5.28', true)).toEqual(['unit_missing']);
    expect(doubts('RBC             4.72      T/L       3.77 - 5.28', true)).toEqual([]);
  });

  it('may lose the end of a unit', () => {
    expect(
      read(['Parameter       Wert             Normalwert', 'TRAK            5,8 IU/ !        bis 1,8'], true),
    ).toEqual([abnormal('TRAK', 5.8, 'IU/l', null, 1.8)]);
  });

  it('shows the code of an allergen, which is not a unit', () => {
    expect(read(['Allergen              kU/l      Klasse', 'Hausstaubmilbe (d1)   2,4       2'])).toEqual([
      normal('Hausstaubmilbe (d1)', 2.4, 'kU/l', null, null),
    ]);
  });
});
