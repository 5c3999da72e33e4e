import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('ranges in several lines of a cell', () => {
  it('are those of both sexes above and below the result, or in its line and the one above', () => {
    expect(
      read([
        'Esame            Risultato    Unità     Valori di riferimento',
        '                                        Donne: 12,0 - 16,0',
        'Emoglobina       11,4 *       g/dL',
        '                                        Uomini: 13,5 - 17,5',
        '',
        '                                        Uomini: 30 - 400',
        'Ferritina        9            ng/mL     Donne: 13 - 150',
        '',
        'Potassio         4,1          mmol/L    3,5 - 5,1',
      ]),
    ).toEqual([
      ['Emoglobina', 11.4, 'g/dL', 12, 16, true],
      ['Ferritina', 9, 'ng/mL', 13, 150, true],
      ['Potassio', 4.1, 'mmol/L', 3.5, 5.1, false],
    ]);
  });

  it('are categories, of which the wanted one is the range', () => {
    expect(
      read([
        'Esame              Risultato    Unità     Valori di riferimento',
        'Glucosio           98           mg/dL     70 - 99',
        '                                          carenza < 20',
        'Vitamina D 25-OH   17,8         ng/mL     insufficienza 20 - 30',
        '                                          sufficienza 30 - 100',
      ]),
    ).toEqual([
      ['Glucosio', 98, 'mg/dL', 70, 99, false],
      ['Vitamina D 25-OH', 17.8, 'ng/mL', 30, 100, true],
    ]);
  });

  it('make a result doubtful where no category is the wanted one', () => {
    const [row] = rowsOf([
      'Analyse            Ergebnis     Einheit   Referenzbereich',
      'Cholesterin LDL    141          mg/dl     mittel 130 - 159',
      '                                          hoch > 160',
    ]);
    expect(row?.doubt).toEqual(['poor_print']);
  });

  it('begin with an age', () => {
    expect(
      read([
        'Esame            Risultato    Unità     Valori di riferimento',
        'VES              24           mm/h      Donne < 50 anni: fino a 20',
      ]),
    ).toEqual([['VES', 24, 'mm/h', null, 20, true]]);
  });
});

describe('a table with shares and amounts', () => {
  it('has two results in each row, with the units of their headings', () => {
    expect(
      read([
        'Esame         %        Rif. %         Valore assoluto   Rif.          U.M.',
        'Neutrofili    71,2     40,0 - 74,0    6,91              1,90 - 8,00   10^3/µL',
        'Linfociti     18,4     19,0 - 48,0    1,78              0,90 - 5,20   10^3/µL',
      ]),
    ).toEqual([
      ['Neutrofili', 71.2, '%', 40, 74, false],
      ['Neutrofili', 6.91, '10^3/µL', 1.9, 8, false],
      ['Linfociti', 18.4, '%', 19, 48, true],
      ['Linfociti', 1.78, '10^3/µL', 0.9, 5.2, false],
    ]);
  });
});

describe('a column to the left of the results', () => {
  const PAGE = [
    'Labor Surtal                  Laborbefund',
    'Via Nova 14                   Zellzahlen (G/l)     Resultat    Referenz',
    '7000 Surtal                   Leukozyten           4,6         3,5 – 10,0',
    'Auftraggeber',
    'Dr. med. G. Derungs           Thrombozyten         219         140 – 400',
    'Praxis Plazza                 Elektrolyte (mmol/l)   Resultat  Referenz',
    '                              Natrium              139         135 – 145',
    'Auftrag',
    'Leitung: Dr. H. Caduff        Magnesium            0,71        0,65 – 1,05',
  ];

  it('does not belong to their names, and the heading of a group has their unit', () => {
    expect(read(PAGE)).toEqual([
      ['Leukozyten', 4.6, 'G/l', 3.5, 10, false],
      ['Thrombozyten', 219, 'G/l', 140, 400, false],
      ['Natrium', 139, 'mmol/l', 135, 145, false],
      ['Magnesium', 0.71, 'mmol/l', 0.65, 1.05, false],
    ]);
  });

  it('holds results of its own in a report with two columns of them', () => {
    expect(
      read([
        'Natrium  139 mmol/l           Leukozyten           4,6 G/l       3,5 – 10,0',
        'Kalium   4,1 mmol/l           Thrombozyten         219 G/l       140 – 400',
        'Chlorid  104 mmol/l           Erythrozyten         4,4 T/l       3,9 – 5,2',
      ]).map(([name]) => name),
    ).toEqual(['Natrium', 'Leukozyten', 'Kalium', 'Thrombozyten', 'Chlorid', 'Erythrozyten']);
  });
});

