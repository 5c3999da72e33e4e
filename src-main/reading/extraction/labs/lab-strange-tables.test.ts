import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

const datesOf = (lines: readonly string[]) =>
  rowsOf(lines).map((row) => [row.test_name_original, row.value, row.test_date]);

describe('tables of other laboratories', () => {
  it('read the range of a sex by its sign', () => {
    expect(
      read([
        'Untersuchung       Ergebnis     Einheit     Referenzbereich',
        'Kreatinin          0,88         mg/dl       ♂ 0,70-1,20 ♀ 0,50-0,90',
      ]),
    ).toEqual([['Kreatinin', 0.88, 'mg/dl', 0.5, 0.9, false]]);
  });

  it('read the range of who has no disease, of several categories', () => {
    const rangeOf = (printed: string) =>
      read([
        'Esame              Esito        U.M.        Valori di riferimento',
        `Anti-dsDNA         86           UI/mL       ${printed}`,
      ]).map(([, , , low, high]) => [low, high]);
    expect([
      rangeOf('< 30 negativo; 30-50 dubbio; > 50 positivo'),
      rangeOf('positivo > 50; negativo < 30'),
      rangeOf('30 - 50'),
    ]).toEqual([[[null, 30]], [[null, 30]], [[30, 50]]]);
  });

  it('read rows below a table of shares and amounts that have no headings of their own', () => {
    expect(
      read([
        'Fraktion           %            Ref. %           g/l       Ref. g/l',
        'Albumin            54,1         55,8 - 66,1      41,1      40,2 - 47,6',
        'Gamma-Globulin     21,5         11,1 - 18,8      16,3      8,0 - 13,5',
        '',
        'IgG                             17,9      g/l    7,0 - 16,0',
      ]).at(-1),
    ).toEqual(['IgG', 17.9, 'g/l', 7, 16, true]);
  });

  it('read the times of a tolerance test as parts of the names', () => {
    expect(
      read([
        'Tempo        Glicemia (mg/dL)     Insulinemia (µU/mL)     Valori di riferimento glicemia',
        'Basale       94                   11,2                    < 92',
        '60 min       181                  68,4                    < 180',
        '120 min      149                  74,0                    < 153',
      ]),
    ).toEqual([
      ['Glicemia Basale', 94, 'mg/dL', null, 92, true],
      ['Insulinemia Basale', 11.2, 'µU/mL', null, null, false],
      ['Glicemia 60 min', 181, 'mg/dL', null, 180, true],
      ['Insulinemia 60 min', 68.4, 'µU/mL', null, null, false],
      ['Glicemia 120 min', 149, 'mg/dL', null, 153, false],
      ['Insulinemia 120 min', 74, 'µU/mL', null, null, false],
    ]);
  });

  it('never date a result by the day of the previous one', () => {
    expect(
      datesOf([
        'Test            Current result     Previous result    Date          Units     Range',
        'Glucose         112                104                12.09.2023    mg/dL     70-99',
      ]),
    ).toEqual([['Glucose', 112, '2024-05-04']]);
  });

  it('read blood groups with their rhesus factor', () => {
    expect(
      rowsOf([
        'Untersuchung            Ergebnis',
        'Blutgruppe              A Rh positiv',
        'Rhesusfaktor            positiv',
      ]).map((row) => [row.test_name_original, row.value_text, row.is_abnormal]),
    ).toEqual([
      ['Blutgruppe', 'A Rh positiv', false],
      ['Rhesusfaktor', 'positiv', false],
    ]);
  });
});

describe('the days of results', () => {
  it('take their year from the page, but not from the birth date', () => {
    const rows = (title: string) =>
      datesOf([
        title,
        '',
        '                 Norm          14.03.    19.06.',
        'Kalium mmol/l    3,5-5,1       4,4       4,9',
      ]);
    expect([
      rows('Labor 2025 für Ina Muster, geb. 08.08.1946'),
      rows('Ina Muster, geb. 08.08.1946, Ausgang 20.06.2024'),
    ]).toEqual([
      [
        ['Kalium', 4.9, '2025-06-19'],
        ['Kalium', 4.4, '2025-03-14'],
      ],
      [
        ['Kalium', 4.9, '2024-06-19'],
        ['Kalium', 4.4, '2024-03-14'],
      ],
    ]);
  });

  it('are those of their own sentence', () => {
    expect(
      datesOf(['I saw him on 6 March 2025. Bloods on 4 March 2025: Hb 104 g/L (130-170), CRP 3 mg/L (<5),']),
    ).toEqual([
      ['Hb', 104, '2025-03-04'],
      ['CRP', 3, '2025-03-04'],
    ]);
  });
});

describe('names', () => {
  it('are joined where the result is printed between their two lines', () => {
    expect(
      read([
        'Test               Result     Units     Range',
        'Glucose            112        mg/dL     70-99',
        'Hemoglobin',
        '                   6.1        %         4.8-5.6',
        'A1c',
        'Sodium             139        mmol/L    135-145',
      ]).map(([name]) => name),
    ).toEqual(['Glucose', 'Hemoglobin A1c', 'Sodium']);
  });

  it('are doubted if a scan has a letter of them wrong, or other words are before them', () => {
    const row = (name: string, scanned: boolean) =>
      rowsOf([`${name.padEnd(24)}12,6      g/dl      11,0 - 14,5`], scanned).map(({ doubt }) => doubt);
    expect([row('RDN', true), row('RDW', true), row('Orsola Belfanti MCV', false), row('Totales MCV', false)]).toEqual([
      [['poor_print']],
      [[]],
      [['poor_print']],
      [[]],
    ]);
  });

  it('are not doubted for an abbreviation before them', () => {
    const doubts = (name: string) =>
      rowsOf([`${name.padEnd(24)}11,4      g/dl      11,0 - 14,5`], true).map(({ doubt }) => doubt);
    expect([doubts('HGB Emoglobina'), doubts('Fer err 138')]).toEqual([[[]], [['poor_print']]]);
  });

  it('of relatives in a sentence are not those of the patient', () => {
    expect(
      read(['She has a haemoglobin of 121 g/L. Her sister has a haemoglobin of 95 g/L and a ferritin of 9 µg/L.']),
    ).toEqual([['haemoglobin', 121, 'g/L', null, null, false]]);
  });
});

