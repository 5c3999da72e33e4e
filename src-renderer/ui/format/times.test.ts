import { expect, it } from 'vitest';
import { formatTimeForInput, parseTime } from './times.ts';

it('takes a time as people of many countries write it', () => {
  const typed = ['3:30', '03.30', '0330', '3 h 30', '3:30 Uhr', '3:30 am', '3:30\u202fAM', '3:30 a.m.'];
  expect(typed.map(parseTime)).toEqual(typed.map(() => '03:30'));
  expect(['7', '19 h', '7 pm', '12 am', '12 pm', '0:05'].map(parseTime)).toEqual([
    '07:00',
    '19:00',
    '19:00',
    '00:00',
    '12:00',
    '00:05',
  ]);
});

it('refuses what is not a time', () => {
  expect(['', '24:00', '3:60', '13 pm', '0 am', 'noon', '3:3', '12345', '3:30 x'].map(parseTime)).toEqual(
    Array.from({ length: 9 }, () => null),
  );
});

it('writes a time as the locale does, which it also takes', () => {
  expect(['de-CH', 'en-GB'].map((locale) => formatTimeForInput('03:30', locale))).toEqual(['03:30', '03:30']);
  expect(formatTimeForInput('15:05', 'en-US')).toMatch(/^03:05\sPM$/u);
  for (const locale of ['de-CH', 'en-US', 'en-GB', 'fr-FR', 'it-IT'])
    for (const time of ['00:00', '03:30', '12:00', '15:05', '23:59'])
      expect(parseTime(formatTimeForInput(time, locale))).toBe(time);
});
