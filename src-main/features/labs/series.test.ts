import { describe, expect, it } from 'vitest';
import { mergeDuplicateResults } from './duplicate-results.ts';
import type { ResultRow } from './result-row.ts';
import { seriesOf, type SeriesOptions } from './series.ts';
import { trendOf } from './trend.ts';
import { createUnitConversion } from './unit-conversion.ts';

const convert = createUnitConversion();
const GLUCOSE = { molarMass: 180.156, charge: null, rules: [] };
let ids = 0;
const row = (
  date: string | null,
  printed: string | null,
  unit: string | null,
  more: Partial<ResultRow> = {},
): ResultRow => {
  const number = printed === null ? NaN : Number(printed.replace(/^[<>≤≥]\s*/, ''));
  ids += 1;
  return {
    id: ids,
    document_id: ids,
    document_filename: `${ids}.pdf`,
    laboratory: null,
    page: 1,
    test_name_original: 'Glukose',
    date,
    value: Number.isNaN(number) ? null : number,
    value_text: printed,
    unit,
    reference_range_low: null,
    reference_range_high: null,
    is_abnormal: null,
    panel_name: null,
    edited: false,
    ...more,
  };
};
const series = (rows: ResultRow[], options: Partial<SeriesOptions> = {}) =>
  seriesOf(rows, { unit: null, preferred: null, substance: GLUCOSE, convert, ...options });

describe('a series', () => {
  it('offers the preferred unit once, as a report printed it', () => {
    const rows = [row('2024-05-01', '90', 'mg/dl'), row('2025-05-01', '5.2', 'mmol/L')];
    const { unit, units } = series(rows, { preferred: 'mg/dL' });
    expect([unit, units.map((one) => one.unit).sort()]).toEqual(['mmol/L', ['mg/dl', 'mmol/L']]);
  });

  it('is in the preferred unit if all printed units convert only to that one', () => {
    const rows = [row('2024-05-01', '90', 'mg/dL'), row('2025-05-01', '5.2', 'g/L')];
    const onlyToPreferred: typeof convert = (from, to, substance) =>
      from === to || to === 'mmol/L' ? convert(from, to, substance) : 'other_quantity';
    expect(series(rows, { preferred: 'mmol/L', convert: onlyToPreferred }).unit).toBe('mmol/L');
    expect(series(rows, { preferred: null, convert: onlyToPreferred }).unit).toBe('g/L');
    expect(series(rows.slice(0, 1), { preferred: 'mmol/L', convert: onlyToPreferred }).unit).toBe('mg/dL');
  });

  it('converts to one unit, each result with the range of its own laboratory', () => {
    const { unit, points, conversions } = series([
      row('2024-05-01', '90', 'mg/dL', { reference_range_low: 70, reference_range_high: 100, laboratory: 'Lakeview' }),
      row('2025-05-01', '5.2', 'mmol/L', {
        reference_range_low: 3.9,
        reference_range_high: 5.6,
        laboratory: 'Synlabor',
      }),
    ]);
    expect(unit).toBe('mmol/L');
    expect(
      points.map((point) => [
        point.date,
        point.value,
        point.reference_range_low,
        point.reference_range_high,
        point.converted,
        point.laboratory,
      ]),
    ).toEqual([
      ['2024-05-01', 4.99567, 3.88552, 5.55074, true, 'Lakeview'],
      ['2025-05-01', 5.2, 3.9, 5.6, false, 'Synlabor'],
    ]);
    expect(points[0]?.original).toEqual({
      value_text: '90',
      unit: 'mg/dL',
      reference_range_low: 70,
      reference_range_high: 100,
    });
    expect(conversions).toEqual([
      { from: 'mg/dL', to: 'mmol/L', factor: 0.0555074, offset: 0, by: 'substance', count: 1 },
    ]);
  });

  it('can be requested in another printed unit', () => {
    const { unit, units, points } = series([row('2024-05-01', '90', 'mg/dL'), row('2025-05-01', '5.2', 'mmol/L')], {
      unit: 'mg/dL',
    });
    expect([unit, points.map((point) => point.value)]).toEqual(['mg/dL', [90, 93.6811]]);
    expect(units).toEqual([
      { unit: 'mg/dL', count: 1, converts: true },
      { unit: 'mmol/L', count: 1, converts: true },
    ]);
  });

  it('picks the unit in which most results can be shown, not the one misread last', () => {
    expect(
      series([row('2023-01-01', '5', 'mmol/L'), row('2024-01-01', '90', 'mg/dL'), row('2025-01-01', '5.2', 'mmo|IL?')])
        .unit,
    ).toBe('mg/dL');
  });

  it('lists results that do not convert apart with the reason', () => {
    const { points, apart } = series([
      row('2024-01-01', '5.1', 'mmol/L'),
      row('2024-02-01', '5.3', 'mmol/L'),
      row('2024-03-01', '5.5', null),
      row('2024-04-01', 'negativ', null),
      row('2024-05-01', '7', 'Striche'),
      row('2024-06-01', '0.4', '%'),
      row(null, '5.0', 'mmol/L'),
    ]);
    expect(points.map((point) => point.value)).toEqual([5.1, 5.3]);
    expect(apart.map((one) => [one.value_text, one.reason])).toEqual([
      ['5.5', 'no_unit'],
      ['negativ', 'not_a_number'],
      ['7', 'unknown_unit'],
      ['0.4', 'other_quantity'],
      ['5.0', 'no_date'],
    ]);
    expect(
      series([row('2024-01-01', '90', 'mg/dL'), row('2024-02-01', '5.3', 'mmol/L')], { substance: null }).apart.map(
        (one) => one.reason,
      ),
    ).toEqual(['needs_molar_mass']);
  });

  it('has no unit if none is printed', () => {
    const { unit, points } = series([row('2024-01-01', '1.0', null), row('2024-02-01', '2.4', null)]);
    expect([unit, points.length]).toEqual([null, 2]);
  });

  it('includes comparators, and flags by the printed range', () => {
    const { points } = series([
      row('2024-01-01', '<0.3', 'mmol/L', { reference_range_high: 5 }),
      row('2024-02-01', '>20', 'mmol/L', { reference_range_high: 5 }),
      row('2024-03-01', '3', 'mmol/L', { reference_range_low: 3.9 }),
      row('2024-04-01', '4', 'mmol/L', { is_abnormal: true }),
    ]);
    expect(points.map((point) => [point.comparator, point.flag])).toEqual([
      ['<', null],
      ['>', 'high'],
      [null, 'low'],
      [null, 'abnormal'],
    ]);
  });

  it('keeps the flag that a user set to normal', () => {
    expect(
      series([row('2024-01-01', '9', 'mmol/L', { reference_range_high: 5, is_abnormal: false })]).points[0]?.flag,
    ).toBeNull();
  });
});