describe('scans', () => {
  const scan = (...rows: string[]) =>
    rowsOf(['Analisi            Valore       Unità        Riferimento', ...rows], true);

  it('read signs of multiplication twice, and stars as quotation marks', () => {
    expect(
      scan(
        'Leucociti          7,90         xX103/uL     4,50-13,00',
        'Ematocrito         “331]        %            34,0-43,0',
      ).map(({ value, unit }) => [value, unit]),
    ).toEqual([
      [7.9, 'x10^3/µL'],
      [33.1, '%'],
    ]);
  });

  it('read flags that have grown together with a unit', () => {
    expect(read(['CRP                6,1 mg/1!      (bis 5,0)'], true)).toEqual([['CRP', 6.1, 'mg/l', null, 5, true]]);
  });

  it('read an abbreviation in which one sign was taken for another', () => {
    expect(scan('ROW                15,9         %            11,0-15,0').map((row) => row.test_name_original)).toEqual(
      ['RDW'],
    );
  });

  it('doubt a limit whose lower one was lost, also in the middle of a table', () => {
    const rows = rowsOf(
      [
        'Fraktion           %            Ref. %           g/l       Ref. g/l',
        'Albumin            54,1         55,8 - 66,1      41,1      40,2 - 47,6',
        'Alpha-1-Globulin   4,2          2,9 - 4,9        3,2       2,1 - 3,5',
        'Alpha-2-Globulin   9,8              11,8         7,4       5,1 - 8,5',
      ],
      true,
    );
    expect(rows.map((row) => row.doubt.includes('range_missing'))).toEqual([false, false, false, false, true, false]);
  });
});

describe('ranges of men and women in columns of their own', () => {
  const ranges = (greeting: string) =>
    read([
      greeting,
      'Untersuchung       Ergebnis     Einheit     Männer         Frauen',
      'Hämoglobin         12,9         g/dL        13,5 - 17,0    12,0 - 15,5',
      'GGT                44           U/L         < 60           < 40',
      'HDL-Cholesterin    42           mg/dL       > 40           > 45',
    ]).map(([name, , , low, high, isAbnormal]) => [name, low, high, isAbnormal]);

  it('are those of the patient', () => {
    expect(ranges('Laborbefund')).toEqual([
      ['Hämoglobin', 12, 15.5, false],
      ['GGT', null, 40, true],
      ['HDL-Cholesterin', 45, null, true],
    ]);
  });
});

it('doubts the only number of a letter, which has no range', () => {
  expect(rowsOf(['Suites : simples, hémoglobine 9,8 g/dL, pas de fièvre.']).map(({ doubt }) => doubt)).toEqual([
    ['range_missing'],
  ]);
});

describe('results of portals and ward charts', () => {
  it('have a flag of several words, and hours before their name', () => {
    expect(
      read([
        'Haemoglobin concentration',
        '103 g/L Below normal range',
        'Normal range: 110 to 147',
        '',
        '2 hour plasma glucose',
        '6.8 mmol/L Normal',
        'Normal range: below 7.8',
      ]),
    ).toEqual([
      ['Haemoglobin concentration', 103, 'g/L', 110, 147, true],
      ['2 hour plasma glucose', 6.8, 'mmol/L', null, 7.8, false],
    ]);
  });

  it('have a sign behind a number as a flag, and no result where a day has only a sign', () => {
    const rows = rowsOf(
      [
        'Untersuchung     Einheit     Referenz        14.01.2025     08.04.2025',
        'Ferritin         µg/l        15 - 150        8<             19',
        'fT3              pmol/l      3,1 - 6,8       4,2            >',
      ],
      true,
    );
    expect(rows.map((row) => [row.test_name_original, row.value, row.is_abnormal, row.test_date])).toEqual([
      ['Ferritin', 19, false, '2025-04-08'],
      ['Ferritin', 8, true, '2025-01-14'],
      ['fT3', 4.2, false, '2025-01-14'],
    ]);
  });

  it('have the unit that the heading of their group says of all', () => {
    expect(
      read([
        'Test               Reference range     Result',
        'Chemistry (all in mmol/L)',
        'Sodium             133 - 146           139',
        'Liver group (ALT and ALP in U/L)',
        'ALT                up to 55            96',
      ]).map(([name, , unit]) => [name, unit]),
    ).toEqual([
      ['Sodium', 'mmol/L'],
      ['ALT', 'U/L'],
    ]);
  });

  it('in words that a comma separates have no flag of the next one', () => {
    const rows = read(['Urin-Stix: Leuko neg., Nitrit neg., Protein (+), Ketone ++']);
    expect(rows.map((row) => [row[0], row[5]])).toEqual([
      ['Leuko', false],
      ['Nitrit', false],
      ['Protein', true],
      ['Ketone', true],
    ]);
  });

  it('have the time in the name of a sedimentation set apart', () => {
    expect(
      read(
        ['Analyse            Resultat     Einheit     Referenz', 'BSG1h              31           mm          bis 20'],
        true,
      )[0]?.[0],
    ).toBe('BSG 1 h');
  });
});
