import { expect, it } from 'vitest';
import { dayLabels } from './day-axis.ts';

const DAY = 86_400;
const at = (...days: string[]): number[] => days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);

it('labels days, months and years without a date that could be read in two ways', () => {
  expect(dayLabels(at('2022-12-31', '2023-01-01', '2023-08-03'), DAY, 'en-GB')).toEqual([
    '31 Dec 2022',
    '1 Jan 2023',
    '3 Aug',
  ]);
  expect(dayLabels(at('2023-03-01', '2023-09-01', '2024-03-01'), 180 * DAY, 'en-GB')).toEqual([
    'Mar 2023',
    'Sep',
    'Mar 2024',
  ]);
  expect(dayLabels(at('2023-03-08'), DAY, 'de')).toEqual(['8. März 2023']);
  expect(dayLabels(at('2023-01-01', '2024-01-01'), 365 * DAY, 'de')).toEqual(['2023', '2024']);
});
