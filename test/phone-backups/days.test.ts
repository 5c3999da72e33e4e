import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { asIndexDatabase } from '../../src-main/features/phone-backups/index-writer.repository.ts';
import { ArtifactStore } from '../../src-renderer/features/phone-backups/worker/ios-backup/artifact-store.ts';
import type { PhotoRow, SampleRow } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { health } from '../../src-shared/ios-backup/artifacts/health.ts';
import { listArtifact } from '../../src-shared/ios-backup/artifacts/index-store/artifact-lists.ts';
import { toMeasurements } from '../../src-shared/ios-backup/artifacts/measurements.ts';
import type { ArtifactReader, ArtifactSource } from '../../src-shared/ios-backup/artifacts/source.ts';
import { occurrencesOf } from '../../src-shared/ios-backup/artifacts/occurrences.ts';
import { readWith, schemaDatabase } from '../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../fixtures/ios-backup/artifacts/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-days-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLES =
  'CREATE TABLE samples (data_id INTEGER PRIMARY KEY, start_date REAL, end_date REAL, data_type ' +
  'INTEGER); CREATE TABLE quantity_samples (data_id INTEGER PRIMARY KEY, quantity REAL); CREATE ' +
  'TABLE objects (data_id INTEGER PRIMARY KEY, provenance INTEGER);';
const ZONES =
  'CREATE TABLE data_provenances (ROWID INTEGER PRIMARY KEY, source_id INTEGER, device_id INTEGER, ' +
  'tz_name TEXT NOT NULL);';
const METADATA =
  'CREATE TABLE metadata_keys (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE); CREATE ' +
  'TABLE metadata_values (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, key_id INTEGER, object_id ' +
  'INTEGER, value_type INTEGER NOT NULL DEFAULT 0, string_value TEXT, numerical_value REAL, ' +
  'date_value REAL, data_value BLOB);';
const NOTHING: ArtifactSource = {
  database: async () => null,
  file: async () => null,
  files: async () => new Map(),
  domains: async () => [],
  info: async () => null,
};
/** The day at which this computer puts a moment. */
const here = (time: string): string => new Date(`${time}Z`).toLocaleDateString('sv-SE');

/** Weights at half past midnight in Zurich, of provenances 1, 2 and so on. */
const weights = (times: readonly string[]) => ({
  samples: times.map((time, i) => ({ data_id: i + 1, start_date: apple(time), end_date: apple(time), data_type: 3 })),
  quantity_samples: times.map((_, i) => ({ data_id: i + 1, quantity: 70 + i })),
  objects: times.map((_, i) => ({ data_id: i + 1, provenance: i + 1 })),
});
const read = async (schema: string, rows: Parameters<typeof schemaDatabase>[1]): Promise<SampleRow[]> =>
  (await readWith([health], { 'HealthDomain/Health/healthdb_secure.sqlite': schemaDatabase(schema, rows) }, folder))
    .samples;
const told = (rows: readonly SampleRow[]): [string | null, string | null][] =>
  rows.map(({ timezone, day }) => [timezone, day]);

