import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

const values = (lines: readonly string[]) => read(lines).map((row) => row.slice(0, 3));

describe('results in sentences', () => {
  it.each([
    [
      'Es fand sich ein Ferritin von 9 µg/l bei einem Kreatinin von 1,4 mg/dl.',
      ['Ferritin', 9, 'µg/l'],
      ['Kreatinin', 1.4, 'mg/dl'],
    ],
    ["Le bilan montre une CRP à 22 mg/L et l'albumine à 31 g/L.", ['CRP', 22, 'mg/L'], ["l'albumine", 31, 'g/L']],
    [
      'Si segnala ferritina di 12 µg/L e creatinina pari a 1,1 mg/dl.',
      ['ferritina', 12, 'µg/L'],
      ['creatinina', 1.1, 'mg/dl'],
    ],
    ['Bloods showed a CRP of 31 mg/L and a ferritin of 8 ug/L.', ['CRP', 31, 'mg/L'], ['ferritin', 8, 'ug/L']],
  ])('are read behind the words between test and number: %s', (sentence, ...rows) => {
    const found = values([sentence]).map(([name, ...others]) => [String(name).replace(/^l'/, ''), ...others]);
    expect(found).toEqual(rows.map(([name, ...others]) => [String(name).replace(/^l'/, ''), ...others]));
  });

  it('need a known test and a unit, and are not those of an earlier day', () => {
    expect(values(['Die Wunde misst nun 12 mm, und der Puls lag bei 72/min.'])).toEqual([]);
    expect(values(['Calprotectin in January was 640 µg/g.'])).toEqual([]);
  });

  it('have no range from another sentence, and are none of a clause in brackets', () => {
    expect(
      values([
        'LVEF 61 %, verdickte Hinterwand (Septum 12 mm), keine Klappenfehler. Belastung bis 150 W',
        'LVEF 61 %, verdickte Hinterwand (Septum 12 mm), Belastung bis 150 W',
        'Valvole normali, parete di 12 mm, senza alterazioni. Sforzo fino a 150 W',
      ]),
    ).toEqual([]);
    expect(read(['Ferritin 88 µg/l, Speicher ausreichend. Kontrolle bis 150'])).toEqual([
      ['Ferritin', 88, 'µg/l', null, null, false],
    ]);
  });

  it('are none of a line that explains marks', () => {
    const table = [
      'Test         Einheit   Norm        04.05.2024   02.02.2024   11.11.2023',
      'Natrium      mmol/l    136 - 145   149 +        141          131 -',
    ];
    const legends = [
      '+ über Norm   - unter Norm   leer   nicht bestimmt',
      '+ above normal   - below normal',
      '* valore fuori dai limiti   normale',
      '↑ supérieur à la norme   négatif',
      'H = high   L = low   normal',
    ];
    for (const legend of legends) expect(rowsOf([...table, legend]).map(({ value }) => value)).toEqual([149, 141, 131]);
    expect(rowsOf([...table, '+ Chlorid    mmol/l    98 - 107    112']).map(({ value }) => value)).toContain(112);
  });

  it('do not say from where on a result means something, alone or under a table', () => {
    const comments = [
      'Note: a ferritin of 15 µg/L or less means that iron stores are empty.',
      'TSH between 0.4 and 4.0 mU/L is normal in adults.',
      'Bei einem CRP von 5 mg/l oder weniger ist eine Entzündung unwahrscheinlich.',
      'Une créatinine à 120 µmol/L ou plus impose un contrôle.',
      'Una ferritina di 15 µg/L o meno indica una carenza.',
      'Ein Ferritin von weniger als 20 µg/l spricht für leere Speicher.',
      'A ferritin of less than 20 µg/L suggests empty stores.',
    ];
    const table = ['Test        Result     Unit       Range', 'Albumin     41         g/l        35 - 52'];
    for (const comment of comments)
      expect([comment, values([comment]), values([...table, comment]).length]).toEqual([comment, [], 1]);
    expect(values(['A CRP of 48 mg/L suggests an infection.'])).toEqual([['CRP', 48, 'mg/L']]);
    expect(values(['Test      Result   Unit     Range', 'HDL       1.4      mmol/l   1.0 or more'])).toEqual([
      ['HDL', 1.4, 'mmol/l'],
    ]);
  });

  it('may be a list of symbols without units, which are doubtful', () => {
    const rows = rowsOf(['Na 139; K 4.4; Cl 101; Kreatinin 0.8 mg/dl']);
    expect(rows.map((row) => [row.test_name_original, row.value, row.doubt])).toEqual([
      ['Na', 139, ['unit_missing']],
      ['K', 4.4, ['unit_missing']],
      ['Cl', 101, ['unit_missing']],
      ['Kreatinin', 0.8, []],
    ]);
  });
});

describe('other kinds of tables', () => {
  it('have the unit as the heading of the results, beside classes of allergy', () => {
    expect(
      values([
        'Allergène             kU/l       Classe',
        'Bouleau (t3)          8,1        3',
        'Chat (e1)             < 0,1      0',
      ]),
    ).toEqual([
      ['Bouleau (t3)', 8.1, 'kU/l'],
      ['Chat (e1)', 0.1, 'kU/l'],
    ]);
    expect(values(['Allergen            Result kUA/L     Class', 'Hazelnut (f17)      2.75             2'])).toEqual([
      ['Hazelnut (f17)', 2.75, 'kUA/L'],
    ]);
  });

  it('have a cut-off beside a result in words', () => {
    expect(
      rowsOf([
        'Substance         Result        Cut-off     Unit',
        'Opiates           Negative      300         ng/mL',
        'Methadone         Positive      100         ng/mL',
      ]).map((row) => [row.test_name_original, row.value, row.reference_range_high, row.is_abnormal]),
    ).toEqual([
      ['Opiates', null, 300, false],
      ['Methadone', null, 100, true],
    ]);
    expect(rowsOf(['Methadon       negativ       Cut-off 100 ng/ml'])[0]?.value ?? null).toBeNull();
  });

  it('have a range behind the years for which it is', () => {
    expect(
      read([
        'Test          Result     Unit       Reference',
        'IGF-1         120        ng/mL      age 30-39: 115-307',
      ])[0]?.slice(3, 5),
    ).toEqual([115, 307]);
  });
});

it('doubts all whole numbers of a fax that lost its points', () => {
  const fax = (range: string) =>
    rowsOf(
      [
        'Test            Resultat   Einheit    Norm',
        'Kalium          41         mmol/l     36-50',
        'Natrium         140        mmol/l     136-145',
        `Kreatinin       84         mg/dl      ${range}`,
        'Harnstoff       30         mg/dl      17-43',
      ],
      true,
    );
  expect(
    fax('050-110')
      .filter((row) => Number.isInteger(row.value))
      .every((row) => row.doubt.includes('decimals_differ')),
  ).toBe(true);
  expect(
    rowsOf(
      [
        'Test            Resultat   Einheit    Norm',
        'Natrium         140        mmol/l     136-145',
        'Chlorid         101        mmol/l     98-107',
        'Harnstoff       30         mg/dl      17-43',
      ],
      true,
    ).flatMap((row) => row.doubt),
  ).toEqual([]);
});

it('reads results that a paragraph breaks into two lines, with their ranges in brackets', () => {
  expect(
    read([
      'Kreatinin 1,62 mg/dl (Norm 0,50 bis 0,90), Harnstoff 71 mg/dl (Norm 17 bis 49), Kalium 5,3',
      'mmol/l (Norm 3,5 bis 5,1), Natrium 138 mmol/l (Norm 136 bis 145), Kalzium 2,38 mmol/l',
      '(Norm 2,15 bis 2,55), Phosphat 1,12 mmol/l (Norm 0,81 bis 1,45), Ferritin 145 µg/l',
      '(Norm 30 bis 300).',
    ]).map(([name, value, unit, low, high]) => [name, value, unit, low, high]),
  ).toEqual([
    ['Kreatinin', 1.62, 'mg/dl', 0.5, 0.9],
    ['Harnstoff', 71, 'mg/dl', 17, 49],
    ['Kalium', 5.3, 'mmol/l', 3.5, 5.1],
    ['Natrium', 138, 'mmol/l', 136, 145],
    ['Kalzium', 2.38, 'mmol/l', 2.15, 2.55],
    ['Phosphat', 1.12, 'mmol/l', 0.81, 1.45],
    ['Ferritin', 145, 'µg/l', 30, 300],
  ]);
});

it.each(['(Vorwert 1,3)', '(vorher 1,3)', '(previously 1,3)', '(précédent 1,3)', '(contre 1,3)', '(am 3.4. noch 1,3)'])(
  'takes no earlier result in brackets for a limit: %s',
  (earlier) => {
    expect(read([`Labor: Hb 10,4 g/dl, Kreatinin 1,1 mg/dl ${earlier}, Kalium 4,1 mmol/l`])).toEqual([
      ['Hb', 10.4, 'g/dl', null, null, false],
      ['Kreatinin', 1.1, 'mg/dl', null, null, false],
      ['Kalium', 4.1, 'mmol/l', null, null, false],
    ]);
  },
);

it.each(['(Zielwert < 70)', '(Norm 70)', '(obere Grenze 70)'])('takes a limit in brackets for one: %s', (limit) => {
  expect(read([`LDL-Cholesterin   139 mg/dl   ${limit}`])).toEqual([['LDL-Cholesterin', 139, 'mg/dl', null, 70, true]]);
});

it('doubts the first of two numbers with a slash, of which no heading says which one is earlier', () => {
  const doubts = (lines: readonly string[]) => rowsOf(lines).map(({ value, doubt }) => [value, doubt]);
  expect(doubts(['Labor: Hb 10,4 / 11,6 g/dl, Kalium 4,1 mmol/l'])).toEqual([
    [10.4, ['poor_print']],
    [4.1, []],
  ]);
  expect(
    doubts(['Test          Wert / Vorwert     Einheit    Norm', 'Hb            10,4 / 11,6        g/dl       12 - 16']),
  ).toEqual([[10.4, []]]);
});
