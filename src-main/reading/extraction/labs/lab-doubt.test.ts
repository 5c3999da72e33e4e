import { describe, expect, it } from 'vitest';
import { loadEntries, readResource } from '../../knowledge/load.ts';
import { readTable } from '../../knowledge/table.ts';
import { rowsOf } from '../../../../test/support/printed-labs.ts';
import { plausibleLimits } from './plausible-limits.ts';

const HEAD = 'Analyse            Ergebnis     Einheit     Referenzbereich';
const doubts = (lines: readonly string[], scanned = false) => rowsOf([HEAD, ...lines], scanned).map((row) => row.doubt);

describe('the doubts about a result', () => {
  it('are none in a complete table', () => {
    expect(
      doubts([
        'Natrium            141          mmol/l      136 - 145',
        'CRP                104          mg/l        < 5',
        'INR                1.1                      0.9 - 1.2',
        'Leukozyten         12.4         G/l         4 - 10',
      ]),
    ).toEqual([[], [], [], []]);
  });

  it('name a missing unit and a missing range', () => {
    expect(
      doubts([
        'Natrium            141          mmol/l      136 - 145',
        'Kalium             4.1                      3.5 - 5.1',
        'Kreatinin          80           µmol/l      45 - 84',
        'Ferritin           64           µg/l        15 - 150',
        'Chlorid            101          mmol/l',
      ]),
    ).toEqual([[], ['unit_missing'], [], [], ['range_missing']]);
  });

  it('are none for a number below the limit of a device', () => {
    expect(
      doubts([
        'Thrombozyten       <20          /nl         150 - 370',
        'Thrombozyten       20           /nl         150 - 370',
      ]),
    ).toEqual([[], ['far_from_range']]);
  });

  it('name a number that no one has, and one far outside its range', () => {
    expect(
      doubts([
        'Hämoglobin         148          g/dl        12.0 - 16.0',
        'Calcium            13.2         mmol/l      2.10 - 2.60',
        'Magnesium          0.13         mmol/l      0.75 - 1.05',
      ]),
    ).toEqual([['far_from_range', 'value_impossible'], ['far_from_range', 'value_impossible'], ['far_from_range']]);
  });

  it('name a lost decimal point of a scan only', () => {
    const lines = ['Phosphat           1.1          mmol/l      80 - 150'];
    expect([doubts(lines, true), doubts(lines)]).toEqual([
      [['far_from_range', 'decimals_differ']],
      [['far_from_range']],
    ]);
  });

  it('name a sentence in place of a test', () => {
    const lines = [
      'Analyse                                              Ergebnis     Einheit     Referenzbereich',
      'Kontrolle der Werte im Verlauf von drei Monaten      12           mmol/l      3 - 20',
    ];
    expect(rowsOf(lines).map((row) => row.doubt)).toEqual([['name_long']]);
  });
});

it('knows the limits of a test by its unit', () => {
  expect([
    plausibleLimits('Hämoglobin', 'g/dl'),
    plausibleLimits('Hemoglobin', 'g/L'),
    plausibleLimits('Kalium i.S.', 'mmol/l'),
    plausibleLimits('Hämoglobin', 'furlong'),
    plausibleLimits('Zonulin', 'ng/ml'),
  ]).toEqual([{ low: 1.5, high: 26 }, { low: 15, high: 260 }, { low: 1, high: 11 }, null, null]);
});

it('has plausible limits of known tests only, the lower one below the upper one', () => {
  const codes = new Set(loadEntries('lab_tests').map(({ code }) => code));
  const rows = readTable(readResource('plausible-limits.tsv'), ['code', 'unit', 'low', 'high']);
  expect(rows.filter(({ code, low, high }) => !codes.has(code) || !(Number(low) < Number(high)))).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
});

it('keeps the sign of a range with one bound', () => {
  const range = (printed: string) => {
    const [row] = rowsOf([HEAD, `Ferritin           64           µg/l        ${printed}`]);
    return [row?.reference_range_low, row?.reference_range_comparator, row?.reference_range_high];
  };
  expect(['< 150', '≤ 150', '>= 15', '> 15', 'bis 150', '15 - 150'].map(range)).toEqual([
    [null, '<', 150],
    [null, '≤', 150],
    [15, '≥', null],
    [15, '>', null],
    [null, '≤', 150],
    [15, null, 150],
  ]);
});
