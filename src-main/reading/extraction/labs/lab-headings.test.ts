import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('the heading of a group of results', () => {
  it('states the unit of the rows below it, until the next heading', () => {
    expect(
      read([
        'Examen               Résultat     Référence',
        'Ions (mmol/L)',
        'Sodium               139          136 - 145',
        'Enzymes [U/L, 37 °C]',
        'Lipase               88           < 60',
        'Spezialchemie in g/l',
        'Albumin              41           35 - 52',
        'Autres',
        'INR                  1,1          0,8 - 1,2',
      ]),
    ).toEqual([
      ['Sodium', 139, 'mmol/L', 136, 145, false],
      ['Lipase', 88, 'U/L', null, 60, true],
      ['Albumin', 41, 'g/l', 35, 52, false],
      ['INR', 1.1, null, 0.8, 1.2, false],
    ]);
  });

  it('dates the results of a letter, in four languages', () => {
    const headings = [
      ['Labor bei Austritt (07.02.2024)', '2024-02-07'],
      ['Bilan biologique du 08/02/2024 :', '2024-02-08'],
      ['Esami ematochimici del 09.02.2024', '2024-02-09'],
      ['Blood tests, 10 February 2024', '2024-02-10'],
      ['Laborbefund, gedruckt 11.02.2024', '2024-05-04'],
    ] as const;
    for (const [heading, date] of headings)
      expect([
        heading,
        rowsOf([heading, 'Test        Wert     Einheit    Norm', 'Kalium      4,1      mmol/l     3,5 - 5,1'])[0]
          ?.test_date,
      ]).toEqual([heading, date]);
  });

  it('never dates results by the birth date that it says of the patient', () => {
    const sampled = '2024-05-04';
    const days = [
      ['Laborwerte Ihres Kindes Lio Ammann, geb. 17.05.2019', sampled],
      ['Laborblatt für Ida Ammann, geboren 02.11.1979, weiblich', sampled],
      ['Blood tests (Ida, born 2 November 1979), 5 March 2024', '2024-03-05'],
      ['Analyses du 06.03.2024 : Ida Ammann, née le 02.11.1979', '2024-03-06'],
    ] as const;
    for (const [heading, day] of days) {
      const rows = rowsOf([heading, 'Natrium   139   mmol/L   136 - 145']);
      expect([heading, ...rows.map((row) => row.test_date)]).toEqual([heading, day]);
    }
  });
});

describe('two tables side by side', () => {
  it('are separated by their rows if only the columns of numbers have headings', () => {
    expect(
      read([
        '                 Result       Range                           Result       Range',
        'Sodium           133 mmol/L   136 - 145       Haemoglobin     121 g/L      120 - 160',
        'Potassium        4.4 mmol/L   3.5 - 5.1       Platelets       90 10^9/L    150 - 400',
        'Urea             5.0 mmol/L   2.5 - 7.8       Culture         negative     negative',
      ]).map((row) => [row[0], row[1], row[5]]),
    ).toEqual([
      ['Sodium', 133, true],
      ['Haemoglobin', 121, false],
      ['Potassium', 4.4, false],
      ['Platelets', 90, true],
      ['Urea', 5, false],
      ['Culture', null, false],
    ]);
  });
});

describe('a slip without headings', () => {
  const SLIP = [
    'Glukose            negativ',
    '*Keton             Spuren',
    'pH                 6,0',
    '* Protein          30      mg/dl',
    'Leukozyten         ++',
    'Bilirubin          norm',
  ];

  it('has results in its first lines, too, and pluses are results', () => {
    expect(rowsOf(SLIP).map((row) => [row.test_name_original, row.value_text])).toEqual([
      ['Glukose', 'negativ'],
      ['Keton', 'Spuren'],
      ['pH', '6,0'],
      ['Protein', '30'],
      ['Leukozyten', '++'],
      ['Bilirubin', 'norm'],
    ]);
  });

  it('marks with a star what is out of range, unless all rows have one', () => {
    const abnormal = (lines: string[]) => rowsOf(lines).map((row) => row.is_abnormal);
    expect(abnormal(SLIP)).toEqual([false, true, false, true, false, false]);
    expect(abnormal(['* Natrium: 140 mmol/l', '* Kalium: 4,0 mmol/l'])).toEqual([false, false]);
  });
});

it('reads how a germ answers to antibiotics without a heading for it', () => {
  expect(
    read(['Antibiogramm (MHK, mg/l)', 'Cefuroxim      >16     mg/l     R', 'Gentamicin     1       mg/l     S']).map(
      (row) => [row[0], row[1], row[5]],
    ),
  ).toEqual([
    ['Cefuroxim', 16, true],
    ['Gentamicin', 1, false],
  ]);
});

