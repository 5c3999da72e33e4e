import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import { read, rowsOf, rowsOfPage } from '../../../../test/support/printed-labs.ts';

describe('cards side by side', () => {
  it('have the name above the value and the value above the range', () => {
    expect(
      read([
        'Kalium               Ferritin             Tetanus-Ak',
        '4,2 mmol/l           9 µg/l               0,8 IU/ml',
        'Norm: 3,5 - 5,1      Norm: 15 - 150       Norm: über 0,5',
        'HBs-Antigen          Treponema-Ak         Borrelien IgG',
        'negativ              positiv              < 5 AU/ml',
        'Norm: negativ        Norm: negativ        Norm: bis 10 – unauffällig',
      ]),
    ).toEqual([
      ['Kalium', 4.2, 'mmol/l', 3.5, 5.1, false],
      ['Ferritin', 9, 'µg/l', 15, 150, true],
      ['Tetanus-Ak', 0.8, 'IU/ml', 0.5, null, false],
      ['HBs-Antigen', null, null, null, null, false],
      ['Treponema-Ak', null, null, null, null, true],
      ['Borrelien IgG', 5, 'AU/ml', null, 10, false],
    ]);
  });

  it('may have the unit between name and value, and a flag beside the value', () => {
    expect(
      read([
        'TSH                Free T4                    Prolactin',
        'mU/L               pmol/L                     mIU/L',
        '0.12   LOW         24.9   HIGH                311',
        '(0.27 - 4.20)      (12.0 - 22.0)              (< 496)',
      ]),
    ).toEqual([
      ['TSH', 0.12, 'mU/L', 0.27, 4.2, true],
      ['Free T4', 24.9, 'pmol/L', 12, 22, true],
      ['Prolactin', 311, 'mIU/L', null, 496, false],
    ]);
    expect(
      read(
        [
          'TSH           Free T4         Prolactin',
          'mU/L          prnol/L         mIU/L',
          '0.12   LOW    24.9 HGH        311',
          '(0.3 - 4.2)   (12.0 - 22.0)   (< 496)',
        ],
        true,
      ).map(([name, value, , , high]) => [name, value, high]),
    ).toEqual([
      ['TSH', 0.12, 4.2],
      ['Free T4', 24.9, 22],
      ['Prolactin', 311, 496],
    ]);
  });

  it('may be centered, with the unit under the value, and none for a ratio', () => {
    expect(
      read([
        '      Quick                 INR                  aPTT',
        '      38 !                 1,96 !                37 !',
        '        %                                        sec',
        '   Ref. 70 - 130       Ref. 0,85 - 1,15       Ref. 26 - 36',
      ]),
    ).toEqual([
      ['Quick', 38, '%', 70, 130, true],
      ['INR', 1.96, null, 0.85, 1.15, true],
      ['aPTT', 37, 'sec', 26, 36, true],
    ]);
  });

  it('may have no ranges, and are not the cells of a table', () => {
    expect(read(['Sodium         Potassium', '139 mmol/L     4.4 mmol/L']).map((row) => row.slice(0, 3))).toEqual([
      ['Sodium', 139, 'mmol/L'],
      ['Potassium', 4.4, 'mmol/L'],
    ]);
    expect(read(['Test         Result', 'Sodium       139 mmol/L']).map((row) => row[0])).toEqual(['Sodium']);
  });
});

it('joins a name with its result where a slanted scan has them on two lines', () => {
  const page = printedPage([
    'Norovirus RNA',
    '                     nicht nachweisbar',
    'Rotavirus-Ag         positiv',
    'Adenovirus-Ag        negativ',
    'Astrovirus-Ag        negativ',
  ]);
  const names = page.words.filter(({ text }) => text === 'Norovirus' || text === 'RNA');
  const [first, second] = [names[0], page.words.find(({ text }) => text === 'nicht')];
  const gap = (second?.y ?? 0) - (first?.y ?? 0) - 1.3 * (first?.h ?? 0);
  const words = page.words.map((word) => (names.includes(word) ? { ...word, y: word.y + gap } : word));
  expect(rowsOfPage({ ...page, source: 'ocr', words })[0]).toMatchObject({
    test_name_original: 'Norovirus RNA',
    value_text: 'nicht nachweisbar',
  });
});

describe('tests as columns', () => {
  it('have rows for units, ranges and days', () => {
    expect(
      rowsOf([
        'Parametro         Sodio          Potassio       Ferritina',
        'Unità             mmol/l         mmol/l         µg/l',
        'Riferimento       136 - 145      3,5 - 5,1      > 15',
        '12.03.2024        131 ↓          4,4            80',
      ]).map((row) => [
        row.test_name_original,
        row.value,
        row.unit,
        row.reference_range_low,
        row.is_abnormal,
        row.test_date,
      ]),
    ).toEqual([
      ['Sodio', 131, 'mmol/l', 136, true, '2024-03-12'],
      ['Potassio', 4.4, 'mmol/l', 3.5, false, '2024-03-12'],
      ['Ferritina', 80, 'µg/l', 15, false, '2024-03-12'],
    ]);
  });

  it('have a row with a word for results in place of a day', () => {
    expect(
      read([
        'Test           Sodium         Potassium',
        'Result         141            5.9',
        'Range          136 - 145      3.5 - 5.1',
        'Unit           mmol/L         mmol/L',
      ]),
    ).toEqual([
      ['Sodium', 141, 'mmol/L', 136, 145, false],
      ['Potassium', 5.9, 'mmol/L', 3.5, 5.1, true],
    ]);
  });
});

it('lists the results of a cumulative row from the newest day on', () => {
  expect(
    rowsOf([
      'Analyse            Norm          11.11.2023    02.02.2024',
      'Kreatinin [mg/dl]  0,5 - 0,9     0,8           1,1',
    ]).map((row) => [row.value, row.test_date]),
  ).toEqual([
    [1.1, '2024-02-02'],
    [0.8, '2023-11-11'],
  ]);
});

it('reads cards with an arrow at their right edge and an earlier result in brackets', () => {
  expect(
    read([
      'Hémoglobine           ↓    V.G.M.                           ↑',
      '11,2 g/100 mL              109 fL',
      'Réf. : 12,0 à 16,0         Réf. : 80 à 100',
      'Ferritine                  Vitamine B12                     ↓',
      '31 µg/L                    104 pmol/L (98 le 14/11/2025)',
      'Réf. : 20 à 120            Réf. : 145 à 569',
      'Folates                    Anticorps anti-mitochondries     ●',
      '18,4 nmol/L                positifs',
    ]),
  ).toEqual([
    ['Hémoglobine', 11.2, 'g/100 mL', 12, 16, true],
    ['V.G.M.', 109, 'fL', 80, 100, true],
    ['Ferritine', 31, 'µg/L', 20, 120, false],
    ['Vitamine B12', 104, 'pmol/L', 145, 569, true],
    ['Folates', 18.4, 'nmol/L', null, null, false],
    ['Anticorps anti-mitochondries', null, null, null, null, true],
  ]);
});

it('goes on behind a day whose results a scan lost, and takes a column of words for none of tests', () => {
  expect(
    rowsOf([
      'Data            INR         Esito',
      '02.03.2024      #24?        in range',
      '16.03.2024      3,4         fuori range',
      'Prossimo controllo: 20.04.2024',
    ]).map((row) => [row.test_name_original, row.value, row.test_date]),
  ).toEqual([['INR', 3.4, '2024-03-16']]);
});
