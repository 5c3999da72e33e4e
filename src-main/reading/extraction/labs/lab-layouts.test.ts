import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('columns in any order', () => {
  it('reads the flag before the value', () => {
    expect(
      read([
        'Analyse             Flag   Resultat   Einheit    Referenzbereich',
        'Leukozyten          +      12,4       G/l        3,9 - 10,2',
        'Thrombozyten        -      120        G/l        150 - 400',
        'CRP quantitativ     ++     48,5       mg/l       < 5,0',
      ]),
    ).toEqual([
      ['Leukozyten', 12.4, 'G/l', 3.9, 10.2, true],
      ['Thrombozyten', 120, 'G/l', 150, 400, true],
      ['CRP quantitativ', 48.5, 'mg/l', null, 5, true],
    ]);
  });

  it('reads the range before the value', () => {
    expect(
      read([
        'Untersuchung       Referenz        Einheit      Wert',
        'Kreatinin          45 - 84         µmol/l       90 H',
        'Ferritin           bis 150         µg/l         < 10',
      ]),
    ).toEqual([
      ['Kreatinin', 90, 'µmol/l', 45, 84, true],
      ['Ferritin', 10, 'µg/l', null, 150, false],
    ]);
  });

  it('reads values in and out of range from two columns, and units behind the range', () => {
    expect(
      read([
        'Test Name             In Range     Out Of Range    Reference Range       Lab',
        'GLUCOSE                            112 H           65-99 mg/dL           QA',
        'SODIUM                140                          135-146 mmol/L        QA',
        'eGFR                  98                           > OR = 60 mL/min/1.73m2   QA',
      ]),
    ).toEqual([
      ['GLUCOSE', 112, 'mg/dL', 65, 99, true],
      ['SODIUM', 140, 'mmol/L', 135, 146, false],
      ['eGFR', 98, 'mL/min/1.73m2', 60, null, false],
    ]);
  });

  it('excludes codes, samples and earlier results from name and value', () => {
    const lines = [
      'Code     Material   Analyse         Resultat   Einheit    Referenz    Vorwert',
      '1223     Serum      Natrium         141        mmol/l     136-145     138',
      '1245     Urin       Kreatinin       8.4        mmol/l                 7.9',
    ];
    expect(read(lines)).toEqual([
      ['Natrium', 141, 'mmol/l', 136, 145, false],
      ['Kreatinin', 8.4, 'mmol/l', null, null, false],
    ]);
    expect(rowsOf(lines).map((row) => row.sample_type)).toEqual(['serum', 'urine']);
  });

  it('reads headings that are broken into two lines', () => {
    expect(
      read([
        'Examen              Résultat      Valeurs de         Antériorités',
        '                                  référence          12/01/2024',
        'Hématies            4,85 T/L      4,28 à 6,00        4,90',
      ]),
    ).toEqual([['Hématies', 4.85, 'T/L', 4.28, 6, false]]);
  });
});