describe('numbers', () => {
  it('have thousands separated by spaces twice, and by a comma after one', () => {
    expect(
      read([
        'Analyse           Résultats              Valeurs de référence',
        'Hématies          5 230 000 /mm3         4 000 000 - 5 300 000',
        'Leucocytes        11 300 /mm3            4 000 - 10 000',
      ]).map((row) => row.slice(1, 6)),
    ).toEqual([
      [5230000, '/mm3', 4000000, 5300000, false],
      [11300, '/mm3', 4000, 10000, true],
    ]);
    expect(
      read([
        'Test              Result     Units      Reference',
        'Microalbumin      1,310      mg/L       <30',
        'Glucose           98.2       mg/dL      70.0-99.0',
        'Sodium            139.5      mmol/L     134.0-144.0',
      ]).map((row) => row[1]),
    ).toEqual([1310, 98.2, 139.5]);
  });

  it('of cells in percent and per liter are two results, each with its own range', () => {
    expect(read(['Lymphozyten     18,4 %     0,82 G/l     (1,0 - 4,0)'])).toEqual([
      ['Lymphozyten', 18.4, '%', null, null, false],
      ['Lymphozyten', 0.82, 'G/l', 1, 4, true],
    ]);
  });

  it('are out of range where none of it is expected', () => {
    expect(
      read(['Test           Wert      Einheit    Soll', 'Erythrozyten   250       /µl        negativ'])[0]?.[5],
    ).toBe(true);
  });

  it('have flags of one letter beside their unit, targets with a word, and seconds', () => {
    expect(
      read([
        'EGFR AFR. AMERICAN     46 L      > OR = 60 mL/min/1.73m2',
        'LDL-Cholesterin        131       mg/dl     Zielwert < 70',
        'aPTT 31 s (26-37)',
      ]),
    ).toEqual([
      ['EGFR AFR. AMERICAN', 46, 'mL/min/1.73m2', 60, null, true],
      ['LDL-Cholesterin', 131, 'mg/dl', null, 70, true],
      ['aPTT', 31, 's', 26, 37, false],
    ]);
  });
});

it('does not read the heading of a text as a test', () => {
  expect(
    read([
      'ALAT                30     U/L     < 45',
      'Interprétation      profil banal. Absence',
      'Befund              unauffällig',
    ]),
  ).toHaveLength(1);
});

it('has the unit of each table in the heading of its results', () =>
  expect(
    read([
      'Lipide              Wert (mg/dl)       Normbereich',
      'Cholesterin         243 ↑              < 200',
      'HDL-Cholesterin     38 ↓               > 40',
      'Elektrolyte         Wert (mmol/l)      Normbereich',
      'Natrium             139                135 - 145',
    ]),
  ).toEqual([
    ['Cholesterin', 243, 'mg/dl', null, 200, true],
    ['HDL-Cholesterin', 38, 'mg/dl', 40, null, true],
    ['Natrium', 139, 'mmol/l', 135, 145, false],
  ]));

it.each(['Résultats d’analyses', 'Résultats des analyses', 'Résultats analyses', 'Analyses : résultats'])(
  'reads all days of a table below the title "%s"',
  (title) => {
    const rows = rowsOf([
      title,
      'Analyses        Unités      Valeurs usuelles        11/05/2025      02/12/2024',
      'Calcium         mmol/L      (2,20 - 2,60)                 2,31            2,48',
      'Lipase          UI/L        (< 60)                          41              73',
    ]);
    expect(rows.map((row) => [row.test_name_original, row.value, row.test_date])).toEqual([
      ['Calcium', 2.31, '2025-05-11'],
      ['Calcium', 2.48, '2024-12-02'],
      ['Lipase', 41, '2025-05-11'],
      ['Lipase', 73, '2024-12-02'],
    ]);
  },
);

it('takes a group of several words with its unit for the heading of the names', () => {
  expect(
    read([
      'Bilan lipidique (mmol/l)     Résultat        Référence',
      'Cholestérol total            4,9             < 5,0',
      'Cholestérol HDL              0,94    B       > 1,00',
    ]),
  ).toEqual([
    ['Cholestérol total', 4.9, 'mmol/l', null, 5, false],
    ['Cholestérol HDL', 0.94, 'mmol/l', 1, null, true],
  ]);
});

it('reads a limit alone in its column of lower or upper ones', () => {
  expect(
    read([
      'Parametro           Valore     Unità       Rif. da     Rif. a',
      'Emoglobina          139        g/L         117         153',
      'Acido folico        14,2       nmol/L      8,8',
      'HbA1c               5,4        %                       5,7',
    ]).map((row) => row.slice(3, 5)),
  ).toEqual([
    [117, 153],
    [8.8, null],
    [null, 5.7],
  ]);
});

it('reads no aim under a table as a result', () => {
  const rows = read([
    'Analyse            Wert     Einheit    Referenz',
    'LDL-Cholesterin    139  +   mg/dl      < 116',
    'Zielwert LDL bei hohem kardiovaskulärem Risiko < 70 mg/dl.',
  ]);
  expect(rows.map(([name]) => name)).toEqual(['LDL-Cholesterin']);
});

it('knows the volume of cells in cubic micrometers', () => {
  expect(read(['V.G.M.             79,4 µ³        (80,0 à 98,0)'])).toEqual([['V.G.M.', 79.4, 'µ³', 80, 98, true]]);
});
