import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { nobody, readPrinted } from '../../../../test/support/printed-document.ts';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';
import { readDocument } from '../read-document.ts';

const HEAD = 'Analyse            Ergebnis     Flag     Einheit     Referenzbereich';
const doubts = (lines: readonly string[], scanned = true) => rowsOf([HEAD, ...lines], scanned).map((row) => row.doubt);

describe('a scanned result is doubtful', () => {
  it('if only one limit is left of a test that has two', () => {
    expect(
      doubts([
        'Kalium             4.1                   mmol/l      < 5.1',
        'CRP                4.1                   mg/l        < 5.0',
        'Ferritin           88                    µg/l        15 - 150',
      ]),
    ).toEqual([['poor_print'], [], []]);
  });

  it('if its unit is a part of that of the test', () => {
    expect(
      doubts([
        'NT-proBNP          99                    U           < 125',
        'Hämatokrit         0.41                  /l          0.35 - 0.46',
        'Natrium            139                   mmol/l      136 - 145',
      ]),
    ).toEqual([['unit_missing'], ['unit_missing'], []]);
  });

  it('if it has no decimals where its range has, and is outside', () => {
    expect(
      doubts([
        'Leukozyten         1                     G/l         4.0 - 10.0',
        'Harnstoff          10.5                  mmol/l      25 - 78',
        'Calcium            3.711                 mmol/l      2.20 - 2.60',
        'Leukozyten         3.1                   G/l         4.0 - 10.0',
      ]),
    ).toEqual([['decimals_differ'], ['decimals_differ'], ['decimals_differ'], []]);
  });

  it('if its decimal point was put back and it still does not fit', () => {
    expect(
      doubts([
        'Albumin            48                    g/dl        3.5 - 5.2',
        'Kalium             61                    mmol/l      3.5 - 5.1',
      ]),
    ).toEqual([[], ['decimals_differ']]);
  });

  it('if the results of other days have other decimals', () => {
    expect(
      rowsOf(
        [
          'Analyse            Einheit    Referenz      04.05.2024    02.02.2024   11.11.2023',
          'Triglyceride       mmol/l     < 2.0         2.61          3.0          2.9',
        ],
        true,
      ).map((row) => row.doubt),
    ).toEqual([['decimals_differ'], [], []]);
  });

  it('if its column may have another date, because a heading is illegible', () => {
    expect(
      rowsOf(
        [
          'Analyse            Einheit    Referenz      04.05.2024    3  17        11.11.2023',
          'Natrium            mmol/l     136 - 145     140                        139',
        ],
        true,
      ).map((row) => [row.test_date, row.doubt]),
    ).toEqual([
      ['2024-05-04', []],
      ['2023-11-11', ['poor_print']],
    ]);
  });

  it('if a second look read other digits of its number or range, not of another day', () => {
    const page = printedPage([
      'Analyse      Einheit   Norm         04.05.2024   02.02.2024',
      'Natrium      mmol/l    136 - 145    140          139',
      'Glukose      mg/dl     79 - 100     88           91',
    ]);
    const words = page.words.map((word) =>
      ['139', '79'].includes(word.text) ? { ...word, secondReading: '70' } : word,
    );
    const { lab_results } = readDocument([{ ...page, words, source: 'ocr' }], nobody);
    expect(lab_results.map(({ value, doubt }) => [value, doubt])).toEqual([
      [140, []],
      [139, ['readings_differ']],
      [88, ['readings_differ']],
      [91, ['readings_differ']],
    ]);
  });

  it('if its number is joined to the name, and only its mark is left', () => {
    expect(doubts(['Chol. ges.231      +                     mg/dl       < 200'])).toEqual([['poor_print']]);
  });

  it('if its sign of comparison says nothing beside its range', () => {
    expect(
      doubts([
        'Cholesterin        < 272                 mg/dl       < 200',
        'Troponin T         < 5                   ng/l        < 14',
        'eGFR               > 60                  ml/min      > 90',
      ]),
    ).toEqual([['poor_print'], [], []]);
  });

  it('if both limits are one number', () => {
    expect(doubts(['Leichtketten       14,0                  mg/l        571268'])).toEqual([['decimals_differ']]);
  });

  it('if only figures of its name are left', () => {
    expect(doubts(['25-OH              87                    ng/ml       30 - 100'])).toEqual([['poor_print']]);
  });
});

