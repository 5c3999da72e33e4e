import { describe, expect, it } from 'vitest';
import { trendOf, type Measured } from './trend.ts';

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

describe('a trend', () => {
  const plain = (value: number): Measured => ({ value, comparator: null });
  const printed = (comparator: Measured['comparator'], value: number): Measured => ({ value, comparator });

  it('is steady up to a change of five per cent of the earlier value', () => {
    expect([
      trendOf(plain(100), plain(105)),
      trendOf(plain(100), plain(105.1)),
      trendOf(plain(100), plain(95)),
      trendOf(plain(100), plain(94.9)),
      trendOf(plain(-2), plain(-2.05)),
      trendOf(plain(-2), plain(-2.2)),
      trendOf(plain(0), plain(0)),
    ]).toEqual(['steady', 'up', 'steady', 'down', 'steady', 'down', 'steady']);
  });

  it('goes up or down from an open value if the other value is outside its range', () => {
    expect([
      trendOf(printed('≤', 0.3), plain(0.5)),
      trendOf(printed('>', 20), plain(10)),
      trendOf(printed('≥', 20), plain(10)),
      trendOf(printed('>', 20), plain(30)),
      trendOf(plain(1), printed('>', 5)),
      trendOf(printed('<', 5), printed('>', 90)),
    ]).toEqual(['up', 'down', 'down', null, 'up', 'up']);
  });

  it('goes up or down at the limit of an open value', () => {
    expect([
      trendOf(printed('<', 5), plain(5)),
      trendOf(plain(5), printed('<', 5)),
      trendOf(plain(5), printed('>', 5)),
    ]).toEqual(['up', 'down', 'up']);
  });
});
