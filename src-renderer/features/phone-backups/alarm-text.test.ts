import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import { formatsOf } from '../../app/i18n/format.ts';
import { alarmText } from './alarm-text.ts';
import { phonesDe } from './messages.de.ts';
import { phonesEn } from './messages.en.ts';
import type { PhoneWords } from './words.ts';

it.each([
  ['en-GB', phonesEn, ['15 minutes before', 'At the start', '1 hour 30 minutes before', '1 day before', '10 days before', '2 weeks before', '5 minutes after', '6 Mar 08:00'], ['On the day at 09:00', '1 day before at 09:00', '1 week before at 00:00', '1 day after at 12:00']],
  ['de-CH', phonesDe, ['15 Minuten vorher', 'Zum Beginn', '1 Stunde 30 Minuten vorher', '1 Tag vorher', '10 Tage vorher', '2 Wochen vorher', '5 Minuten danach', '6 Mar 08:00'], ['Am selben Tag um 09:00', '1 Tag vorher um 09:00', '1 Woche vorher um 00:00', '1 Tag danach um 12:00']],
] as const)('says when an event reminds in %s', async (locale, phones, timed, days) => {
  const i18n = createInstance();
  await i18n.init({ lng: 'x', resources: { x: { phones } }, interpolation: { escapeValue: false } });
  const words = { t: i18n.getFixedT('x', 'phones') as unknown as PhoneWords['t'], formats: formatsOf(locale), day: () => '6 Mar', time: () => '08:00' };
  const said = (isAllDay: boolean, ...seconds: (number | null)[]): string[] => seconds.map((each) => alarmText({ seconds: each, at: each === null ? '2023-03-06T07:00:00' : null }, isAllDay, words));
  expect(said(false, -900, 0, -5400, -86_400, -864_000, -1_209_600, 300, null)).toEqual(timed);
  expect(said(true, 32_400, -54_000, -604_800, 129_600)).toEqual(days);
});
