import { describe, expect, it } from 'vitest';
import { resultRow as row } from '../../../test/support/lab-rows.ts';
import type { ResultRow } from './result-row.ts';
import { seriesOf, type SeriesOptions } from './series.ts';
import { createUnitConversion } from './unit-conversion.ts';

const convert = createUnitConversion();
const GLUCOSE = { molarMass: 180.156, charge: null, rules: [] };
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

describe('the units of a series', () => {
  it('are the printed units, most frequent first, then the preferred one', () => {
    const rows = [
      row('2024-01-01', '90', 'mg/dL'),
      row('2024-02-01', '0.9', 'g/L'),
      row('2024-03-01', '0.8', 'g/L'),
      row('2024-04-01', '5.5', null),
      row('2024-05-01', 'negativ', 'Striche'),
    ];
    const { unit, units } = series(rows, { preferred: 'mmol/L' });
    expect(unit).toBe('g/L');
    expect(units).toEqual([
      { unit: 'g/L', count: 2, converts: true },
      { unit: 'mg/dL', count: 1, converts: true },
      { unit: 'mmol/L', count: 0, converts: true },
    ]);
  });

  it('are marked if no other result converts to them', () => {
    const rows = [
      row('2024-01-01', '5.1', 'mmol/L'),
      row('2024-02-01', '5.3', 'mmol/L'),
      row('2024-03-01', '7', 'Striche'),
      row('2024-03-01', '8', null),
    ];
    expect(series(rows).units).toEqual([
      { unit: 'mmol/L', count: 2, converts: true },
      { unit: 'Striche', count: 1, converts: false },
    ]);
    expect(series(rows, { preferred: 'kPa' }).units.at(-1)).toEqual({ unit: 'kPa', count: 0, converts: false });
  });

  it('do not include the preferred unit if no unit is printed', () => {
    expect(series([row('2024-01-01', '5.1', null)], { preferred: 'mmol/L' }).units).toEqual([]);
  });

  it('are those of numbers: texts do not decide', () => {
    const rows = [
      row('2024-01-01', '5.1', 'mmol/L'),
      row('2024-02-01', 'negativ', 'Striche'),
      row('2024-03-01', 'positiv', 'Striche'),
    ];
    expect(series(rows).unit).toBe('mmol/L');
    expect(series(rows.slice(1), { preferred: 'mmol/L' })).toMatchObject({ unit: null, units: [] });
  });

  it('include a printed unit in the spelling of the reports if it is the preferred one', () => {
    const rows = [
      row('2024-01-01', '250', 'Tsd/µl'),
      row('2024-02-01', '12', 'Striche'),
      row('2024-03-01', '251', 'Tsd/µl'),
    ];
    expect(series(rows, { preferred: '10*9/L' }).units.map(({ unit }) => unit)).toEqual(['Tsd/µl', 'Striche']);
    expect(series(rows.slice(1, 2), { preferred: '10*9/L' }).units.map(({ unit }) => unit)).toEqual([
      'Striche',
      '10⁹/L',
    ]);
  });
});

describe('conversions of a series', () => {
  /** A scale that is two points above the other one. */
  const SHIFTED = { molarMass: null, charge: null, rules: [{ from: 'g/L', to: 'mmol/L', factor: 1, offset: 2 }] };

  it('are counted by printed unit', () => {
    const rows = [
      row('2024-01-01', '90', 'mg/dL'),
      row('2024-02-01', '0.9', 'g/L'),
      row('2024-03-01', '95', 'mg/dL'),
      row('2024-04-01', '5.2', 'mmol/L'),
    ];
    expect(series(rows, { unit: 'mmol/L' }).conversions).toEqual([
      { from: 'mg/dL', to: 'mmol/L', factor: 0.0555074, offset: 0, by: 'substance', count: 2 },
      { from: 'g/L', to: 'mmol/L', factor: 5.55074, offset: 0, by: 'substance', count: 1 },
    ]);
  });

  it('with an offset apply to values and limits, but not to missing limits', () => {
    const rows = [row('2024-01-01', '5', 'g/L', { reference_range_high: 7 })];
    const { points, conversions } = series(rows, { unit: 'mmol/L', substance: SHIFTED });
    expect(points).toMatchObject([{ value: 7, reference_range_low: null, reference_range_high: 9, converted: true }]);
    expect(conversions).toMatchObject([{ from: 'g/L', factor: 1, offset: 2, by: 'substance' }]);
  });

  it('leave a value in the unit of the series as it was printed, with all its digits', () => {
    const rows = [row('2024-01-01', '1234567.8', 'mmol/L'), row('2024-02-01', '123456.78', 'g/L')];
    const { points } = series(rows, { unit: 'mmol/L' });
    expect(points.map(({ value, converted }) => [value, converted])).toEqual([
      [1234567.8, false],
      [685277, true],
    ]);
  });
});

describe('the points of a series', () => {
  it('are oldest first, in whatever order the results are stored', () => {
    const rows = [
      row('2024-03-01', '5.3', 'mmol/L'),
      row('2024-01-01', '5.1', 'mmol/L'),
      row(null, '5.5', 'mmol/L'),
      row('2024-02-01', '5.2', 'mmol/L'),
    ];
    expect(series(rows).points.map(({ value }) => value)).toEqual([5.1, 5.2, 5.3]);
  });

  it('without a document have no other prints or copies', () => {
    expect(series([row('2024-01-01', '5.1', 'mmol/L', { document_id: null })]).points).toMatchObject([
      { document_id: null, also_printed: [], also_in: [] },
    ]);
  });

  it('name the other documents with the same result, as do results apart', () => {
    const copies = (date: string | null, printed: string) => [
      row(date, printed, 'mmol/L', { id: 901, document_id: 1, document_filename: 'first.pdf' }),
      row(date, printed, 'mmol/L', { id: 902, document_id: 2, document_filename: 'second.pdf' }),
    ];
    const also_in = [{ id: 902, document_id: 2, document_filename: 'second.pdf' }];
    expect(series(copies('2024-01-01', '5.1')).points).toMatchObject([{ id: 901, document_id: 1, page: 1, also_in }]);
    expect(series(copies('2024-01-01', 'negativ')).apart).toMatchObject([
      { id: 901, document_id: 1, value_text: 'negativ', unit: 'mmol/L', date: '2024-01-01', also_in },
    ]);
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
  it('pairs each of two measurements of a day with its own value in the other unit', () => {
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