describe('a name', () => {
  it('includes how long after a drink the sample was taken, and not at which hour', () => {
    expect(
      read([
        'Glicemia basale (ore 8:00)',
        '93 mg/dL   valore atteso: < 92 mg/dL    oltre il limite',
        'Glicemia dopo 60 min (ore 9:00)',
        '171 mg/dL   valore atteso: < 180 mg/dL',
      ]),
    ).toEqual([
      ['Glicemia basale', 93, 'mg/dL', null, 92, true],
      ['Glicemia dopo 60 min', 171, 'mg/dL', null, 180, false],
    ]);
  });

  it('may have an arrow before it', () => {
    expect(
      read(['↓ pH           7,31               [7,350 – 7,450]', '↑ pCO2         58,2    mmHg       [35,0 – 45,0]']),
    ).toEqual([
      ['pH', 7.31, null, 7.35, 7.45, true],
      ['pCO2', 58.2, 'mmHg', 35, 45, true],
    ]);
  });

  it('is not doubted for an abbreviation at its start', () => {
    const [row] = rowsOf(['Parameter          Ergebnis    Referenz', 'Spez. Gewicht      1,018       1,005 - 1,030']);
    expect(row?.doubt).toEqual([]);
  });

  it('keeps no footnote of a scan behind its unit, and none of two same letters', () => {
    expect(
      read(
        [
          'Test                     Result      Reference range',
          'Ferritin (ng/mL) a       14          16 - 232',
          'Bilirubin ttotal (mg/dL)  0.8         0.2 - 1.2',
        ],
        true,
      ).map(([name, value, unit]) => [name, value, unit]),
    ).toEqual([
      ['Ferritin', 14, 'ng/mL'],
      ['Bilirubin total', 0.8, 'mg/dL'],
    ]);
  });
});

describe('a unit', () => {
  it('is stated once for all results, above a table or beside its title', () => {
    expect(
      read([
        'Lipid profile (all results in mmol/L)',
        '                             Result    Desirable',
        'Total cholesterol            6.4       < 5.0',
        'Triglycerides                2.0       < 1.7',
      ]),
    ).toEqual([
      ['Total cholesterol', 6.4, 'mmol/L', null, 5, true],
      ['Triglycerides', 2, 'mmol/L', null, 1.7, true],
    ]);
  });

  it('ends a sentence with a full stop', () => {
    expect(read(['Labor vom 17.03.2025: Lc 5.6 G/l, Kalium 4.9 mmol/l, TSH 2.1 mU/l.']).map((row) => row[2])).toEqual([
      'G/l',
      'mmol/l',
      'mU/l',
    ]);
  });

  it('ends a sentence before the next one', () => {
    expect(
      read(['Blutbild: Leukos 14.200/µl, Thrombos 389.000/µl. CRP 34 mg/l.']).map(([name, value]) => [name, value]),
    ).toEqual([
      ['Leukos', 14200],
      ['Thrombos', 389000],
      ['CRP', 34],
    ]);
  });

  it('of a sedimentation stays "mm" in a scan', () => {
    expect(
      read(
        ['Analyse                            Résultat    Norme', 'Vitesse de sédimentation (1h)      19 mm       < 15'],
        true,
      ),
    ).toEqual([['Vitesse de sédimentation (1h)', 19, 'mm', null, 15, true]]);
  });
});

it('repeats no result in another unit that has no range of its own', () => {
  expect(
    read([
      'Glycémie              1,21 g/L            0,70 à 1,10',
      '                      soit 6,72 mmol/L',
      'Créatinine            12,4 mg/L           5,0 à 10,0',
      '                      soit 110 µmol/L',
    ]).map(([name, value]) => [name, value]),
  ).toEqual([
    ['Glycémie', 1.21],
    ['Créatinine', 12.4],
  ]);
});

it('doubts a range of a scan that lost its dash and perhaps its decimals', () => {
  const doubtsOf = (line: string) => rowsOf(['Test        Result   Units     Range', line], true)[0]?.doubt;
  expect(doubtsOf('Potassium   5.6      mmol/L    3 5')).toEqual(['decimals_differ']);
  expect(doubtsOf('Potassium   5.6      mmol/L    3.5 5.2')).toEqual([]);
});

it('doubts the limit of a scan that begins to the right of the other ranges', () => {
  const doubtsOf = (crp: string) =>
    rowsOf(
      [
        'Analyse       Résultat   Unité    Valeurs de référence',
        'Leucocytes    11.8       G/l      4.5 à 13.5',
        'Ferritine     22         ug/l     15 à 120',
        crp,
      ],
      true,
    ).at(-1)?.doubt;
  expect(doubtsOf('CRP           7          mg/l         5')).toEqual(['range_missing']);
  expect(doubtsOf('CRP           7          mg/l     5')).toEqual([]);
});

