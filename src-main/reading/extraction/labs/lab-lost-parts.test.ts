import { describe, expect, it } from 'vitest';
import { read, rowsOf } from '../../../../test/support/printed-labs.ts';

/** Cells that begin at these columns of a line. */
const cells = (...parts: [number, string][]): string => parts.reduce((line, [at, text]) => line.padEnd(at) + text, '');
const doubtsOf = (lines: readonly string[], isScanned = true) =>
  rowsOf(lines, isScanned).map((row) => [row.value, row.doubt]);

it('reads the present result, not the earlier one, where both are right-aligned under their headings', () => {
  const head = cells([0, 'Messgröße'], [26, 'Vorwert'], [43, 'Aktuell'], [58, 'Einheit'], [73, 'Altersnorm']);
  expect(
    read([
      head,
      cells([0, 'Leukozyten'], [37, '9,7'], [51, '14,8'], [58, '/nl'], [73, '4,5-13,5']),
      cells([0, 'CRP'], [36, '<1,0'], [51, '61,3'], [58, 'mg/l'], [73, '<5,0']),
      cells([0, 'Thrombozyten'], [37, '352'], [52, '446'], [58, '/nl'], [73, '150-400']),
    ]),
  ).toEqual([
    ['Leukozyten', 14.8, '/nl', 4.5, 13.5, true],
    ['CRP', 61.3, 'mg/l', null, 5, true],
    ['Thrombozyten', 446, '/nl', 150, 400, true],
  ]);
});

describe('a range below its result', () => {
  it('may be far from its label, have no dash in a scan, or a remark behind it', () => {
    expect(
      read(
        [
          'Glicemia                   112 mg/dL',
          'rif. 70 - 100',
          'Colesterolo HDL            51 mg/dL',
          'rif.     > 40',
          'Uricemia                   6,6 mg/dL',
          'rif. 3,5    7,2',
          'Ferritina                  18 ng/mL',
          'rif. 30 - 300 ng/ - basso',
        ],
        true,
      ),
    ).toEqual([
      ['Glicemia', 112, 'mg/dL', 70, 100, true],
      ['Colesterolo HDL', 51, 'mg/dL', 40, null, false],
      ['Uricemia', 6.6, 'mg/dL', 3.5, 7.2, false],
      ['Ferritina', 18, 'ng/mL', 30, 300, true],
    ]);
  });

  it('may have the result beside it, and its unit beside the name', () => {
    expect(
      read([
        'IgA totali          mg/dL',
        'Valori di riferimento: 70 - 400               138',
        'Sideremia           ug/dL basso',
        'Valori di riferimento: 50 - 170               49',
      ]),
    ).toEqual([
      ['IgA totali', 138, 'mg/dL', 70, 400, false],
      ['Sideremia', 49, 'ug/dL', 50, 170, true],
    ]);
  });

  it('may be on a card with what is said of the result between both', () => {
    expect(
      read([
        ...['Test results', 'TSH', '5.72', 'mU/L    Above range', 'Normal range: 0.27 to 4.20'],
        ...['Folate', '4.6 ug/L', 'In range', 'Normal range: 3.9 to 26.8'],
      ]),
    ).toEqual([
      ['TSH', 5.72, 'mU/L', 0.27, 4.2, true],
      ['Folate', 4.6, 'ug/L', 3.9, 26.8, false],
    ]);
  });

  it('may be in brackets behind its label', () => {
    const cards = ['MCV', '108,4 fl       erhöht', 'Referenzbereich [80,0-98,0]', '', 'GOT', '43 U/l'];
    expect(read([...cards, 'Referenzbereich [bis 50]'])).toEqual([
      ['MCV', 108.4, 'fl', 80, 98, true],
      ['GOT', 43, 'U/l', null, 50, false],
    ]);
  });

  it('is missed if only its label can be read', () => {
    const card = ['Glicemia                   112 mg/dL', 'rif. 7O-1OO) 3'];
    expect(doubtsOf(card)).toEqual([[112, ['range_missing']]]);
    expect(doubtsOf(card, false)).toEqual([[112, []]]);
    const farBelow = ['Lipase', '43 U/l', '', 'Referenz [13-60]', '', 'MCV', '88 fl', '', 'Referenz [80-98]'];
    expect(doubtsOf(farBelow)).toEqual([
      [43, ['range_missing']],
      [88, ['range_missing']],
    ]);
  });

  it('is missed if one other number of a scan has one', () => {
    const lines = ['Kalium        4,1        mmol/l      3,5 - 5,1', 'Chlorid       101        mmol/l'];
    expect([doubtsOf(lines), doubtsOf(lines, false)]).toEqual([
      [
        [4.1, []],
        [101, ['range_missing']],
      ],
      [
        [4.1, []],
        [101, []],
      ],
    ]);
  });

  it('is doubted if nobody has a value as large or as small as its bounds', () => {
    expect(
      doubtsOf([
        'Hämoglobin    14,1       g/dl        12,0 - 160,0',
        'Kalium        4,1        mmol/l      0,35 - 5,10',
        'Natrium       140        mmol/l      136 - 145',
      ]),
    ).toEqual([
      [14.1, ['decimals_differ']],
      [4.1, ['decimals_differ']],
      [140, []],
    ]);
  });

  it('is missed if the page has a heading of ranges and none below it', () => {
    const rows = [
      'Kalium        4,1        mmol/l',
      'Natrium       140        mmol/l',
      'Chlorid       101        mmol/l',
    ];
    expect(doubtsOf(['Analyse       Wert       Einheit     Referenz', ...rows])).toEqual([
      [4.1, ['range_missing']],
      [140, ['range_missing']],
      [101, ['range_missing']],
    ]);
    expect(rowsOf(['Analyse       Wert       Einheit', ...rows], true).flatMap(({ doubt }) => doubt)).toEqual([]);
  });
});