describe('the day of a health sample', () => {
  it('is in the time zone of the phone, in winter and in summer', async () => {
    const times = [
      '2026-02-10T23:30:00',
      '2026-07-10T22:30:00',
      '2026-02-10T03:00:00',
      '2026-02-10T23:30:00',
      '2026-02-10T23:30:00',
      '2026-02-10T23:30:00',
    ];
    const zones = ['Europe/Zurich', 'Europe/Zurich', 'America/New_York', '', 'Not/AZone', 'GMT+0200'];
    const rows = await read(SAMPLES + ZONES, {
      ...weights(times),
      data_provenances: zones.map((zone, i) => ({ ROWID: i + 1, source_id: 1, device_id: 1, tz_name: zone })),
    });
    expect(told(rows)).toEqual([
      ['Europe/Zurich', '2026-02-11'],
      ['Europe/Zurich', '2026-07-11'],
      ['America/New_York', '2026-02-09'],
      [null, here(times[3]!)],
      [null, here(times[4]!)],
      ['+02:00', '2026-02-11'],
    ]);
    expect(toMeasurements('body_mass', rows.slice(0, 3), 'each').map(({ date }) => date)).toEqual([
      '2026-02-11',
      '2026-07-11',
      '2026-02-09',
    ]);
  });

  it('is in the time zone that an app gave to the sample, if any', async () => {
    const times = ['2026-02-10T23:30:00', '2026-02-10T23:30:00', '2026-02-10T23:30:00'];
    const rows = await read(SAMPLES + ZONES + METADATA, {
      ...weights(times),
      data_provenances: [1, 2, 3].map((id) => ({ ROWID: id, source_id: 1, device_id: 1, tz_name: 'America/New_York' })),
      metadata_keys: [
        { ROWID: 1, key: 'HKWasUserEntered' },
        { ROWID: 2, key: 'HKTimeZone' },
        { ROWID: 3, key: 'HKOther' },
      ],
      metadata_values: [
        { key_id: 2, object_id: 1, string_value: 'Europe/Zurich' },
        { key_id: 1, object_id: 1, value_type: 1, numerical_value: 1 },
        { key_id: 2, object_id: 2, string_value: 'nonsense' },
        { key_id: 2, object_id: 2, value_type: 1, numerical_value: 3 },
        { key_id: 3, object_id: 3, string_value: 'Europe/Zurich' },
      ],
    });
    expect(told(rows)).toEqual([
      ['Europe/Zurich', '2026-02-11'],
      ['America/New_York', '2026-02-10'],
      ['America/New_York', '2026-02-10'],
    ]);
    expect(rows.map(({ is_user_entered: entered }) => entered)).toEqual([true, false, false]);
  });

  it.each([
    ['no zones', 'CREATE TABLE data_provenances (ROWID INTEGER PRIMARY KEY, source_id INTEGER, device_id INTEGER);'],
    ['no provenances', ''],
    [
      'metadata of other columns',
      'CREATE TABLE metadata_keys (ROWID INTEGER PRIMARY KEY, name TEXT); CREATE TABLE ' +
        'metadata_values (ROWID INTEGER PRIMARY KEY, key_id INTEGER);',
    ],
    [
      'metadata without texts',
      'CREATE TABLE metadata_keys (ROWID INTEGER PRIMARY KEY, key TEXT); INSERT INTO metadata_keys ' +
        "VALUES (1, 'HKTimeZone'); CREATE TABLE metadata_values (ROWID INTEGER PRIMARY KEY, key_id " +
        'INTEGER, object_id INTEGER); INSERT INTO metadata_values VALUES (1, 1, 1);',
    ],
  ])('is in the time zone of this computer when the database has %s', async (_, schema) => {
    expect(told(await read(SAMPLES + schema, weights(['2026-02-10T23:30:00'])))).toEqual([
      [null, here('2026-02-10T23:30:00')],
    ]);
  });

  it('is in the time zone of this computer, whichever it is, when none is stored', () => {
    const script =
      `import('${join(import.meta.dirname, '../../src-shared/ios-backup/artifacts/time-zone.ts')}').then(({ ` +
      `civilDay }) => console.log(['', 'Mars/Olympus', 'x'.repeat(1e5), null].map((zone) => ` +
      `civilDay(Date.parse('2026-07-10T22:30:00Z'), zone)).join(' ')))`;
    const days = (TZ: string): string =>
      execFileSync(process.execPath, ['-e', script], { env: { ...process.env, TZ }, encoding: 'utf8' }).trim();
    expect(days('Europe/Zurich')).toBe('2026-07-11 2026-07-11 2026-07-11 2026-07-11');
    expect(days('America/New_York')).toBe('2026-07-10 2026-07-10 2026-07-10 2026-07-10');
  });

  it('is one mean when the phone wrote on two days of UTC', async () => {
    const rows = await read(SAMPLES + ZONES, {
      ...weights(['2026-07-10T22:30:00', '2026-07-11T08:00:00', '2026-07-11T22:30:00']),
      data_provenances: [1, 2, 3].map((id) => ({ ROWID: id, source_id: 1, device_id: 1, tz_name: 'Europe/Zurich' })),
    });
    expect(toMeasurements('body_mass', rows, 'daily').map(({ date, value }) => [date, value])).toEqual([
      ['2026-07-11', 70.5],
      ['2026-07-12', 72],
    ]);
  });
});

