import { expect, test } from 'vitest';
import { dayNumber, daysBetween } from '../../../src-shared/medical/civil-date.ts';
import { requestedRange, daysIn, panSpan, spanOf, ticksOf, xOf, zoomSpan } from './axis.ts';

const year = { from: dayNumber('2024-01-01'), to: dayNumber('2025-01-01') };

test('zooming keeps the day under the pointer and respects the limits', () => {
  const nearer = zoomSpan(year, 2, 0.25);
  const day = year.from + daysIn(year) * 0.25;
  expect([Math.round(xOf(day, year, 1000)), Math.round(xOf(day, nearer, 1000)), daysIn(nearer)]).toEqual([
    250, 250, 183,
  ]);
  expect(daysIn(zoomSpan(year, 1e6, 0.5))).toBe(14);
  expect(daysIn(zoomSpan(year, 1e-9, 0.5))).toBe(160 * 365.25);
});

test('panning keeps a part of the record in view', () => {
  const extent = { from: year.from, to: year.to };
  for (const share of [-50, 50]) {
    const far = panSpan(year, share, extent);
    expect(far.from < extent.to && far.to > extent.from).toBe(true);
  }
  expect(panSpan(year, 0.1, extent).from - year.from).toBeCloseTo(36.6);
});

test('a record of one day is shown within two months', () => {
  expect(daysIn(spanOf({ from: '2024-05-05', to: '2024-05-05' }))).toBeGreaterThan(60);
});

test('requests more than is visible and keeps the request while panning a little', () => {
  const range = requestedRange(year);
  expect(range.from < '2024-01-01' && range.to > '2025-01-01').toBe(true);
  expect(daysBetween(range.from, range.to)).toBeLessThan(4 * 366);
  expect(requestedRange({ from: year.from + 0.4, to: year.to + 0.4 })).toEqual(range);
});

test('labels appear with the zoom: decades, years, months, days', () => {
  const labelled = (from: string, to: string) => [
    ...new Set(
      ticksOf({ from: dayNumber(from), to: dayNumber(to) }, 1000)
        .filter((tick) => tick.hasLabel)
        .map((tick) => tick.level),
    ),
  ];
  expect(labelled('1930-01-01', '2026-01-01')).toEqual(['decade']);
  expect(labelled('2005-01-01', '2026-01-01')).toEqual(['year', 'decade']);
  expect(labelled('2023-01-01', '2025-01-01')).toEqual(['year', 'month']);
  expect(labelled('2024-03-01', '2024-03-29')).toEqual(['month', 'day']);
});

test('lines of months and days appear only with their labels, when the axis is zoomed', () => {
  const levels = (from: string, to: string) => [
    ...new Set(ticksOf({ from: dayNumber(from), to: dayNumber(to) }, 1000).map((tick) => tick.level)),
  ];
  expect(levels('1930-01-01', '2026-01-01')).toEqual(['decade']);
  expect(levels('1980-01-01', '2026-01-01')).toEqual(['decade', 'year']);
  expect(levels('2018-01-01', '2026-01-01')).toEqual(['year', 'decade']);
  expect(levels('2024-01-01', '2026-01-01')).toEqual(['year', 'month']);
  expect(levels('2024-01-01', '2024-06-01')).toEqual(['year', 'month']);
});

test('ticks are on first days of their period', () => {
  expect(
    ticksOf(year, 1000)
      .filter((tick) => tick.level === 'month')
      .every((tick) => tick.date.endsWith('-01')),
  ).toBe(true);
});
