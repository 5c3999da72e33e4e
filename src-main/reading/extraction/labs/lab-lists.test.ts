import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('a list of words without headings', () => {
  it('has results of unknown tests if they are below each other', () => {
    expect(
      rowsOf([
        'Bordetella pertussis DNA      not detected',
        'Mycoplasma pneumoniae DNA     detected',
        'Legionella DNA                not detected',
      ]).map((row) => [row.test_name_original, row.value_text]),
    ).toEqual([
      ['Bordetella pertussis DNA', 'not detected'],
      ['Mycoplasma pneumoniae DNA', 'detected'],
      ['Legionella DNA', 'not detected'],
    ]);
  });

  it('has none in the findings of an examination', () => {
    expect(
      rowsOf(['Herz            unauffällig', 'Lunge           unauffällig', 'Abdomen         unauffällig']),
    ).toEqual([]);
    expect(rowsOf(['Rachen          negativ', 'Achse           negativ'])).toEqual([]);
  });
});

it('reads blocks whose test and result have labels', () => {
  expect(
    read([
      'Test: Ferritin',
      'Result: 8 ng/mL',
      'Reference Range: 15 - 150 ng/mL',
      'Test: Sodium',
      'Result: 139 mmol/L',
    ]),
  ).toEqual([
    ['Ferritin', 8, 'ng/mL', 15, 150, true],
    ['Sodium', 139, 'mmol/L', null, null, false],
  ]);
});

it('dates rows by their own column of dates', () => {
  expect(
    rowsOf([
      'Datum           Analyse        Wert     Einheit    Norm',
      '05.06.2023      Ferritin       88       µg/l       15 - 150',
      '12.06.2023      Ferritin       92       µg/l       15 - 150',
    ]).map((row) => [row.value, row.test_date]),
  ).toEqual([
    [88, '2023-06-05'],
    [92, '2023-06-12'],
  ]);
});

it('reads a bound whose bracket begins before its label, and pluses before what is expected', () => {
  expect(read(['CRP: 12 mg/l [Norm: <5]'])).toEqual([['CRP', 12, 'mg/l', null, 5, true]]);
  expect(rowsOf(['pH        6,0       5,0 - 7,5', 'Leucociti       +         assenti']).at(-1)).toMatchObject({
    value_text: '+',
    is_abnormal: true,
  });
});

it('gives the range of a percentage and an amount to the one that it fits', () => {
  expect(read(['Albumin     55,2 %    34,8 g/l     (55,8 - 66,1)']).map((row) => row.slice(1, 6))).toEqual([
    [55.2, '%', 55.8, 66.1, true],
    [34.8, 'g/l', null, null, false],
  ]);
});

it('reads tables in which each test is a column and each day a row', () => {
  const values = (lines: string[]) =>
    rowsOf(lines).map((row) => [row.test_name_original, row.value, row.unit, row.test_date]);
  const results = [
    ['Hb', 121, 'g/l', '2023-04-03'],
    ['CRP', 12, 'mg/l', '2023-04-03'],
    ['Hb', 118, 'g/l', '2023-04-10'],
    ['CRP', 3, 'mg/l', '2023-04-10'],
  ];
  expect(
    values(['Datum         Hb (g/l)    CRP (mg/l)', '03.04.2023    121         12 +', '10.04.2023    118         3']),
  ).toEqual(results);
  expect(
    values([
      'Date          Hb          CRP',
      '              g/l         mg/l',
      '03/04/2023    121         12',
      '10/04/2023    118         3',
    ]),
  ).toEqual(results);
  expect(values(['Datum         Termin      Arzt', '03.04.2023    12          Dr. Roth'])).toEqual([]);
});

it.each([
  ['joined to both', 'Glucose.....5,4 mmol/l (3,9 - 5,6)', 'Kalium......4,1 mmol/l (3,5 - 5,1)'],
  ['hyphens', 'Glucose - - - - 5,4 mmol/l (3,9 - 5,6)', 'Kalium - - - - - 4,1 mmol/l (3,5 - 5,1)'],
  ['bullets', 'Glucose • • • • 5,4 mmol/l (3,9 - 5,6)', 'Kalium •••• 4,1 mmol/l (3,5 - 5,1)'],
  ['other signs of a photo', 'Glucose ..,.:.. 5,4 mmol/l (3,9 - 5,6)', "Kalium .·..'. 4,1 mmol/l (3,5 - 5,1)"],
])('reads results to which leaders lead from their names: %s', (_form, ...lines) => {
  expect(rowsOf(lines, true).map((row) => [row.test_name_original, row.value, row.doubt])).toEqual([
    ['Glucose', 5.4, []],
    ['Kalium', 4.1, []],
  ]);
});