describe('lists from one day to another', () => {
  const metadata: PhotoRow['metadata'] = {
    uti: null,
    duration_seconds: null,
    latitude: null,
    longitude: null,
    is_favourite: false,
    is_hidden: false,
    is_trashed: false,
    trashed_at: null,
    is_screenshot: false,
    is_edited: false,
    edited_file_id: null,
    edited_relative_path: null,
    is_live: false,
    live_video_file_id: null,
    live_video_relative_path: null,
    burst_id: null,
    albums: [],
    added_at: null,
    size_bytes: null,
  };
  const page = { limit: 100, offset: 0 };

  it('use the days of the rows, and the time zone of this computer when a row has none', async () => {
    const times = ['2026-07-10T22:30:00', '2026-07-10T03:00:00', '2026-07-11T12:00:00'];
    const rows = await read(SAMPLES + ZONES, {
      ...weights(times),
      data_provenances: ['Europe/Zurich', 'America/New_York', 'Europe/Zurich'].map((zone, i) => ({
        ROWID: i + 1,
        source_id: 1,
        device_id: 1,
        tz_name: zone,
      })),
    });
    const photo = (asset_id: string, taken_at: string, timezone_offset_minutes: number | null): PhotoRow => ({
      asset_id,
      original_filename: null,
      relative_path: null,
      file_id: null,
      taken_at,
      timezone_offset_minutes,
      width: null,
      height: null,
      media_type: 'photo',
      metadata,
    });
    const readers: ArtifactReader[] = [
      {
        name: 'health',
        async *read() {
          yield { table: 'samples', rows };
        },
      },
      {
        name: 'photos',
        async *read() {
          yield {
            table: 'photos',
            rows: [
              photo('zurich', '2026-07-10T22:30:00', 120),
              photo('tokyo', '2026-07-10T16:00:00', 540),
              photo('here', '2026-07-10T12:00:00', null),
            ],
          };
        },
      },
    ];
    const reader = await new ArtifactStore(NOTHING, readers, async () => ({
      ...asIndexDatabase(new Sqlite(':memory:')),
      wipe: () => undefined,
    })).reader('health', 'photos');
    const index = {
      reader,
      notFound: () => {
        throw new Error('not found');
      },
    };
    const days = (from: string, to: string) =>
      listArtifact(index, 'health', { ...page, from, to, type: 'body_mass' })
        .items.map(({ started_at: at }) => at)
        .sort();
    expect(days('2026-07-11', '2026-07-11')).toEqual([times[0], times[2]]);
    expect(days('2026-07-09', '2026-07-09')).toEqual([times[1]]);
    expect(days('2026-07-10', '2026-07-10')).toEqual([]);
    expect(days('0001-01-01', '9999-12-31')).toHaveLength(3);
    const photos = (from: string, to: string) =>
      listArtifact(index, 'photos', { ...page, from, to })
        .items.map(({ asset_id: id }) => id)
        .sort();
    expect(photos('2026-07-11', '2026-07-11')).toEqual(
      ['tokyo', 'zurich', ...(here('2026-07-10T12:00:00') === '2026-07-11' ? ['here'] : [])].sort(),
    );
    expect(photos(here('2026-07-10T12:00:00'), here('2026-07-10T12:00:00'))).toContain('here');
    reader.close();
  });

  it('list events on the days of their zone', () => {
    const event = {
      event_identifier: 'e',
      calendar_identifier: 'c',
      title: 'Notaufnahme',
      location: null,
      notes: null,
      starts_at: '2026-07-10T22:30:00',
      ends_at: '2026-07-10T22:45:00',
      is_all_day: false,
      timezone: 'Europe/Zurich',
      url: null,
      recurrence: null,
      excluded_dates: [],
      series_identifier: null,
      original_starts_at: null,
      attendees: [],
      alarms: [],
    };
    const whole = {
      ...event,
      event_identifier: 'd',
      starts_at: '2026-07-10T00:00:00',
      ends_at: '2026-07-10T23:59:59',
      is_all_day: true,
    };
    const onDay = (day: string): string[] =>
      occurrencesOf([event, whole], day, day).map(({ event_identifier: id }) => id);
    expect([onDay('2026-07-10'), onDay('2026-07-11')]).toEqual([['d'], ['e']]);
  });
});
