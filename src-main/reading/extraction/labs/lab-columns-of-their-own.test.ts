import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('limits above each other', () => {
  const PAGE = [
    'Leukozyten          4,2           3,9       Natrium             140            135',
    '                                 10,4                                          145',
    'Gpt/l                                       mmol/l',
    'Ferritin            6 ↓            13       HbA1c               36               –',
    '                                  150                                           39',
    'µg/l                                        mmol/mol',
  ];

  it('are a range, with the unit below the name', () => {
    expect(read(PAGE)).toEqual([
      ['Leukozyten', 4.2, 'Gpt/l', 3.9, 10.4, false],
      ['Natrium', 140, 'mmol/l', 135, 145, false],
      ['Ferritin', 6, 'µg/l', 13, 150, true],
      ['HbA1c', 36, 'mmol/mol', null, 39, false],
    ]);
  });

  it('are not the results of the next row', () => {
    expect(
      read(['Kalium              4,2           mmol/l', 'Natrium             140           mmol/l']).map(
        (row) => row[1],
      ),
    ).toEqual([4.2, 140]);
  });
});

describe('ranges between name and result', () => {
  it('are read although their heading is joined to the next one, and too close to a name', () => {
    expect(
      read([
        'Analyse         RefbereichIhr       Wert      Einheit',
        'Natrium         135-145             141       mmol/L',
        'CRP             < 0,5               4,7 *     mg/dL',
        'Thrombozyten 150-400                301       G/L',
        'CA 19-9         < 37                12        U/mL',
      ]),
    ).toEqual([
      ['Natrium', 141, 'mmol/L', 135, 145, false],
      ['CRP', 4.7, 'mg/dL', null, 0.5, true],
      ['Thrombozyten', 301, 'G/L', 150, 400, false],
      ['CA 19-9', 12, 'U/mL', null, 37, false],
    ]);
  });
});

describe('a title in the line above', () => {
  it('has no headings of columns, whatever its words are over', () => {
    expect(
      read([
        '                 Résultats d’analyses',
        'Analyse          Valeurs de référence    Résultat    Unité',
        'Hématies         3,90-5,20               4,12        T/L',
        'Ferritine        15-150                  8           µg/L',
      ]),
    ).toEqual([
      ['Hématies', 4.12, 'T/L', 3.9, 5.2, false],
      ['Ferritine', 8, 'µg/L', 15, 150, true],
    ]);
  });
});

describe('ranges by sex', () => {
  const ROWS = [
    'Analyse         Wert      Einheit      Referenz',
    'Hämoglobin      11,4      g/dl         Männer 13,5-17,5',
    '                                       Frauen 12,0-16,0',
    'Ferritin        180       ng/ml        Frauen 13-150',
    '                                       Männer 30-400',
  ];

  it('are one above the other, and that of the patient counts', () => {
    expect(read(ROWS)).toEqual([
      ['Hämoglobin', 11.4, 'g/dl', 12, 16, true],
      ['Ferritin', 180, 'ng/ml', 13, 150, true],
    ]);
  });

  it('do not count if there is none of the patient, whose result is doubtful', () => {
    const [row] = rowsOf(ROWS.slice(0, 2));
    expect([row?.reference_range_low, row?.is_abnormal, row?.doubt]).toEqual([null, false, ['range_missing']]);
  });
});

describe('brackets', () => {
  it('are around results outside of their range, and curly ones around ranges', () => {
    expect(
      read([
        'Test            Einheit     30.08.2025     01.09.2025     Referenz',
        'CK              U/l         [1840]         [412]          < 190',
        'Kalium          mmol/l      [5,4]          4,4            {3,5 to 5,1}',
      ]),
    ).toEqual([
      ['CK', 412, 'U/l', null, 190, true],
      ['CK', 1840, 'U/l', null, 190, true],
      ['Kalium', 4.4, 'mmol/l', 3.5, 5.1, false],
      ['Kalium', 5.4, 'mmol/l', 3.5, 5.1, true],
    ]);
  });
});

describe('hours below the days of columns', () => {
  it('are those of the samples, not a plan of medicines', () => {
    expect(
      read([
        'Test              Units        16/01/25      13/01/25       Ref. interval',
        '                               06:50         07:15',
        'Haemoglobin       g/L          102 L         96 L           115-165',
        'Platelets         10^9/L       344           361            140-400',
      ]).map(([name, value]) => [name, value]),
    ).toEqual([
      ['Haemoglobin', 102],
      ['Haemoglobin', 96],
      ['Platelets', 344],
      ['Platelets', 361],
    ]);
  });
});