describe('results in other places', () => {
  it('reads the value before the name, and a range directly after it', () => {
    expect(
      read([
        'Wert      Einheit   Untersuchung          Norm',
        '165 H     g/l       Hämoglobin            117 - 153',
        '4.6       G/l       Leukozyten            3.5 - 10.0',
      ]),
    ).toEqual([
      ['Hämoglobin', 165, 'g/l', 117, 153, true],
      ['Leukozyten', 4.6, 'G/l', 3.5, 10, false],
    ]);
    expect(
      read(['Valore    Unità    Esame        Norma', '79        mg/dL    Glucosio 70 - 100']).map((row) =>
        row.slice(0, 5),
      ),
    ).toEqual([['Glucosio', 79, 'mg/dL', 70, 100]]);
  });

  it('reads blocks of a portal: the test, below it value and range with labels', () => {
    expect(
      read([
        'Ordered by Dr Ann Lee',
        'HDL CHOLESTEROL',
        'Your value: 38 mg/dL Low',
        'Standard range: > 40 mg/dL',
        'Ferritin',
        'Your value: 80 ng/mL',
        'Standard range: 15 – 150 ng/mL',
      ]),
    ).toEqual([
      ['HDL CHOLESTEROL', 38, 'mg/dL', 40, null, true],
      ['Ferritin', 80, 'ng/mL', 15, 150, false],
    ]);
  });

  it('reads a sentence of results over two lines with the date in its introduction', () => {
    const rows = rowsOf([
      'Labor bei Aufnahme (12.08.2023): Hämoglobin 10,1 g/dl, Leukozyten 11,3 G/l, CRP 104 mg/l,',
      'Kalium 3,4 mmol/l. Übrige Werte im Normbereich.',
    ]);
    expect(rows.map((row) => [row.test_name_original, row.value, row.unit, row.test_date])).toEqual([
      ['Hämoglobin', 10.1, 'g/dl', '2023-08-12'],
      ['Leukozyten', 11.3, 'G/l', '2023-08-12'],
      ['CRP', 104, 'mg/l', '2023-08-12'],
      ['Kalium', 3.4, 'mmol/l', '2023-08-12'],
    ]);
  });

  it('reads a star before the value and bounds in Italian words', () => {
    expect(
      read([
        'ESAME              RISULTATO    U.M.      VALORI DI RIFERIMENTO',
        'S-Trigliceridi     *189         mg/dL     [ Inf. a 150 ]',
        'Colesterolo HDL    42           mg/dL     [ Sup. a 40 ]',
      ]),
    ).toEqual([
      ['S-Trigliceridi', 189, 'mg/dL', null, 150, true],
      ['Colesterolo HDL', 42, 'mg/dL', 40, null, false],
    ]);
  });

  it('reads ranges behind a letter, names with numbers as printed, and INR in a name as no unit', () => {
    expect(
      read([
        'Cortisol 8h :     205 nmol/L     N : 133 à 537',
        'Phosphore :       1,31 mmol/L    N :0,80 à 1,45',
        'Tempo di protrombina (INR)   1,14    0,80 - 1,20',
      ]),
    ).toEqual([
      ['Cortisol 8h', 205, 'nmol/L', 133, 537, false],
      ['Phosphore', 1.31, 'mmol/L', 0.8, 1.45, false],
      ['Tempo di protrombina (INR)', 1.14, null, 0.8, 1.2, false],
    ]);
  });

  it('reads bounds from columns of their own', () => {
    expect(
      read([
        'Test            Einheit    Ergebnis    Untergrenze    Obergrenze',
        'Fibrinogen      g/l        2,0         1,8            3,5',
        'D-Dimere        mg/l       0,7                        0,5',
        'INR                        0,91        0,85           1,15',
      ]),
    ).toEqual([
      ['Fibrinogen', 2, 'g/l', 1.8, 3.5, false],
      ['D-Dimere', 0.7, 'mg/l', null, 0.5, true],
      ['INR', 0.91, null, 0.85, 1.15, false],
    ]);
  });

  it('does not read a date as a result', () => {
    expect(read(['Sodium      141     mmol/L     136-145', 'Verified: 13     2020-09-13'])).toHaveLength(1);
  });

  it('does not read an address as a result', () => {
    expect(
      read(['GLUCOSE      99     65-99 mg/dL', 'PERFORMING SITE: QuestPoint      4230 Burnham Ave, Las Vegas']).length,
    ).toBe(1);
  });
});

describe('cumulative reports', () => {
  it('reads a result from each dated column', () => {
    const rows = rowsOf([
      'Analyse            Einheit    Referenz      04.05.2024    02.02.2024   11.11.2023',
      'Leukozyten         G/l        3.5 - 10.0    6.1           11.4 H       7.0',
      'CRP                mg/l       < 5           3                          8',
    ]);
    expect(rows.map((row) => [row.test_name_original, row.value, row.test_date, row.is_abnormal])).toEqual([
      ['Leukozyten', 6.1, '2024-05-04', false],
      ['Leukozyten', 11.4, '2024-02-02', true],
      ['Leukozyten', 7, '2023-11-11', false],
      ['CRP', 3, '2024-05-04', false],
      ['CRP', 8, '2023-11-11', true],
    ]);
  });

  it('treats all dated columns after the heading as earlier results', () => {
    expect(
      rowsOf([
        'Parameter     Einheit    Normbereich    Befund vom     Vorbefunde',
        '                                        04.05.2024     02.02.2024    11.11.2023',
        'Natrium       mmol/l     136-145        141            138           137',
      ]).map((row) => [row.value, row.test_date]),
    ).toEqual([[141, '2024-05-04']]);
  });

  it('separates a dated column of earlier results', () => {
    const earlier = [
      'Esame             04.05.2024    Riferimento    U.M.        Precedente 02.02.2024',
      'Zinco             15,3          11,0-19,0      µmol/l      17,2',
    ];
    expect(rowsOf(earlier).map((row) => [row.value, row.test_date])).toEqual([[15.3, '2024-05-04']]);
    expect(
      rowsOf([
        'Test        Result    Unit      Reference    02.02.2024',
        'Zinc        15.3      µmol/l    11 - 19      17.2',
      ]).map((row) => row.value),
    ).toEqual([15.3]);
  });
});

