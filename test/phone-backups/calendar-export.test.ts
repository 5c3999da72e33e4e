import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { icsOf } from '../../src-renderer/features/phone-backups/export/ics.ts';
import { expectFolded, TEXTS_TO_ESCAPE } from '../support/folded-lines.ts';

const event = (more: Partial<EventRow>): EventRow => ({
  event_identifier: 'e',
  calendar_identifier: 'c',
  title: null,
  location: null,
  notes: null,
  starts_at: '2023-03-06T08:00:00',
  ends_at: '2023-03-06T09:00:00',
  is_all_day: false,
  timezone: 'Europe/Zurich',
  url: null,
  recurrence: null,
  excluded_dates: [],
  series_identifier: null,
  original_starts_at: null,
  attendees: [],
  alarms: [],
  ...more,
});

function parsed(events: readonly EventRow[]): { text: string; calendar: ICAL.Component; events: ICAL.Event[] } {
  const text = icsOf(events, '2026-11-22T05:00:00');
  expectFolded(text);
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  return {
    text,
    calendar,
    events: calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component)),
  };
}

const starts = (series: ICAL.Event, most: number): string[] => {
  const iterator = series.iterator(),
    found: string[] = [];
  for (let next = iterator.next(); next && found.length < most; next = iterator.next())
    found.push(series.getOccurrenceDetails(next).startDate.toJSDate().toISOString());
  return found;
};