describe('names of groups', () => {
  it('are to the left of the tests, and ranges intervals as in mathematics', () => {
    expect(
      read([
        'Chimie        Potassium              3.8    [3.5 ; 4.6]      mmol/l',
        '              Créatinine              92    [59 ; 104]       µmol/l',
        '              Cholestérol          4.61+    [< 4.0]          mmol/l',
        'Hormones      Testostérone          6.2−    [8.6 ; 29.0]     nmol/l',
      ]),
    ).toEqual([
      ['Potassium', 3.8, 'mmol/l', 3.5, 4.6, false],
      ['Créatinine', 92, 'µmol/l', 59, 104, false],
      ['Cholestérol', 4.61, 'mmol/l', null, 4, true],
      ['Testostérone', 6.2, 'nmol/l', 8.6, 29, true],
    ]);
  });
});

describe('tests as columns', () => {
  it('have their results in the first row, and units and ranges below', () => {
    expect(
      read([
        '            Hb           Leuko        CRP          Krea',
        'Wert        13,8         10,9 (+)     8,3          0,7',
        'Einheit     g/dl         Tsd/µl       mg/l         mg/dl',
        'Norm        12,0-15,5    4,0-10,0     0-5          0,5-0,9',
      ]),
    ).toEqual([
      ['Hb', 13.8, 'g/dl', 12, 15.5, false],
      ['Leuko', 10.9, 'Tsd/µl', 4, 10, true],
      ['CRP', 8.3, 'mg/l', 0, 5, true],
      ['Krea', 0.7, 'mg/dl', 0.5, 0.9, false],
    ]);
  });

  it('have their units and ranges above the first day', () => {
    expect(
      read([
        'Datum             CEA            CA 19-9          LDH           Hb',
        '                  µg/l           kU/l             U/l           g/dl',
        '                  < 5,0          < 37             < 250         12,0–16,0',
        '11.05.2026        8,9            64               231           11,3',
        '02.03.2026        5,4            41               224           11,9',
      ]).slice(0, 4),
    ).toEqual([
      ['CEA', 8.9, 'µg/l', null, 5, true],
      ['CA 19-9', 64, 'kU/l', null, 37, true],
      ['LDH', 231, 'U/l', null, 250, false],
      ['Hb', 11.3, 'g/dl', 12, 16, true],
    ]);
  });
});

describe('tests in two columns', () => {
  it('have their results and ranges below, though a scan damaged the units', () => {
    expect(
      read(
        [
          'Fibrinogeno                              Azotemia',
          '412 mg/dl                                38 mg/dl',
          'v.n. 200 - 400                           v.n. 15 - 50',
          'Glicemia                                 Colinesterasi',
          '101 mg/dl                                4120 U/]',
          'v.n. 70 - 110                            v.n. 5300 - 12900',
        ],
        true,
      ).map(([name, value, , low, high]) => [name, value, low, high]),
    ).toEqual([
      ['Fibrinogeno', 412, 200, 400],
      ['Glicemia', 101, 70, 110],
      ['Azotemia', 38, 15, 50],
      ['Colinesterasi', 4120, 5300, 12900],
    ]);
  });
});

describe('columns for low, normal and high results', () => {
  it('have the result in one of them', () => {
    expect(
      read([
        'Analisi              Basso    |Normale   Alto    Unità      Intervallo',
        'Glicemia a digiuno                       8.1     mmol/l     3.9-5.6',
        'Creatinina                     84                µmol/l     45-84',
        'Vitamina B12         132                         pmol/l     145-569',
      ]),
    ).toEqual([
      ['Glicemia a digiuno', 8.1, 'mmol/l', 3.9, 5.6, true],
      ['Creatinina', 84, 'µmol/l', 45, 84, false],
      ['Vitamina B12', 132, 'pmol/l', 145, 569, true],
    ]);
  });
});

describe('a value with its label but without a colon', () => {
  it('is below its range', () => {
    expect(
      read([
        'Hemoglobin',
        'Normal range: 11.6 - 15.0 g/dL',
        'Value 10.8 Low',
        'Platelet count',
        'Normal range: 157 - 371 x10(9)/L',
        'Value 266',
      ]).map(([name, value, , , , isAbnormal]) => [name, value, isAbnormal]),
    ).toEqual([
      ['Hemoglobin', 10.8, true],
      ['Platelet count', 266, false],
    ]);
  });
});