describe('what a scan damaged', () => {
  const one = (row: string) => read(['Test          Result     Units      Range', row], true)[0]?.slice(0, 3);

  it('is repaired in units', () => {
    expect(one('WCC           3.6L       10M9/L     4.0-11.0')).toEqual(['WCC', 3.6, '10^9/L']);
    expect(one('Folate        5.4        ng/ ml     3.9-26.8')).toEqual(['Folate', 5.4, 'ng/ml']);
    expect(read(['Hämoglobin', '12,4 g/di', 'Referenz: 12,0 - 16,0'], true)[0]?.[2]).toBe('g/dl');
  });

  it('is repaired in names', () => {
    expect(one('pC02          6.4        kPa        4.7-6.0')?.[0]).toBe('pCO2');
    expect(one('25-0OH vitamin D   34    nmol/L     50-125')?.[0]).toBe('25-OH vitamin D');
    expect(one('{49 Apple     2.85       kU/L       <0.35')?.[0]).toBe('f49 Apple');
  });
});

describe('a result is doubted', () => {
  it('if no living person has it, in whatever unit the limits are known', () => {
    expect(doubtsOf(['Folsäure          5,4     ng/l     3,9 - 26,8'], false)).toEqual([[5.4, ['value_impossible']]]);
    expect(doubtsOf(['Thrombozyten      24100   10^3/µl  150 - 400'], false)[0]?.[1]).toContain('value_impossible');
    expect(doubtsOf(['Folsäure          5,4     ng/ml    3,9 - 26,8'], false)).toEqual([[5.4, []]]);
  });

  it('if the unit of a hormone was lost', () => {
    expect(doubtsOf(['Analyse   Wert   Einheit   Referenz', 'FSH       9,4              3,5 - 12,5'])).toEqual([
      [9.4, ['unit_missing']],
    ]);
  });

  it('if its name has the end of a sentence, and a legend gives no result', () => {
    const head = 'Test          Result     Units      Range';
    const rows = ['Analyte          Expected        Your result', '                                 unit'];
    rows.push('TSH              0.27 - 4.20     2.31', '                                 mIU/L');
    rows.push('Prolactin to be repeated fasting. Macroprolactin not detected.');
    expect(rowsOf(rows, true).map(({ doubt }) => doubt)).toEqual([[], ['name_long']]);
    expect(read([head, 'f49 Apple     2.85       kU/L       <0.35', 'Classes: 0 negative, 1 borderline'])).toHaveLength(
      1,
    );
  });
});
