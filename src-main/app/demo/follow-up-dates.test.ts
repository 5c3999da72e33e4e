import { expect, it } from 'vitest';
import { movedFollowUp } from './follow-up-dates.ts';

const LAST_DAY = '2026-11-20';

it('keeps an appointment as it is printed while it is still ahead', () => {
  expect(movedFollowUp('2027-01-15', LAST_DAY, '2026-11-20')).toBeNull();
  expect(movedFollowUp('2027-01-15', LAST_DAY, '2027-01-14')).toBeNull();
});

it('moves an appointment that has passed to the same distance from today', () => {
  expect(movedFollowUp('2027-01-15', LAST_DAY, '2027-01-15')).toBe('2027-03-12');
  expect(movedFollowUp('2026-12-03', LAST_DAY, '2030-02-20')).toBe('2030-03-05');
});

it('moves an overdue appointment only when it looks forgotten', () => {
  expect(movedFollowUp('2026-11-10', LAST_DAY, '2027-01-09')).toBeNull();
  expect(movedFollowUp('2026-11-10', LAST_DAY, '2027-01-10')).toBe('2026-12-31');
  expect(movedFollowUp('2026-11-10', LAST_DAY, '2028-02-29')).toBe('2028-02-19');
});
