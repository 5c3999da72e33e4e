import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

describe('numbers that a scan damaged', () => {
  it('lost their point if they begin with a zero', () => {
    expect(
      read(
        [
          'Test            Value     Unit       Range',
          'Free T4         12        ng/dl      08-18',
          'Lactate         07        mmol/l     05-22',
        ],
        true,
      ),
    ).toEqual([
      ['Free T4', 1.2, 'ng/dl', 0.8, 1.8, false],
      ['Lactate', 0.7, 'mmol/l', 0.5, 2.2, false],
    ]);
    expect(read(['Leukocytes      9 000     /µl        less than 10 000'], true)[0]?.slice(1, 5)).toEqual([
      9000,
      '/µl',
      null,
      10_000,
    ]);
  });

  it('have a slashed zero that was read as a nine, or a gap behind the point', () => {
    expect(
      read(
        [
          'Analyse         Wert      Einheit    Referenz',
          'Magnesium       0,8       mmol/l     [9,66-1, 07]',
          'TSH             2,1       mU/l       [9,27-4,20]',
        ],
        true,
      ),
    ).toEqual([
      ['Magnesium', 0.8, 'mmol/l', 0.66, 1.07, false],
      ['TSH', 2.1, 'mU/l', 0.27, 4.2, false],
    ]);
  });

  it('have a minus that was read as a quotation mark, if the range begins below zero', () => {
    const [row] = rowsOf(
      ['Analyse         Wert      Einheit    Referenz', 'Base Excess     «4,1      mmol/l     -2,0-3,0'],
      true,
    );
    expect([row?.value, row?.doubt]).toEqual([-4.1, ['poor_print']]);
  });

  it('are doubted if they have a unit that their column contradicts, or can not be read', () => {
    const rows = rowsOf(
      [
        'Analyse         Wert      Einheit    Referenz',
        'Lipase          3%        U/l        13-60',
        'Glucose         27/11     mg/dl      74-106',
      ],
      true,
    );
    expect(rows.map((row) => [row.value, row.unit, row.doubt.includes('poor_print')])).toEqual([
      [3, 'U/l', true],
      [null, 'mg/dl', true],
    ]);
  });

  it('get their points back from the same row on other days, and stay doubtful', () => {
    const rows = rowsOf(
      [
        'Test             Range       01.02.2024    03.04.2024    05.06.2024',
        'PSA [ng/ml]      < 4         31            3.4           38',
      ],
      true,
    );
    expect(rows.map((row) => [row.value, row.doubt])).toEqual([
      [3.8, ['poor_print']],
      [3.4, []],
      [3.1, ['poor_print']],
    ]);
  });
});

describe('concentrations that inhibit a germ', () => {
  const table = (rows: readonly string[]) =>
    rowsOf(['Antibiogramm (MHK in mg/l)', 'Antibiotikum            MHK      Bewertung', ...rows], true);

  it('have the unit of the heading, also for two substances', () => {
    expect(
      table(['Piperacillin/Tazobactam   8      sensibel', 'Cefepim                 <0,5     sensibel']).map((row) => [
        row.value,
        row.unit,
      ]),
    ).toEqual([
      [8, 'mg/l'],
      [0.5, 'mg/l'],
    ]);
  });

  it('have a sign that was read as a 2 in front of a power of two', () => {
    expect(
      table(['Cefepim                 264      resistent', 'Amikacin                2        sensibel']).map((row) => [
        row.value,
        row.is_abnormal,
        row.doubt,
      ]),
    ).toEqual([
      [64, true, ['poor_print']],
      [2, false, []],
    ]);
  });

  it('have the answer of the germ behind the unit in narrow columns', () => {
    expect(
      read(
        [
          'Antibiotique     CMI      Unité      S/I/R',
          'Ofloxacine       4        mg/LR',
          'Cefixime         0.5      mg/L S',
        ],
        true,
      ).map((row) => [row[1], row[2], row[5]]),
    ).toEqual([
      [4, 'mg/L', true],
      [0.5, 'mg/L', false],
    ]);
  });
});

it('reads words in brackets as flags, units with a suffix, and a letter in a name', () => {
  expect(
    read([
      'Analita          U.d.M.        Valore            Riferimento',
      'Glucosio         mg/dL         30 (anomalo)      assente',
      'D-dimero         ng/mL FEU     900 (alto)        < 500',
      'Leucociti        /mL           12 000            < 10 000',
    ]),
  ).toEqual([
    ['Glucosio', 30, 'mg/dL', null, null, true],
    ['D-dimero', 900, 'ng/mL FEU', null, 500, true],
    ['Leucociti', 12_000, '/mL', null, 10_000, true],
  ]);
  expect(
    read(['Hepatitis A IgM      negativ', 'Influenza B RNA      positiv', 'Influenza A RNA      negativ']).map(
      ([name]) => name,
    ),
  ).toEqual(['Hepatitis A IgM', 'Influenza B RNA', 'Influenza A RNA']);
});

it('spells the names of a scan that have no other meaning as printed', () => {
  const names = (scanned: boolean) =>
    read(
      [
        'Analyse         Wert      Einheit    Referenz',
        'MT4             14.2      pmol/l     12 - 22',
        'lT3             4.6       pmol/l     3.1 - 6.8',
        'rT3             0.3       nmol/l     0.14 - 0.54',
        'HbA1lc          5.4       %          4.0 - 5.6',
      ],
      scanned,
    ).map(([name]) => name);
  expect(names(true)).toEqual(['fT4', 'fT3', 'rT3', 'HbA1c']);
  expect(names(false).slice(0, 3)).toEqual(['MT4', 'lT3', 'rT3']);
});
