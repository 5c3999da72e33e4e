import { describe, expect, it } from 'vitest';
import { civilDay, zoneOf } from './time-zone.ts';

const at = (time: string): number => Date.parse(`${time}Z`);

describe('civilDay', () => {
  it.each([
    ['2026-02-10T23:30:00', 'Europe/Zurich', '2026-02-11'],
    ['2026-02-10T22:59:59', 'Europe/Zurich', '2026-02-10'],
    // In summer, midnight is at 22:00 UTC.
    ['2026-07-10T22:30:00', 'Europe/Zurich', '2026-07-11'],
    ['2026-07-10T21:59:59', 'Europe/Zurich', '2026-07-10'],
    ['2026-02-10T03:00:00', 'America/New_York', '2026-02-09'],
    ['2026-02-10T18:29:59', 'Asia/Kolkata', '2026-02-10'],
    ['2026-02-10T18:30:00', 'Asia/Kolkata', '2026-02-11'],
    ['2026-02-10T10:00:00', 'Pacific/Kiritimati', '2026-02-11'],
    ['2026-02-10T22:00:00', 'GMT+0200', '2026-02-11'],
    ['2026-02-10T01:00:00', 'GMT-2', '2026-02-09'],
    // In 2023, clocks in Cairo went forward at midnight, so that this day began at one o'clock; and back at midnight,
    // so that the hour before it occurred twice.
    ['2023-04-28T20:59:59', 'Africa/Cairo', '2023-04-28'],
    ['2023-04-27T22:00:00', 'Africa/Cairo', '2023-04-28'],
    ['2023-10-26T20:59:59', 'Africa/Cairo', '2023-10-26'],
    ['2023-10-26T21:30:00', 'Africa/Cairo', '2023-10-26'],
    ['2023-10-26T22:00:00', 'Africa/Cairo', '2023-10-27'],
    // Samoa had no 30 December 2011.
    ['2011-12-30T09:59:59', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00', 'Pacific/Apia', '2011-12-31'],
  ])('returns for %s in %s the day %s', (time, zone, day) => expect(civilDay(at(time), zone)).toBe(day));

  it('calls Intl once per zone and day, and does not cache unknown names', () => {
    let calls = 0;
    const original = Intl.DateTimeFormat.prototype.formatToParts,
      zone = zoneOf('Europe/Oslo');
    Intl.DateTimeFormat.prototype.formatToParts = function counted(this: Intl.DateTimeFormat, ...args) {
      calls += 1;
      return original.apply(this, args);
    };
    try {
      for (let second = 0; second < 86_400; second += 60)
        civilDay(at('2024-02-10T00:00:00') + second * 1000, 'Europe/Oslo');
    } finally {
      Intl.DateTimeFormat.prototype.formatToParts = original;
    }
    expect(calls).toBe(2);
    expect(zoneOf('Europe/Oslo')).toBe(zone);
    for (let i = 0; i < 3000; i += 1) expect(zoneOf(`Nowhere/${i}`)).toBe(null);
    expect(zoneOf('Europe/Oslo')?.offset(at('2024-07-01T00:00:00'))).toBe(120);
  });
});