describe('a report that prints two units', () => {
  const prints = (...all: [string, string, number?][]) =>
    series(all.map(([value, unit, document_id = 1]) => row('2024-01-01', value, unit, { document_id }))).points.map(
      (point) => [point.original.value_text, point.also_printed.map((print) => print.value_text)],
    );
  it('merges them into one point', () => {
    expect(prints(['5.0', 'mmol/L'], ['91', 'mg/dL'])).toEqual([['91', ['5.0']]]);
    expect(
      series([
        row('2024-01-01', '5.0', 'mmol/L', { document_id: 1 }),
        row('2024-01-01', '91', 'mg/dL', { document_id: 1 }),
        row('2024-02-01', '5.2', 'mmol/L'),
      ]).points.map((point) => [point.value, point.also_printed.length]),
    ).toEqual([
      [5, 1],
      [5.2, 0],
    ]);
  });
  it('pairs each of two measurements of a day with its own print', () => {
    expect(prints(['90', 'mg/dL'], ['110', 'mg/dL'], ['6.1', 'mmol/L'], ['5.0', 'mmol/L'])).toEqual([
      ['6.1', ['110']],
      ['5.0', ['90']],
    ]);
  });
  it('does not merge values that differ by more than rounding, of another report, or in one unit', () => {
    expect(prints(['5.0', 'mmol/L'], ['98', 'mg/dL'])).toHaveLength(2);
    expect(prints(['5.0', 'mmol/L'], ['91', 'mg/dL', 2])).toHaveLength(2);
    expect(prints(['5.0', 'mmol/L'], ['5.0', 'mmol/L'])).toHaveLength(2);
  });
});

describe('duplicate results', () => {
  const shown = (rows: ResultRow[]) =>
    mergeDuplicateResults(rows).map(({ row: one, copies }) => [
      one.document_id,
      copies.map((copy) => copy.document_id),
    ]);

  it('of a report scanned twice count once', () => {
    const first = row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      second = row('2024-01-01', '5.10', 'mmol/l', { document_id: 2 });
    expect(shown([first, second])).toEqual([[1, [2]]]);
  });

  it('differ from two results of one report, and from other values, units and days', () => {
    const other = [
      row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
      row('2024-01-01', '5.2', 'mmol/L', { document_id: 2 }),
      row('2024-01-02', '5.1', 'mmol/L', { document_id: 3 }),
      row('2024-01-01', '5.1', 'mg/dL', { document_id: 4 }),
      row('2024-01-01', '<5.1', 'mmol/L', { document_id: 5 }),
    ];
    expect(shown(other).every(([, copies]) => (copies as number[]).length === 0)).toBe(true);
    expect(
      shown([
        ...other.slice(0, 2),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 9 }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 9 }),
      ]),
    ).toEqual([
      [1, [9]],
      [1, [9]],
    ]);
  });

  it('without a date are not merged', () => {
    expect(
      shown([row(null, '5.1', 'mmol/L', { document_id: 1 }), row(null, '5.1', 'mmol/L', { document_id: 2 })]),
    ).toEqual([
      [1, []],
      [2, []],
    ]);
  });

  it('are found without a readable unit, and between a result without a document and a new scan', () => {
    expect(
      shown([
        row('2024-01-01', '5.1', null, { document_id: 1 }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 2 }),
      ]),
    ).toEqual([[2, [1]]]);
    expect(
      shown([
        row('2024-01-01', '5.1', 'mmol/L', { document_id: null }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 2 }),
      ]),
    ).toEqual([[2, [null]]]);
    expect(
      shown([
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 1 }),
        row('2024-01-01', '5.1', 'mmol/L', { document_id: 2, edited: true }),
      ]),
    ).toEqual([[2, [1]]]);
  });
});

it('computes a trend only for comparable results', () => {
  const plain = (value: number) => ({ value, comparator: null }),
    below = (value: number) => ({ value, comparator: '<' as const });
  expect([
    trendOf(plain(10), plain(10.4)),
    trendOf(plain(10), plain(11)),
    trendOf(plain(10), plain(9)),
    trendOf(undefined, plain(9)),
  ]).toEqual(['steady', 'up', 'down', null]);
  expect([
    trendOf(below(0.3), plain(0.5)),
    trendOf(below(0.3), plain(0.2)),
    trendOf(plain(1), below(0.3)),
    trendOf(below(0.3), below(0.3)),
    trendOf(below(0.3), below(0.6)),
  ]).toEqual(['up', null, 'down', 'steady', null]);
});
