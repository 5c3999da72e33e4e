import { describe, expect, it } from 'vitest';
import { bandsOf, columnsOf, extentOf, secondsOf, spanStart, ticksOf } from './chart-model.ts';

const point = (date: string, value: number, low: number | null = null, high: number | null = null) => ({
  date,
  value,
  reference_range_low: low,
  reference_range_high: high,
  reference_range_comparator: null,
});
const middle = (a: string, b: string) => (secondsOf(a) + secondsOf(b)) / 2;

describe('the reference band', () => {
  it("is the measuring laboratory's range and changes half way between results", () => {
    expect(
      bandsOf([point('2024-01-01', 5, 3, 6), point('2025-01-01', 5, 3, 6), point('2026-01-01', 5, 3.5, null)]),
    ).toEqual([
      { from: null, to: middle('2025-01-01', '2026-01-01'), low: 3, high: 6, comparator: null },
      { from: middle('2025-01-01', '2026-01-01'), to: null, low: 3.5, high: null, comparator: null },
    ]);
  });
  it('keeps the printed sign of a range with one bound', () => {
    const bounded = { ...point('2024-01-01', 5, null, 5.7), reference_range_comparator: '≤' as const };
    expect(bandsOf([bounded, { ...point('2025-01-01', 5, null, 5.7) }]).map(({ comparator }) => comparator)).toEqual([
      '≤',
      null,
    ]);
  });
  it('has a gap at a result without a range', () => {
    expect(bandsOf([point('2024-01-01', 5, 3, 6), point('2025-01-01', 5), point('2026-01-01', 5, 3, 6)])).toEqual([
      { from: null, to: middle('2024-01-01', '2025-01-01'), low: 3, high: 6, comparator: null },
      { from: middle('2025-01-01', '2026-01-01'), to: null, low: 3, high: 6, comparator: null },
    ]);
  });
});

describe('the value axis', () => {
  it('contains all results and nearby bounds, and starts at zero if zero is near', () => {
    const [low, high] = extentOf([point('2024-01-01', 24, 30, 300), point('2025-01-01', 96, 30, 300)]);
    expect(low).toBe(0);
    expect(high).toBeGreaterThan(96);
    expect(high).toBeLessThan(120);
  });
  it('does not flatten a small change of a large value', () => {
    const [low, high] = extentOf([point('2024-01-01', 138, 136, 145), point('2025-01-01', 141, 136, 145)]);
    expect(low).toBeGreaterThan(130);
    expect(high).toBeGreaterThan(145);
  });
  it('has a margin around a single result and without results', () => {
    expect(extentOf([point('2024-01-01', 5)])[1]).toBeGreaterThan(5);
    expect(extentOf([point('2024-01-01', 0)])).toEqual([0 - 0.08, 0.08]);
    expect(extentOf([])).toEqual([0, 1]);
  });
});

it('merges two tests on one time axis', () => {
  const { columns, rows } = columnsOf([
    [point('2024-01-01', 1), point('2025-01-01', 2), point('2025-01-01', 3)],
    [point('2024-06-01', 10)],
  ]);
  expect(columns).toEqual([
    [secondsOf('2024-01-01'), secondsOf('2024-06-01'), secondsOf('2025-01-01'), secondsOf('2025-01-01')],
    [1, null, 2, 3],
    [null, 10, null, null],
  ]);
  expect(rows).toEqual([
    { series: 0, index: 0 },
    { series: 1, index: 0 },
    { series: 0, index: 1 },
    { series: 0, index: 2 },
  ]);
});

it('counts a span back from the last result', () => {
  expect([spanStart('2026-03-04', 5), spanStart('2026-03-04', null), spanStart(undefined, 5)]).toEqual([
    secondsOf('2021-03-04'),
    null,
    null,
  ]);
});

describe('ticks of the time axis', () => {
  const marks = (from: string, to: string, most: number) =>
    ticksOf(secondsOf(from), secondsOf(to), most).map(({ at, unit }) => [
      new Date(at * 1000).toISOString().slice(0, 10),
      unit,
    ]);
  it('are years, half years, months or days, with years starting in January', () => {
    expect(marks('2023-01-10', '2026-11-12', 8)).toEqual([
      ['2023-07-01', 'month'],
      ['2024-01-01', 'year'],
      ['2024-07-01', 'month'],
      ['2025-01-01', 'year'],
      ['2025-07-01', 'month'],
      ['2026-01-01', 'year'],
      ['2026-07-01', 'month'],
    ]);
    expect(marks('2001-01-10', '2026-11-12', 6)).toEqual([
      ['2005-01-01', 'year'],
      ['2010-01-01', 'year'],
      ['2015-01-01', 'year'],
      ['2020-01-01', 'year'],
      ['2025-01-01', 'year'],
    ]);
    expect(marks('2026-11-01', '2026-11-05', 8)).toEqual([
      ['2026-11-02', 'day'],
      ['2026-11-03', 'day'],
      ['2026-11-04', 'day'],
      ['2026-11-05', 'day'],
    ]);
  });
  it('never exceed the maximum', () => {
    for (const days of [1, 20, 60, 200, 800, 4000, 30_000])
      for (const most of [2, 5, 9])
        expect(ticksOf(0, days * 86_400, most).length, `${days} ${most}`).toBeLessThanOrEqual(most + 1);
  });
});
