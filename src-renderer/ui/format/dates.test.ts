import { expect, it } from 'vitest';
import { parseDate } from './dates.ts';

it('takes years of two digits as this century', () =>
  expect([parseDate('9.5.79', 'en-GB'), parseDate('1/2/26', 'en-GB')]).toEqual(['2079-05-09', '2026-02-01']));

it('takes years of two digits in birth dates as the last ones that are not in the future', () => {
  const birth = (text: string): string | null => parseDate(text, 'en-GB', '2026-11-25');
  expect([birth('9.5.79'), birth('25.11.26'), birth('26.11.26'), birth('9.5.2079')]).toEqual([
    '1979-05-09',
    '2026-11-25',
    '1926-11-26',
    '2079-05-09',
  ]);
  expect(birth('29.2.00')).toBe('2000-02-29');
});
