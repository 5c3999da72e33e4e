import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import { formatsOf } from '../../ui/format/formats.ts';
import { alarmText } from './alarm-text.ts';
import { messages as de } from '../../locales/de.ts';
import { messages as en, type Messages } from '../../locales/en.ts';
import { repeatText } from './repeat-text.ts';
import type { PhoneLabels } from './labels.ts';

async function labelsOf(
  locale: string,
  phone_backups: Messages['phone_backups'],
): Promise<Pick<PhoneLabels, 't' | 'formats' | 'day' | 'time'>> {
  const i18n = createInstance();
  await i18n.init({ lng: locale, resources: { [locale]: { phone_backups } }, interpolation: { escapeValue: false } });
  return {
    t: i18n.getFixedT(locale, 'phone_backups') as unknown as PhoneLabels['t'],
    formats: formatsOf(locale, () => 2026),
    day: (at) => String(at).slice(0, 10),
    time: () => '08:00',
  };
}

it.each([
  [
    'en-GB',
    en.phone_backups,
    [
      '15 minutes before',
      'At the start',
      '1 hour 30 minutes before',
      '1 day before',
      '10 days before',
      '2 weeks before',
      '5 minutes after',
      '2023-03-06 08:00',
    ],
    ['On the day at 09:00', '1 day before at 09:00', '1 week before at 00:00', '1 day after at 12:00'],
  ],
  [
    'de-CH',
    de.phone_backups,
    [
      '15 Minuten vorher',
      'Bei Beginn',
      '1 Stunde 30 Minuten vorher',
      '1 Tag vorher',
      '10 Tage vorher',
      '2 Wochen vorher',
      '5 Minuten danach',
      '2023-03-06 08:00',
    ],
    ['Am Tag selbst um 09:00', '1 Tag vorher um 09:00', '1 Woche vorher um 00:00', '1 Tag danach um 12:00'],
  ],
] as const)('says when an event reminds in %s', async (locale, phones, ofTimedEvents, ofAllDayEvents) => {
  const labels = await labelsOf(locale, phones);
  const alarmTexts = (isAllDay: boolean, ...seconds: (number | null)[]): string[] =>
    seconds.map((each) =>
      alarmText({ seconds: each, at: each === null ? '2023-03-06T07:00:00' : null }, isAllDay, labels),
    );
  expect(alarmTexts(false, -900, 0, -5400, -86_400, -864_000, -1_209_600, 300, null)).toEqual(ofTimedEvents);
  expect(alarmTexts(true, 32_400, -54_000, -604_800, 129_600)).toEqual(ofAllDayEvents);
});

const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=MO',
  'FREQ=MONTHLY;COUNT=6;BYMONTHDAY=15',
  'FREQ=YEARLY;UNTIL=20250509T220000Z;BYMONTH=5',
  'FREQ=MONTHLY;BYDAY=2TU',
  'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
  'FREQ=HOURLY',
  '',
];
it.each([
  [
    'en-GB',
    en.phone_backups,
    [
      'Every day',
      'Every 2 weeks · Monday and Wednesday',
      'Every month · day 15 · 6 times',
      'Every year · May · until 2025-05-09',
    ],
  ],
  [
    'de-CH',
    de.phone_backups,
    [
      'Jeden Tag',
      'Alle 2 Wochen · Montag und Mittwoch',
      'Jeden Monat · am 15. · 6-mal',
      'Jedes Jahr · Mai · bis 2025-05-09',
    ],
  ],
] as const)('says how an event repeats in %s, and shows a complex rule unchanged', async (locale, phones, expected) => {
  const labels = await labelsOf(locale, phones);
  expect(RULES.map((rule) => repeatText(rule, false, labels))).toEqual([...expected, ...RULES.slice(4)]);
  expect(repeatText('FREQ=DAILY;UNTIL=20250509T000000Z', true, labels)).toMatch(/9 May 2025|9\. Mai 2025/);
});