describe('every result is doubtful', () => {
  it('if the printed mark says something else than number and range', () => {
    expect(
      doubts(
        [
          'Natrium            140          H        mmol/l      136 - 145',
          'Kalium             6.0          L        mmol/l      3.5 - 5.1',
          'Chlorid            110          H        mmol/l      98 - 107',
        ],
        false,
      ),
    ).toEqual([['flag_differs'], ['flag_differs'], []]);
  });

  it('if no page says when the sample was taken', () => {
    const table = [HEAD, 'Natrium            140                   mmol/l      136 - 145'];
    const doubtsOf = (lines: string[]) => readPrinted(lines).lab_results.map(({ doubt }) => doubt);
    expect([doubtsOf(table), doubtsOf(['Entnahme: 03.04.2025', ...table])]).toEqual([[['date_missing']], [[]]]);
  });

  it('if limits are printed beside it that are not its range', () => {
    expect(
      rowsOf([
        'Analyse               Wert        Einheit',
        'Zwölferwert 12-20     14          mg/l',
        'CA 19-9               12          U/ml',
      ]).map(({ doubt }) => doubt),
    ).toEqual([['range_missing'], []]);
  });

  it('if its unit is missing where the others have one, and it is not a ratio', () => {
    expect(
      doubts([
        'Anti-HBs           1000                              > 10',
        'Ferritin           88                    µg/l        15 - 150',
        'Natrium            139                   mmol/l      136 - 145',
        'Kalium             4.1                   mmol/l      3.5 - 5.1',
      ])[0],
    ).toEqual(['unit_missing']);
  });
});

it('does not doubt counts from zero, results of urine and words that are far from normal', () => {
  const urine = ['Urinsediment', HEAD, 'Albumin            1,240                 mg/l        < 30'];
  expect(rowsOf(urine, true).map((row) => [row.value, row.doubt])).toEqual([[1240, []]]);
  expect(doubts(['Zellen             250                   /µl         0 - 40'], false)).toEqual([[]]);
  expect(doubts(['Borrelien-IgG      positiv                           negativ'])).toEqual([[]]);
});

it('repairs a letter of a long name, a date of a heading and a sign in a scan only', () => {
  expect(read([HEAD, 'Lymphazyten        31                    %           20 - 44'], true)[0]?.[0]).toBe(
    'Lymphozyten',
  );
  expect(read([HEAD, 'Lymphazyten        31                    %           20 - 44'])[0]?.[0]).toBe('Lymphazyten');
  // Two letters that differ are another word.
  expect(read([HEAD, 'Lymphazytem        31                    %           20 - 44'], true)[0]?.[0]).toBe(
    'Lymphazytem',
  );
  expect(
    rowsOf(['Analyse      Einheit    0$.12.2023   1l.03.2024', 'Natrium      mmol/l     139          140'], true).map(
      (row) => [row.value, row.test_date],
    ),
  ).toEqual([
    [140, '2024-03-11'],
    [139, '2023-12-05'],
  ]);
  expect(read([HEAD, 'ALAT               30                    U/l         €35'], true)[0]?.slice(3, 5)).toEqual([
    null,
    35,
  ]);
});

it('reads letters in a dated column and in a bound as digits in a scan, and doubts the number', () => {
  const lines = [
    'Analyse      Einheit   Norm     04.05.2024   02.02.2024',
    'LDL          mg/dl     < Iso    l6S          IOI',
  ];
  expect(rowsOf(lines, true).map((row) => [row.value, row.reference_range_high, row.doubt])).toEqual([
    [165, 150, []],
    [101, 150, ['poor_print']],
  ]);
  expect(rowsOf(lines).map((row) => row.reference_range_high)).toEqual([null, null]);
});

it('reads lgG as IgG', () => {
  expect(read([HEAD, 'Röteln lgG         84                    IU/ml       > 10'])[0]?.[0]).toBe('Röteln IgG');
});

it('doubts cells in a milliliter or liter whose power of ten was lost', () => {
  const rows = rowsOf(
    [
      'Test              Result     Unit       Range',
      'Leucocytes        5.42       /mL        3.8-10.5',
      'Leukocytes        3.1        /L         4.0-11.0',
      'Platelets         250        10^9/L     150-450',
    ],
    true,
  );
  expect(rows.map(({ doubt }) => doubt.includes('unit_missing'))).toEqual([true, true, false]);
});

