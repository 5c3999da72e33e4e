import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { calendar } from '../../../src-shared/ios-backup/artifacts/calendar.ts';
import { occurrencesOf } from '../../../src-shared/ios-backup/artifacts/occurrences.ts';
import { readWith, schemaDatabase, type Row } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../../fixtures/ios-backup/artifacts/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Calendar schema of iOS 26', () => {
  const SCHEMA = `CREATE TABLE Store (ROWID INTEGER PRIMARY KEY, name TEXT, type INTEGER);
    CREATE TABLE Calendar (ROWID INTEGER PRIMARY KEY, store_id INTEGER, title TEXT, color TEXT, UUID TEXT);
    CREATE TABLE Location (ROWID INTEGER PRIMARY KEY, title TEXT, address TEXT, latitude INTEGER, longitude INTEGER,
    item_owner_id INTEGER);
    CREATE TABLE CalendarItem (ROWID INTEGER PRIMARY KEY, summary TEXT, location_id INTEGER, description TEXT,
      start_date REAL, start_tz TEXT, end_date REAL, end_tz TEXT, all_day INTEGER, calendar_id INTEGER,
      orig_item_id INTEGER, orig_date REAL, organizer_id INTEGER, entity_type INTEGER, UUID TEXT,
      unique_identifier TEXT, url TEXT, conference_url_detected TEXT, calendar_scale TEXT);
    CREATE TABLE Recurrence (ROWID INTEGER PRIMARY KEY, frequency INTEGER, interval INTEGER, week_start INTEGER,
      count INTEGER, cached_end_date REAL, end_date REAL, specifier TEXT, by_month_months INTEGER, owner_id INTEGER,
      UUID TEXT); CREATE TABLE ExceptionDate (ROWID INTEGER PRIMARY KEY, owner_id INTEGER, date REAL,
      sync_order INTEGER);`;
  const CALENDAR_ITEMS: Row[] = [
    {
      ROWID: 1,
      summary: 'Tropfen',
      location_id: 1,
      start_date: apple('2026-03-26T07:00:00'),
      end_date: apple('2026-03-26T07:15:00'),
      start_tz: 'Europe/Zurich',
      all_day: 0,
      calendar_id: 1,
      UUID: 'S',
      entity_type: 2,
      conference_url_detected: 'https://meet.example',
    },
    {
      ROWID: 2,
      summary: 'Tropfen',
      start_date: apple('2026-03-28T18:00:00'),
      end_date: apple('2026-03-28T18:15:00'),
      start_tz: 'Europe/Zurich',
      all_day: 0,
      calendar_id: 1,
      UUID: 'D',
      entity_type: 2,
      orig_item_id: 1,
      orig_date: apple('2026-03-27T07:00:00'),
    },
    {
      ROWID: 3,
      summary: 'Oma',
      start_date: apple('1944-05-08T00:00:00'),
      end_date: apple('1944-05-08T23:59:59'),
      start_tz: '_float',
      all_day: 1,
      calendar_id: 1,
      UUID: 'B',
      entity_type: 2,
      calendar_scale: 'gregorian',
    },
    {
      ROWID: 4,
      summary: 'Kur',
      start_date: apple('2026-06-01T00:00:00'),
      end_date: apple('2026-06-01T23:59:59'),
      start_tz: '_float',
      all_day: 1,
      calendar_id: 1,
      UUID: 'K',
      entity_type: 2,
    },
  ];

  it('moves one occurrence of a daily series, and reads birthdays before 1970', async () => {
    const found = await readWith(
      [calendar],
      {
        'HomeDomain/Library/Calendar/Calendar.sqlitedb': schemaDatabase(SCHEMA, {
          Calendar: [{ ROWID: 1, title: 'Familie', UUID: 'C1' }],
          Location: [{ ROWID: 1, title: 'Praxis Frisch', address: 'Marktgasse 3, Bern' }],
          Recurrence: [
            { frequency: 1, interval: 1, count: 5, owner_id: 1 },
            { frequency: 4, interval: 1, owner_id: 3 },
            { frequency: 1, interval: 1, count: 3, owner_id: 4 },
          ],
          ExceptionDate: [{ owner_id: 4, date: apple('2026-06-02T00:00:00') }],
          CalendarItem: CALENDAR_ITEMS,
        }),
      },
      folder,
    );
    expect(found.events[0]).toMatchObject({
      location: 'Praxis Frisch, Marktgasse 3, Bern',
      url: 'https://meet.example',
      excluded_dates: [],
    });
    expect(found.events[1]).toMatchObject({ series_identifier: 'S', original_starts_at: '2026-03-27T07:00:00' });
    // The clocks change on the 29th: the hour of Zurich stays.
    expect(occurrencesOf(found.events, '2026-03-25', '2026-03-31').map(({ starts_at }) => starts_at)).toEqual([
      '2026-03-26T07:00:00',
      '2026-03-28T07:00:00',
      '2026-03-28T18:00:00',
      '2026-03-29T06:00:00',
      '2026-03-30T06:00:00',
    ]);
    expect(
      occurrencesOf(found.events, '2026-05-08', '2026-05-08').map(({ title, starts_at }) => [title, starts_at]),
    ).toEqual([['Oma', '2026-05-08T00:00:00']]);
    expect(occurrencesOf(found.events, '2026-06-01', '2026-06-05').map(({ starts_at }) => starts_at)).toEqual([
      '2026-06-01T00:00:00',
      '2026-06-03T00:00:00',
    ]);
  });
});