it('reads a range with remarks behind it under a result of a record, and none of its words as a name', () => {
  expect(
    read([
      'Serum ferritin level',
      '8 ug/L',
      'Range 13 to 150 · Below range · 12 Feb 2025',
      'Serum TSH level',
      '2.31 mIU/L',
      'Range 0.27 to 4.2 · Normal · 12 Feb 2025',
      '',
      'High              High             Normal',
    ]),
  ).toEqual([
    ['Serum ferritin level', 8, 'ug/L', 13, 150, true],
    ['Serum TSH level', 2.31, 'mIU/L', 0.27, 4.2, false],
  ]);
});

it('does not doubt a unit with a sign in or behind it, and no antibody far above its limit', () => {
  const rows = rowsOf(
    [
      'Analyse                Résultat   Unité      Norme',
      'Hémoglobine            11,9       g/dL…      11,5 - 16,0',
      'Triglycérides          1.95       mmol/!l    < 1.7',
      'Pollen de bouleau (t3) 18,4       kUA/L      < 0,10',
    ],
    true,
  );
  expect(rows.map(({ unit, doubt }) => [unit, doubt])).toEqual([
    ['g/dL', []],
    ['mmol/l', []],
    ['kUA/L', []],
  ]);
});

it('does not list an earlier result that a sentence names with its day', () => {
  expect(
    read([
      'Plaquettes             148        Giga/L     150 - 400',
      'Pour mémoire, plaquettes le 02/06/2024 : 201 Giga/L.',
    ]).map(([name, value]) => [name, value]),
  ).toEqual([['Plaquettes', 148]]);
});

it('reads cards of a scan with a spoilt percent sign and a blank within a range', () => {
  expect(
    read(
      [
        'Glucose, fasting             Hemoglobin A1c          Creatinine',
        '108 mg/dL                    5.9 «                   0.82 mg/dL',
        'Range: 65 - 99 mg/dL         Range: < 5.7 %          Range: 0.50    1.03 mg/dL',
        'High                         High                    Normal',
      ],
      true,
    ).map(([name, value, , low, high]) => [name, value, low, high]),
  ).toEqual([
    ['Glucose, fasting', 108, 65, 99],
    ['Hemoglobin A1c', 5.9, null, 5.7],
    ['Creatinine', 0.82, 0.5, 1.03],
  ]);
});

it('takes the label of a range for no other result, and the mass of a body for no result', () => {
  expect(
    read(['Thyroid Peroxidase Antibodies     >900 IU/mL     Standard range: < 9     High', 'IMC : 28,4 kg/m²']),
  ).toEqual([['Thyroid Peroxidase Antibodies', 900, 'IU/mL', null, 9, true]]);
});

it('does not doubt proteins of cerebrospinal fluid for being impossible in blood', () => {
  const rows = rowsOf([
    'Liquor',
    'Analyt           Ergebnis   Einheit   Referenz',
    'Zellzahl         3          /µl       < 5',
    'Gesamteiweiß     412        mg/l      < 450',
  ]);
  expect(rows.map(({ sample_type: sample, doubt }) => [sample, doubt])).toEqual([
    ['cerebrospinal fluid', []],
    ['cerebrospinal fluid', []],
  ]);
});

it('leaves out the bullets of a list in a scan', () => {
  expect(
    read(
      [
        'es   Kalium: 5,7 mmol/l (Norm 3,5-5,1)',
        '»    D-Dimere: 0,42 mg/l (Norm <0,50)',
        '+ HDL-Cholesterin: 71 mg/dl (Norm >40)',
      ],
      true,
    ),
  ).toEqual([
    ['Kalium', 5.7, 'mmol/l', 3.5, 5.1, true],
    ['D-Dimere', 0.42, 'mg/l', null, 0.5, false],
    ['HDL-Cholesterin', 71, 'mg/dl', 40, null, false],
  ]);
});

it('reads the result before an earlier one in brackets under one heading', () => {
  expect(
    read([
      'Analyse         Résultat (antérieur)   Unité     Normes',
      'Créatinine      98 (87)                µmol/L    49 - 90',
      'Potassium       4,9 (4,6)              mmol/L    3,5 - 5,1',
    ]),
  ).toEqual([
    ['Créatinine', 98, 'µmol/L', 49, 90, true],
    ['Potassium', 4.9, 'mmol/L', 3.5, 5.1, false],
  ]);
});

it('reads a range below its result with the flag of an app, a sign and a word, beside it', () => {
  expect(
    read([
      'Ferritin                                 28 µg/l',
      'Normal: 30–400                           ▼ niedrig',
      'TSH                                      2,1 mU/l',
      'Normal: 0,4–4,0                          ● normal',
    ]),
  ).toEqual([
    ['Ferritin', 28, 'µg/l', 30, 400, true],
    ['TSH', 2.1, 'mU/l', 0.4, 4, false],
  ]);
});