it('doubts a name of a scan that begins within a word, and a bound with more digits than number and other bound', () => {
  const rows = rowsOf(
    [
      'Test              Result     Unit       Range',
      'Sodium            140        mmol/L     135-145',
      'Chloride          101        mmol/L     95-108',
      'fT4               14.7       pmol/L     12.0-22.0',
      'Urea              4.6        mmol/L     2.5-7.8',
      'Creatinine        70         umol/L     50-98',
      'vitamin D         41         nmol/L     30-100',
      'acrolimus level   6.8        ug/L       5.0-8.0',
      'Glucose           6.8        mmol/L     4.2-6.11',
    ],
    true,
  );
  expect(rows.map(({ doubt }) => doubt)).toEqual([[], [], [], [], [], [], ['poor_print'], ['decimals_differ']]);
});

it('doubts a row without headings whose numbers behind the value were not read as a range', () => {
  const lines = ['Emoglobina      13,8 g/dL      rit 13,0    17,5', 'Piastrine       174 G/l        (150 - 400)'];
  expect(rowsOf(lines, true).map((row) => row.doubt)).toEqual([['range_missing'], []]);
  expect(rowsOf(lines, false)[0]?.doubt).toEqual([]);
});

it('doubts a scanned number without a range where limits are printed behind or below it', () => {
  const doubtsOf = (...lines: string[]) => rowsOf(lines, true).map((row) => [row.value, row.doubt]);
  // Limits that a scan put in another line than their result, without brackets and dash.
  expect(doubtsOf('Albumin      67 g/l', '35   52', 'LDH          147 U/l')).toEqual([
    [67, ['range_missing']],
    [147, []],
  ]);
  expect(doubtsOf('Ferritin     88 µg/l', '12 Uhr', 'LDH          147 U/l')).toEqual([
    [88, []],
    [147, []],
  ]);
});

it('doubts a scanned name beside a result in words that is one letter from that of a test', () => {
  const doubtsOf = (name: string, scanned = true) =>
    doubts([`${name.padEnd(19)}${'negativ'.padEnd(34)}negativ`], scanned)[0];
  expect([doubtsOf('HBsSAg'), doubtsOf('HBsAg'), doubtsOf('Helminthen'), doubtsOf('HBsSAg', false)]).toEqual([
    ['poor_print'],
    [],
    [],
    [],
  ]);
});

it('does not doubt the results of other days for one digit beside the days, or that of an abbreviation', () => {
  const lines = [
    'Analyse      Einheit    Referenz     7     04.05.2024   02.02.2024   11.11.2023',
    'Natrium      mmol/l     136 - 145          140          141          139',
  ];
  expect(rowsOf(lines, true).map(({ test_date: date, doubt }) => [date, doubt])).toEqual([
    ['2024-05-04', []],
    ['2024-02-02', []],
    ['2023-11-11', []],
  ]);
  const row = (name: string, rest: string) => name.padEnd(19) + rest;
  expect(
    doubts([
      row('Natrium', '139                   mmol/l      136 - 145'),
      row('Kalium', '4.1                   mmol/l      3.5 - 5.1'),
      row('Chlorid', '101                   mmol/l      98 - 107'),
      row('co2', '26                    mmol/l      21 - 32'),
      row('PTZ', '58                    %           70 - 130'),
      row('Rheumatoid factor', '96                    IU/ml       < 14'),
      row('GFR', '51                    mL/min/1.73m*2   > 60'),
      row('Thrombozyten', '121                   10/3/uL     150 - 400'),
    ]),
  ).toEqual([[], [], [], [], [], [], [], []]);
});

it('reads limits in words for both sexes in lines of their own, and does not doubt the range of the next row', () => {
  const lines = [
    HEAD,
    '                                                             Frauen: bis 38',
    'Gamma-GT           41                    U/l                 Männer: bis 55',
    'Cholesterin        212                   mg/dl               bis 200',
    '                                                             Frauen: bis 20',
    'BSG (1 h)          27                    mm                  Männer: bis 15',
  ];
  expect(rowsOf(lines).map((row) => [row.value, row.reference_range_high, row.doubt])).toEqual([
    [41, 38, []],
    [212, 200, []],
    [27, 20, []],
  ]);
});