describe('alarms of a calendar', () => {
  const ITEMS =
    'CREATE TABLE CalendarItem (ROWID INTEGER PRIMARY KEY, summary TEXT, start_date REAL, start_tz ' +
    'TEXT, end_date REAL, all_day INTEGER, calendar_id INTEGER, travel_time INTEGER, entity_type ' +
    'INTEGER, UUID TEXT)';
  const NEW = `CREATE TABLE Store (ROWID INTEGER PRIMARY KEY, name TEXT, default_alarm_offset INTEGER,
    default_all_day_alarm_offset INTEGER); CREATE TABLE Calendar (ROWID INTEGER PRIMARY KEY, store_id INTEGER,
    title TEXT, UUID TEXT); ${ITEMS};
    CREATE TABLE Alarm (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, trigger_date REAL, trigger_interval INTEGER,
      type INTEGER, calendaritem_owner_id INTEGER, calendar_owner_id INTEGER, external_mod_tag TEXT, UUID TEXT,
      proximity INTEGER, disabled INTEGER, location_id INTEGER, acknowledgedDate REAL, default_alarm INTEGER,
      orig_alarm_id INTEGER)`;
  const event = (id: number, more: Record<string, unknown> = {}) => ({
    ROWID: id,
    summary: `E${id}`,
    start_date: apple('2026-03-26T07:00:00'),
    end_date: apple('2026-03-26T08:00:00'),
    all_day: 0,
    calendar_id: 1,
    entity_type: 2,
    UUID: `U${id}`,
    ...more,
  });
  const read = async (schema: string, rows: Parameters<typeof schemaDatabase>[1]) =>
    (
      await readWith(
        [calendar],
        { 'HomeDomain/Library/Calendar/Calendar.sqlitedb': schemaDatabase(schema, rows) },
        folder,
      )
    ).events.map(({ alarms }) => alarms.map(({ seconds, at }) => at ?? seconds));

  it('reads alarms of iOS 26 by interval, moment, account default and travel time', async () => {
    const own = (owner: number, more: Record<string, unknown>) => ({
      calendaritem_owner_id: owner,
      calendar_owner_id: -1,
      proximity: 0,
      disabled: 0,
      default_alarm: 0,
      orig_alarm_id: 0,
      type: 0,
      ...more,
    });
    expect(
      await read(NEW, {
        Store: [{ ROWID: 1, default_alarm_offset: -1800, default_all_day_alarm_offset: -54_000 }, { ROWID: 2 }],
        Calendar: [
          { ROWID: 1, store_id: 1, title: 'A' },
          { ROWID: 2, store_id: 2, title: 'B' },
        ],
        CalendarItem: [
          event(1),
          event(2, { all_day: 1 }),
          event(3, { calendar_id: 2 }),
          event(4, { travel_time: 1200 }),
          event(5),
          event(6),
          event(7),
          event(8),
        ],
        Alarm: [
          own(1, { trigger_interval: 0, default_alarm: 1 }),
          own(1, { trigger_interval: -3600 }),
          own(1, { trigger_interval: -3600 }),
          own(2, { trigger_interval: 0, default_alarm: 1 }),
          // The account has no default, and the interval 0 of the row means nothing.
          own(3, { trigger_interval: 0, default_alarm: 1 }),
          own(4, { trigger_interval: -300 }),
          own(5, { trigger_interval: 0x7f_ff_ff_ff, trigger_date: apple('2026-03-25T18:00:00') }),
          own(5, { trigger_interval: 0, trigger_date: 1.175_494_35e-38 }),
          own(6, { trigger_interval: -60, disabled: 1 }),
          own(6, { trigger_interval: 0, proximity: 1 }),
          own(6, { trigger_date: apple('2026-03-26T06:55:00'), orig_alarm_id: 9 }),
          own(6, { trigger_date: apple('1976-04-01T00:55:45') }),
          own(6, { trigger_interval: -1e12 }),
          own(6, {}),
          { calendar_owner_id: 1, calendaritem_owner_id: -1, trigger_interval: -77 },
          ...Array.from({ length: 500 }, (_, index) => own(8, { trigger_interval: -index })),
        ],
      }),
    ).toEqual([
      [-3600, -1800],
      [-54_000],
      [],
      [-1500],
      [0, '2026-03-25T18:00:00'],
      [],
      [],
      Array.from({ length: 20 }, (_, index) => index - 19),
    ]);
  });

  it('reads the alarms of iOS 12, and keeps events whose alarms have an unknown schema', async () => {
    const rest = { Calendar: [{ ROWID: 1, title: 'A' }], CalendarItem: [event(1)] };
    const old = `CREATE TABLE Calendar (ROWID INTEGER PRIMARY KEY, title TEXT); ${ITEMS};`;
    expect(
      await read(
        `${old} CREATE TABLE Alarm (ROWID INTEGER PRIMARY KEY, trigger_date REAL, trigger_interval INTEGER,
          owner_id INTEGER, default_alarm INTEGER)`,
        { ...rest, Alarm: [{ owner_id: 1, trigger_interval: -900, default_alarm: 1 }] },
      ),
    ).toEqual([[-900]]);
    expect(
      await read(`${old} CREATE TABLE Alarm (id INTEGER PRIMARY KEY, whatever TEXT)`, {
        ...rest,
        Alarm: [{ id: 1, whatever: 'x' }],
      }),
    ).toEqual([[]]);
    expect(
      await read(
        `${old} CREATE TABLE Alarm (ROWID INTEGER PRIMARY KEY, trigger_date TEXT, trigger_interval TEXT,
          calendaritem_owner_id TEXT)`,
        {
          ...rest,
          Alarm: [
            { trigger_interval: 'soon', calendaritem_owner_id: 'me' },
            { trigger_interval: '-60', calendaritem_owner_id: '1' },
          ],
        },
      ),
    ).toEqual([[-60]]);
    expect(await read(old, rest)).toEqual([[]]);
  });
});
