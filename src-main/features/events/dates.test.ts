import { expect, test } from 'vitest';
import { datesAfter } from './dates.ts';

const ended = { date_start: '2024-01-10', date_end: '2024-02-01', is_ongoing: false };
const ongoing = { date_start: '2024-01-10', date_end: null, is_ongoing: true };

test('ends an event when its end date is set, and clears the end date of an ongoing event', () => {
  expect(datesAfter(ongoing, { date_end: '2024-03-01' })).toEqual({
    date_start: '2024-01-10',
    date_end: '2024-03-01',
    is_ongoing: false,
  });
  expect(datesAfter(ended, { is_ongoing: true })).toEqual(ongoing);
  expect(datesAfter(ended, {})).toEqual(ended);
  expect(datesAfter(ongoing, {})).toEqual(ongoing);
  expect(datesAfter(ended, { date_end: null })).toEqual({
    date_start: '2024-01-10',
    date_end: null,
    is_ongoing: false,
  });
});

test('accepts an event that ends on the day it starts', () => {
  expect(datesAfter(ended, { date_end: '2024-01-10' }).date_end).toBe('2024-01-10');
});

test('rejects an end before the start, whichever date changed, and an ongoing event with an end', () => {
  expect(() => datesAfter(ended, { date_end: '2024-01-09' })).toThrow('event.invalid_date_range');
  expect(() => datesAfter(ended, { date_start: '2024-02-02' })).toThrow('event.invalid_date_range');
  expect(() => datesAfter(ended, { is_ongoing: true, date_end: '2024-03-01' })).toThrow('event.ongoing_with_end');
});
