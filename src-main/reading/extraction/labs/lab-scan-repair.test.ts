import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { read, rowsOf, rowsOfPage } from '../../../../test/support/printed-labs.ts';
import { unitOf } from './lab-repair.ts';

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

it('reads the word of a range with a zero in it or grown together with its bound', () => {
  expect(
    read(
      [
        'TEST            RESULT     REF. INTERVAL     UNITS',
        'TSH             7.92       0.38t0 5.33       mIU/L',
        'Free T4         9.1        79to0 14.4        pmol/L',
        'Ferritin        71         30to 130          ug/L',
        'Potassium       4.1        3.5t05.3          mmol/L',
      ],
      true,
    ),
  ).toEqual([
    ['TSH', 7.92, 'mIU/L', 0.38, 5.33, true],
    ['Free T4', 9.1, 'pmol/L', 7.9, 14.4, false],
    ['Ferritin', 71, 'ug/L', 30, 130, false],
    ['Potassium', 4.1, 'mmol/L', 3.5, 5.3, false],
  ]);
});

it('restores the point of a bound that its flag shows to be lost, and of a number with a misread star', () => {
  const rows = (flag: string) =>
    read(
      [
        'TEST              RESULT     REF. INTERVAL     UNITS      FLAG',
        `Total cholesterol 6.4        <50               mmol/L     ${flag}`,
        'LDL               3.8        <3.0              mmol/L     HIGH',
      ],
      true,
    )[0]?.slice(4);
  expect(rows('HIGH')).toEqual([5, true]);
  expect(rows('    ')).toEqual([50, false]);
  expect(
    rowsOf(
      [
        'Analyse           Einheit    10.11.25    11.08.25    Sollwert',
        'Glukose           mmol/l     8,3”        98°         3,9 bis 5,6',
      ],
      true,
    ).map(({ value }) => value),
  ).toEqual([8.3, 9.8]);
});

it('knows "/l" that was read as one letter', () =>
  expect(
    read(
      [
        'Parameter        Wert         Normbereich',
        'Leukozyten       6.1 GA       [4.0-9.5]',
        'GGT              96 UA        [0-60]',
      ],
      true,
    ).map((row) => row[2]),
  ).toEqual(['G/l', 'U/l']));

it('takes an arrow before a number for no digit where the number is impossible, and doubts its neighbors', () => {
  const rows = rowsOf(
    [
      'Analyse          Réf.          Résultat     Unité',
      'Sodium           136 - 145     4131         mmol/l',
      'Potassium        3,6 - 5,0     4,0          mmol/l',
      'ASAT             < 35          161          U/l',
      'Créatinine       62 - 106      98           µmol/l',
    ],
    true,
  );
  expect(rows.map(({ value, doubt }) => [value, doubt.length > 0])).toEqual([
    [131, true],
    [4, false],
    [161, true],
    [98, false],
  ]);
});

it('removes arrows that were read as a sign or a one, and marks the results', () => {
  const rows = rowsOf(
    [
      'Test                 Wert       Einh.       Norm',
      'HbA1c                18,2       %           4.0-6.0',
      'HbA1c (IFCC)         !66        mmol/mol    20-42',
      'Cholesterin          187        mg/dl       bis 200',
      'LDL                  !121       mg/dl       bis 70',
      'GPT                  162        U/l         bis 50',
    ],
    true,
  );
  expect(rows.map(({ value, doubt }) => [value, doubt.includes('poor_print')])).toEqual([
    [8.2, true],
    [66, true],
    [187, false],
    [121, true],
    [62, true],
  ]);
});

it('keeps numbers that begin with a one where no sign shows that arrows are printed', () =>
  expect(
    rowsOf(
      [
        'Test                 Wert       Einh.       Norm',
        'HbA1c                18,2       %           4.0-6.0',
        'GPT                  162        U/l         bis 50',
        'LDL                  !121       mg/dl       bis 70',
      ],
      true,
    ).map(({ value }) => value),
  ).toEqual([18.2, 162, 1121]));

it('reads a row of a tilted page whose parts are a little above each other', () => {
  const page = printedPage([
    'Test            Result     Unit       Range',
    'Haemoglobin     131        g/L        120-160',
    'Platelets       88         10^9/L     150-450',
    'Sodium          140        mmol/L     135-145',
  ]);
  const words = page.words.map((word) =>
    /^(?:88|150-450)$/.test(word.text) ? { ...word, y: word.y + 0.006, h: 0.015 } : word,
  );
  expect(rowsOfPage({ ...page, words, source: 'ocr' }).map((row) => [row.value, row.reference_range_low])).toEqual([
    [131, 120],
    [88, 150],
    [140, 135],
  ]);
});

it('keeps the sign of multiplication of a unit whose power was misread', () => {
  const rows = rowsOf(
    [
      'Esame           Esito      Unità        Riferimento',
      'Eritrociti      4,71       x10/6/pL     4,20 - 5,40',
      'Piastrine       268        x10/3/pL     150 - 400',
    ],
    true,
  );
  expect(rows.map(({ unit }) => unit)).toEqual(['x10^6/µL', 'x10^3/µL']);
});

it('reads a range whose dash was not recognized between its brackets, but no number with a gap', () => {
  const ranges = rowsOf(
    [
      'Analyse         Résultat   Unités   Valeurs de référence   Antériorités',
      'Ferritine       217        ng/mL    (30    400)            213',
      'Plaquettes      232 000    /mm3     (150 000 - 400 000)    250 000',
    ],
    true,
  ).map((row) => [row.reference_range_low, row.reference_range_high]);
  expect(ranges).toEqual([
    [30, 400],
    [150_000, 400_000],
  ]);
});

it.each([
  ['mULl', 'TSH', 'mUI/L'],
  ['mul', 'TSH', 'mUI/L'],
  ['mul/L', 'TSH', 'mUI/L'],
  ['|mum', 'TSH', 'mUI/L'],
  ['mU/l', 'TSH', 'mU/l'],
  ['[Ul/L]', 'Gamma GT', 'UI/L'],
  ['UVL', 'ASAT', 'UI/L'],
  ['mU/L', 'TSH', 'mU/L'],
  ['U/L', 'ALAT', 'U/L'],
])('reads %s of %s in French as %s', (printed, name, unit) => {
  expect(unitOf(printed, name, { scanned: true, international: true })).toBe(unit);
  expect(unitOf(printed, name, { scanned: true, international: false })).toBe(unit.replace('UI', 'U'));
});

it.each(['HUlI/ML', 'yUImL', 'HUI/mL'])('reads %s of a French scan as µUI/mL', (printed) => {
  expect(unitOf(printed, 'TSH', { scanned: true, international: true })).toBe('µUI/mL');
});
