import { describe, expect, it } from 'vitest';
import { groupByPanel, rangeBar } from './result-layout.ts';

describe('range bars', () => {
  const bar = (value: number | null, low: number | null, high: number | null) =>
    rangeBar({ value, reference_range_low: low, reference_range_high: high });
  it('place the range in the middle and the value in proportion', () => {
    expect(bar(15, 10, 20)).toEqual({ from: 0.25, to: 0.75, at: 0.5 });
    expect(bar(7.5, 10, 20)?.at).toBe(0.125);
  });
  it('clip a distant value to the edge', () => {
    expect(bar(900, 10, 20)?.at).toBe(1);
    expect(bar(-900, 10, 20)?.at).toBe(0);
  });
  it('start or end with the range if it has one bound', () => {
    expect(bar(3, null, 6)).toMatchObject({ from: 0, at: 1 / 3, to: 2 / 3 });
    expect(bar(60, 60, null)).toMatchObject({ from: 1 / 3, at: 1 / 3, to: 1 });
  });
  it('need a value and a bound', () => {
    expect(bar(null, 10, 20)).toBeNull();
    expect(bar(5, null, null)).toBeNull();
    expect(bar(5, 20, 20)).toBeNull();
    expect(bar(5, null, 0)).toBeNull();
  });
});

it('groups results by panel in page order, without a heading for a single panel', () => {
  const rows = [
    { id: 1, panel_name: 'CBC' },
    { id: 2, panel_name: 'Lipids' },
    { id: 3, panel_name: 'CBC' },
  ] as never[];
  expect(groupByPanel(rows).map((group) => [group.panel, group.results.length])).toEqual([
    ['CBC', 2],
    ['Lipids', 1],
  ]);
  expect(groupByPanel(rows.slice(0, 1))[0]?.panel).toBeNull();
});