describe('without headings', () => {
  it('follows dot leaders to numbers and words, also of unknown tests', () => {
    expect(
      read([
        'Serologie',
        'Zonulin .................. 62 ng/ml   (bis 55)',
        'Yersinien-IgG ............ negativ',
        'Q-Fieber-AK .............. nicht nachweisbar',
      ]),
    ).toEqual([
      ['Zonulin', 62, 'ng/ml', null, 55, true],
      ['Yersinien-IgG', null, null, null, null, false],
      ['Q-Fieber-AK', null, null, null, null, false],
    ]);
  });

  it('compares a word with the one that the laboratory expects', () => {
    expect(
      read(['Urinstatus', 'Nitrit         positiv     negativ', 'Eiweiss        negativ     negativ']).map(
        (row) => row[5],
      ),
    ).toEqual([true, false]);
  });

  it('reads two blocks side by side', () => {
    expect(
      read(['Natrium    141 mmol/l   136-145          Kreatinin    92 µmol/l   45-84']).map((row) => [
        row[0],
        row[1],
        row[5],
      ]),
    ).toEqual([
      ['Natrium', 141, false],
      ['Kreatinin', 92, true],
    ]);
  });

  it('reads several results in running text', () => {
    expect(read(['Labor: CRP 12 mg/l (<5), Hb 13.2 g/dl (12-16), Kreatinin 80 µmol/l (45-84), Na 140 mmol/l'])).toEqual(
      [
        ['CRP', 12, 'mg/l', null, 5, true],
        ['Hb', 13.2, 'g/dl', 12, 16, false],
        ['Kreatinin', 80, 'µmol/l', 45, 84, false],
        ['Na', 140, 'mmol/l', null, null, false],
      ],
    );
  });

  it('reads no results from letterheads, vital signs, prescriptions, bills and prose', () => {
    expect(
      read([
        'Tel. 044 123 45 67   Fax 044 123 45 68',
        'Rechnung Nr. 2024-118      CHF 120.50',
        'Grösse 168 cm   Gewicht 72 kg   BMI 25.5',
        'RR 130/80 mmHg, Puls 72/min, SpO2 98 %',
        'Metformin 500 mg 1-0-1',
        'Voltaren 75 mg retard    1-0-1-0    10 Tage',
        'Seite 1 von 3',
        'IBAN CH93 0076 2011 6238 5295 7',
        'Patient wurde am 12.03.2024 um 14:30 Uhr entlassen',
        'Lungenfunktion: FEV1 2.8 l (85 %)',
        'Die Läsion misst 12 mm (Vorbefund 8 mm)',
      ]),
    ).toEqual([]);
  });
});

describe('units that a row does not print', () => {
  it('are stated over the table, in four languages', () => {
    const statements = [
      'Alle Werte in g/l',
      'All results in g/l',
      'Toutes les valeurs en g/l',
      'Tutti i valori in g/l',
    ];
    for (const statement of statements)
      expect(
        read([statement, 'Analyse            Resultat     Referenz', 'Albumin            41           35 - 52']).map(
          (row) => row[2],
        ),
      ).toEqual(['g/l']);
  });

  it('follow the heading of the results in brackets', () => {
    expect(
      read([
        'Antibiotic           MIC (mg/L)     Interpretation',
        'Cefuroxime           >16            R',
        'Fosfomycin           4              S',
      ]),
    ).toEqual([
      ['Cefuroxime', 16, 'mg/L', null, null, true],
      ['Fosfomycin', 4, 'mg/L', null, null, false],
    ]);
  });

  it('are in one cell with the range', () => {
    expect(read(['Test         Wert     Einheit / Norm', 'Chlorid      104      mmol/l 98 - 107'])).toEqual([
      ['Chlorid', 104, 'mmol/l', 98, 107, false],
    ]);
  });
});

it('reads no results from norms, addresses and comments under a table', () => {
  expect(
    read([
      'Analyse            Resultat     Einheit     Referenz',
      'Albumin            41           g/l         35 - 52',
      'Akkreditiert nach ISO           17025',
      'Labor Nord, Ringweg 4           8400 Winterthur',
    ]).map((row) => row[0]),
  ).toEqual(['Albumin']);
});
