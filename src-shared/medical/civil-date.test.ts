import { expect, it } from 'vitest';
import { civilDate, civilFromDay, dayNumber, daysBetween, fullYear } from './civil-date.ts';

it('rejects days that do not exist', () => {
  expect([
    civilDate(2024, 2, 29),
    civilDate(1900, 2, 29),
    civilDate(2000, 2, 29),
    civilDate(2023, 4, 31),
    civilDate(2023, 13, 1),
  ]).toEqual(['2024-02-29', null, '2000-02-29', null, null]);
});

it('counts days across leap days and years', () => {
  expect([
    daysBetween('2024-02-28', '2024-03-01'),
    daysBetween('2023-12-31', '2024-01-01'),
    daysBetween('2024-01-02', '2024-01-01'),
  ]).toEqual([2, 1, -1]);
});

it('expands a two-digit year to at most ten years ahead', () => {
  expect([fullYear(24, '2026-08-01'), fullYear(36, '2026-08-01'), fullYear(37, '2026-08-01')]).toEqual([
    2024, 2036, 1937,
  ]);
});

it('converts dates to day numbers and back across centuries', () => {
  for (const date of ['0001-01-01', '1582-10-15', '1899-12-31', '1900-03-01', '2000-02-29', '2024-12-31', '2026-11-21'])
    expect(civilFromDay(dayNumber(date))).toBe(date);
  for (let day = dayNumber('1999-01-01'); day < dayNumber('2005-01-01'); day += 1)
    expect(dayNumber(civilFromDay(day))).toBe(day);
});
