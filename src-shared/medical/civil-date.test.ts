import { expect, it } from 'vitest';
import { civilDate, daysBetween, fullYear } from './civil-date.ts';

it('knows which days exist', () => {
  expect([civilDate(2024, 2, 29), civilDate(1900, 2, 29), civilDate(2000, 2, 29), civilDate(2023, 4, 31), civilDate(2023, 13, 1)]).toEqual(['2024-02-29', null, '2000-02-29', null, null]);
});

it('counts days over leap days and years', () => {
  expect([daysBetween('2024-02-28', '2024-03-01'), daysBetween('2023-12-31', '2024-01-01'), daysBetween('2024-01-02', '2024-01-01')]).toEqual([2, 1, -1]);
});

it('gives two digits the century of a date that can be printed today', () => {
  expect([fullYear(24, '2026-08-01'), fullYear(36, '2026-08-01'), fullYear(37, '2026-08-01')]).toEqual([2024, 2036, 1937]);
});
