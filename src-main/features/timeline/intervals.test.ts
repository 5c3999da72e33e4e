import { expect, test } from 'vitest';
import { intervalsOf, startOf, unitOf } from './intervals.ts';

test('starts weeks on Monday', () => {
  expect(startOf('week', '2026-11-21')).toBe('2026-11-16');
  expect(startOf('week', '2026-11-16')).toBe('2026-11-16');
  expect(startOf('week', '2026-11-15')).toBe('2026-11-09');
  expect(startOf('week', '2000-01-01')).toBe('1999-12-27');
  expect(startOf('month', '2024-02-29')).toBe('2024-02-01');
  expect(startOf('year', '2024-02-29')).toBe('2024-01-01');
});

test('picks the finest unit with at most 400 intervals', () => {
  expect([
    unitOf('2026-01-01', '2026-12-31'),
    unitOf('2020-01-01', '2026-12-31'),
    unitOf('2000-01-01', '2026-12-31'),
    unitOf('1930-01-01', '2026-12-31'),
  ]).toEqual(['day', 'week', 'month', 'year']);
});

test('sums counts by day into ordered intervals', () => {
  expect(
    intervalsOf('month', [
      { date: '2024-03-05', documents: 2 },
      { date: '2024-01-09', results: 4, abnormal: 1, uncertain: 2 },
      { date: '2024-03-30', documents: 1, imaging: 1 },
    ]),
  ).toEqual([
    { date: '2024-01-01', documents: 0, results: 4, abnormal: 1, uncertain: 2, imaging: 0 },
    { date: '2024-03-01', documents: 3, results: 0, abnormal: 0, uncertain: 0, imaging: 1 },
  ]);
});