describe('a calendar as iCalendar, read by another program', () => {
  it('keeps the hour of a series when clocks change, with its exceptions and moved occurrences', () => {
    const { text, events } = parsed([
      event({
        event_identifier: 's',
        title: 'Physio',
        recurrence: 'FREQ=WEEKLY;COUNT=6',
        excluded_dates: ['2023-03-20T08:00:00', '2023-03-13T08:00:00'],
      }),
      event({
        event_identifier: 'moved',
        title: 'Physio später',
        series_identifier: 's',
        original_starts_at: '2023-03-13T08:00:00',
        starts_at: '2023-03-13T10:00:00',
        ends_at: '2023-03-13T11:00:00',
      }),
    ]);
    const [series, moved] = events;
    expect(moved?.isRecurrenceException()).toBe(true);
    expect(moved?.uid).toBe(series?.uid);
    series?.relateException(moved as ICAL.Event);
    // Nine o'clock in Zurich: 08:00 UTC in winter, 07:00 from 26 March on.
    expect(starts(series as ICAL.Event, 9)).toEqual([
      '2023-03-06T08:00:00.000Z',
      '2023-03-13T10:00:00.000Z',
      '2023-03-27T07:00:00.000Z',
      '2023-04-03T07:00:00.000Z',
      '2023-04-10T07:00:00.000Z',
    ]);
    expect(text).toContain('DTSTART;TZID=Europe/Zurich:20230306T090000\r\n');
    expect(text).toMatch(/BEGIN:DAYLIGHT\r\nDTSTART:20230326T020000\r\nTZOFFSETFROM:\+0100\r\nTZOFFSETTO:\+0200\r\n/);
  });

  it('writes the offsets of southern, western, half-hour and unknown time zones', () => {
    for (const [timezone, expected] of [
      ['America/St_Johns', '20230306T043000'],
      ['Australia/Lord_Howe', '20230306T190000'],
      ['Asia/Kolkata', '20230306T133000'],
      ['Pacific/Apia', '20230306T210000'],
    ] as const) {
      const {
        text,
        events: [one],
      } = parsed([event({ timezone })]);
      expect(text).toContain(`DTSTART;TZID=${timezone}:${expected}\r\n`);
      expect(one?.startDate.toJSDate().toISOString(), timezone).toBe('2023-03-06T08:00:00.000Z');
    }
    for (const timezone of ['UTC', 'Mars/Olympus'])
      expect(parsed([event({ timezone })]).text).toContain('DTSTART:20230306T080000Z\r\n');
  });

  it('writes all-day and floating events without a zone, with matching ends of rules', () => {
    const { text, events } = parsed([
      event({
        is_all_day: true,
        timezone: null,
        starts_at: '2023-05-09T00:00:00',
        ends_at: '2023-05-10T23:59:59',
        recurrence: 'FREQ=YEARLY;UNTIL=20250509T000000Z',
        excluded_dates: ['2024-05-09'],
      }),
      event({ timezone: null, recurrence: 'FREQ=DAILY;UNTIL=20230308T080000Z' }),
      event({ starts_at: null }),
      event({ ends_at: null }),
      event({ is_all_day: true, starts_at: '2023-05-09T00:00:00', ends_at: null }),
    ]);
    expect(text).toContain(
      'DTSTART;VALUE=DATE:20230509\r\nDTEND;VALUE=DATE:20230511\r\nRRULE:FREQ=YEARLY;UNTIL=20250509\r\nEXDATE;VALUE=DATE:20240509\r\n',
    );
    expect(text).toContain('DTSTART:20230306T080000\r\n');
    expect(text).toContain('RRULE:FREQ=DAILY;UNTIL=20230308T080000\r\n');
    expect(events).toHaveLength(4);
    expect(starts(events[0] as ICAL.Event, 9).map((at) => at.slice(0, 4))).toEqual(['2023', '2025']);
  });

  it('writes alarms before, at and after the start, and at a moment', () => {
    const spans = [-900, 0, -86_400, -54_000, 32_400, -3605, -90_061, -1_209_600];
    const { calendar, text } = parsed([
      event({
        title: 'Physio; Knie',
        alarms: [...spans.map((seconds) => ({ seconds, at: null })), { seconds: null, at: '2023-03-05T18:00:00' }],
      }),
      event({ title: null, is_all_day: true, alarms: [{ seconds: -54_000, at: null }] }),
    ]);
    const [alarms = [], ofDay = []] = calendar
      .getAllSubcomponents('vevent')
      .map((one) => one.getAllSubcomponents('valarm'));
    expect(
      alarms.map((alarm) => [alarm.getFirstPropertyValue('action'), alarm.getFirstPropertyValue('description')]),
    ).toEqual(alarms.map(() => ['DISPLAY', 'Physio; Knie']));
    const triggers = alarms.map((alarm) => alarm.getFirstPropertyValue('trigger'));
    expect(triggers.slice(0, -1).map((trigger) => (trigger as ICAL.Duration).toSeconds())).toEqual(spans);
    expect((triggers.at(-1) as ICAL.Time).toJSDate().toISOString()).toBe('2023-03-05T18:00:00.000Z');
    expect([...text.matchAll(/TRIGGER:(.*)\r/g)].map(([, trigger]) => trigger)).toEqual([
      '-PT15M',
      'PT0S',
      '-P1D',
      '-PT15H',
      'PT9H',
      '-PT1H0M5S',
      '-P1DT1H1M1S',
      '-P14D',
      '-PT15H',
    ]);
    expect(
      ofDay.map((alarm) => [
        alarm.getFirstPropertyValue('description'),
        String(alarm.getFirstPropertyValue('trigger')),
      ]),
    ).toEqual([['', '-PT15H']]);
  });

  it('keeps unusual titles, places, notes and people', () => {
    const { events } = parsed(
      TEXTS_TO_ESCAPE.map((text, index) =>
        event({
          event_identifier: `e${index}`,
          title: text,
          location: text,
          notes: `${text}${'n'.repeat(100_000)}`,
          attendees: [
            { name: 'Frisch, "Peter"; jun.', address: 'mailto:frisch@example.org', status: 'accepted' },
            { name: null, address: null, status: null },
          ],
        }),
      ),
    );
    expect(events.map(({ summary }) => summary)).toEqual(TEXTS_TO_ESCAPE);
    expect(events.map(({ location }) => location)).toEqual(TEXTS_TO_ESCAPE);
    expect(events.map(({ description }) => description.length)).toEqual(
      TEXTS_TO_ESCAPE.map((text) => text.length + 100_000),
    );
    const [attendee] = events[0]?.attendees ?? [];
    expect([attendee?.getFirstValue(), attendee?.getParameter('partstat'), events[0]?.attendees.length]).toEqual([
      'mailto:frisch@example.org',
      'ACCEPTED',
      1,
    ]);
    expect(String(attendee?.getParameter('cn'))).toMatch(/^Frisch, .*Peter.*; jun\.$/);
  });
});
