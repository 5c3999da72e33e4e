import { expect, it } from 'vitest';
import { draftOf, planOf } from './plan-draft.ts';

const plan = {
  folder: '/media/disk',
  every: 'day',
  at: '03:30',
  keep_daily: 7,
  keep_weekly: 5,
  keep_monthly: 0,
  include_secrets: false,
} as const;

it('a plan survives editing without changes', () => {
  expect(planOf(draftOf(plan))).toEqual(plan);
  expect(planOf({ ...draftOf(plan), folder: '  ' })?.folder).toBeNull();
});

it('a plan with an invalid value is null', () => {
  for (const part of [
    { keep_daily: '0' },
    { keep_daily: '' },
    { keep_weekly: '-1' },
    { keep_monthly: '1.5' },
    { keep_monthly: '241' },
    { at: '25:00' },
    { at: '' },
  ])
    expect(planOf({ ...draftOf(plan), ...part }), JSON.stringify(part)).toBeNull();
});
