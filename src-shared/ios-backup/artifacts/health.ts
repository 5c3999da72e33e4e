import type { Characteristics, SampleRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow, SqliteValue } from '../ports.ts';
import { clinicalRecords } from './clinical.ts';
import { readMetadata, readProvenances } from './health-provenance.ts';
import {
  CATEGORIES,
  ECG_CLASSES,
  MEANINGS,
  PRESENCES,
  QUANTITIES,
  SEVERITIES,
  SYMPTOMS,
  WORKOUTS,
} from './health-types.ts';
import { columnsOf, countOf, rowsOf, type ArtifactReader, type Columns } from './source.ts';
import { civilDay } from './time-zone.ts';
import { appleMs, appleTime, intOf, numberOf, textOf, toTime, uuidOf } from './column-values.ts';

export const HEALTH_DOMAIN = 'HealthDomain';
export const HEALTH_SECURE = 'Health/healthdb_secure.sqlite';
const HEALTH_OPEN = 'Health/healthdb.sqlite';
const WORKOUT = 79,
  BLOOD_PRESSURE = 80,
  FOOD = 81,
  ECG = 144;
/** Lower rates are per second, because breathing and heart rates are never below five per minute. */
const MIN_RATE_PER_MINUTE = 5;
const BLOOD_TYPES = ['', 'A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-'];
const SEXES = [null, 'female', 'male', 'other'] as const;

interface Source {
  name: string | null;
  bundle: string | null;
}

/**
 * Samples of the Health app with their units and sources, the characteristics of its owner, and clinical records. Only
 * encrypted backups have them.
 */
export const health: ArtifactReader = {
  name: 'health',
  async *read(source, tools) {
    const db = await source.database(HEALTH_DOMAIN, HEALTH_SECURE);
    if (!db) return;
    const openDb = await source.database(HEALTH_DOMAIN, HEALTH_OPEN);
    try {
      if ((await columnsOf(db, 'samples', 's')).exists) {
        tools.expect(await countOf(db, 'samples'));
        const context: SampleContext = {
          sources: await readSources([db, openDb]),
          devices: await readDevices([db, openDb]),
          provenances: await readProvenances(db),
          metadata: await readMetadata(db),
        };
        const sql = await selectSamples(db);
        for await (const rows of rowsOf(db, sql, (row) => sampleOf(row, context), tools))
          yield { table: 'samples', rows };
      }
      const characteristics = await readCharacteristics([db, openDb]);
      if (characteristics) yield { table: 'characteristics', rows: [characteristics] };
      yield* clinicalRecords(db, tools);
    } finally {
      await db.close();
      await openDb?.close();
    }
  },
};

/** The data that sample rows refer to, by their row numbers. */
interface SampleContext {
  sources: ReadonlyMap<number, Source>;
  devices: ReadonlyMap<number, string>;
  provenances: Awaited<ReturnType<typeof readProvenances>>;
  metadata: Awaited<ReturnType<typeof readMetadata>>;
}

function sampleOf(row: SqliteRow, { sources, devices, provenances, metadata }: SampleContext): SampleRow {
  const id = intOf(row.id) ?? -1;
  const provenance = provenances.get(intOf(row.provenance) ?? -1);
  const source = sources.get(provenance?.source ?? -1);
  const startMs = appleMs(row.start);
  // As in HealthKit, an app's metadata takes precedence over the zone that the phone recorded.
  const timezone = metadata.zones.get(id) ?? provenance?.zone ?? null;
  return {
    ...measuredValueOf(row),
    timezone,
    day: startMs === null ? null : civilDay(startMs, timezone),
    source: source?.name ?? null,
    source_bundle: source?.bundle ?? null,
    device: devices.get(provenance?.device ?? -1) ?? null,
    is_user_entered: metadata.userEntered.has(id),
  };
}

async function selectSamples(db: SqliteDatabase): Promise<string> {
  const joins: string[] = [];
  const join = async (table: string, alias: string) => {
    const columns = await columnsOf(db, table, alias);
    if (columns.exists) joins.push(`LEFT JOIN ${table} AS ${alias} ON ${alias}.data_id = s.data_id`);
    return columns;
  };
  const o = await join('objects', 'o');
  const q = await join('quantity_samples', 'q');
  const c = await join('category_samples', 'c');
  const w = await join('workouts', 'w');
  const e = await join('ecg_samples', 'e');
  const units = await columnsOf(db, 'unit_strings', 'u');
  const hasUnits = units.exists && q.has('original_unit');
  if (hasUnits) joins.push('LEFT JOIN unit_strings AS u ON u.ROWID = q.original_unit');
  const workout = workoutColumns(w, await columnsOf(db, 'workout_activities', 'wa'));
  return `SELECT s.data_id AS id, s.data_type AS type, s.start_date AS start, s.end_date AS end,
      ${o.pick('uuid', 'uuid')}, ${o.pick('provenance', 'provenance')}, ${q.pick('quantity', 'quantity')},
      ${q.pick('original', 'original_quantity')}, ${hasUnits ? 'u.unit_string' : 'NULL'} AS unit,
      ${c.pick('category', 'value')},
      CASE WHEN s.data_type = ${WORKOUT} THEN ${workout.duration} END AS duration,
      CASE WHEN s.data_type = ${WORKOUT} THEN ${workout.activity} END AS activity,
      ${e.pick('pulse', 'average_heart_rate')}, ${e.pick('rhythm', 'private_classification', 'classification')}
    FROM samples AS s
    ${joins.join(' ')}
    ORDER BY s.data_id`;
}

/** Duration and type of a workout. Since iOS 16 they are stored with its activities. */
function workoutColumns(workout: Columns, activity: Columns): { duration: string; activity: string } {
  const fromActivities = (column: string, order = ''): string =>
    `(SELECT ${column} FROM workout_activities AS wa WHERE wa.owner_id = s.data_id${order})`;
  const hasActivities = activity.exists && activity.has('owner_id');
  const primaryFirst = activity.has('is_primary_activity') ? ' ORDER BY wa.is_primary_activity DESC' : '';
  const type = hasActivities ? fromActivities('wa.activity_type', `${primaryFirst} LIMIT 1`) : 'NULL';
  const duration = hasActivities && activity.has('duration') ? fromActivities('sum(wa.duration)') : 'NULL';
  return {
    duration: `coalesce(${workout.expr('duration')}, ${duration})`,
    activity: `coalesce(${workout.expr('activity_type')}, ${type})`,
  };
}

/** `mmol<180.15588000005408>/L` contains the molar mass; people write `mmol/L`. */
const unitOf = (unit: string | null): string | null => unit?.replaceAll(/<[^>]*>/g, '') ?? null;

function measuredValueOf(
  row: SqliteRow,
): Omit<SampleRow, 'timezone' | 'day' | 'source' | 'source_bundle' | 'device' | 'is_user_entered'> {
  const number = intOf(row.type) ?? -1;
  const base = {
    sample_identifier: uuidOf(row.uuid) ?? String(intOf(row.id)),
    type_number: number,
    started_at: appleTime(row.start),
    ended_at: appleTime(row.end),
    entered_value: numberOf(row.original),
    entered_unit: unitOf(textOf(row.unit)),
    meaning: null,
  };
  const quantity = QUANTITIES[number];
  const value = numberOf(row.quantity);
  if (quantity) return { ...base, type: quantity[0], kind: 'quantity', ...toReadableUnit(value, quantity[1]) };
  if (number === WORKOUT)
    return {
      ...base,
      type: 'workout',
      kind: 'workout',
      value: minutes(numberOf(row.duration) ?? secondsBetween(row.start, row.end)),
      unit: 'min',
      meaning:
        WORKOUTS[intOf(row.activity) ?? -1] ?? (row.activity === null ? null : `activity_${intOf(row.activity)}`),
    };
  if (number === BLOOD_PRESSURE || number === FOOD)
    return { ...base, type: number === FOOD ? 'food' : 'blood_pressure', kind: 'correlation', value: null, unit: null };
  if (number === ECG)
    return {
      ...base,
      type: 'electrocardiogram',
      kind: 'ecg',
      ...toReadableUnit(numberOf(row.pulse), 'bpm'),
      meaning: ECG_CLASSES[intOf(row.rhythm) ?? -1] ?? null,
    };
  const category = CATEGORIES[number] ?? SYMPTOMS[number];
  if (category !== undefined) {
    const meanings = PRESENCES[category] ?? MEANINGS[category] ?? (SYMPTOMS[number] === undefined ? [] : SEVERITIES);
    return {
      ...base,
      type: category,
      kind: 'category',
      value: numberOf(row.category),
      unit: null,
      meaning: meanings[intOf(row.category) ?? -1] || null,
    };
  }
  const otherKind = row.category !== null ? 'category' : 'other';
  return {
    ...base,
    type: `type_${number}`,
    kind: value !== null ? 'quantity' : otherKind,
    value: value ?? numberOf(row.category),
    unit: null,
  };
}

const minutes = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds / 6) / 10);
const secondsBetween = (start: SqliteValue | undefined, end: SqliteValue | undefined): number | null => {
  const from = appleMs(start);
  const to = appleMs(end);
  return from === null || to === null ? null : (to - from) / 1000;
};

/** Converts rates to per minute and fractions to percent. */
function toReadableUnit(value: number | null, unit: string): { value: number | null; unit: string } {
  if (unit === 'bpm')
    return {
      value: value === null ? null : roundNoise(value < MIN_RATE_PER_MINUTE ? value * 60 : value),
      unit: 'count/min',
    };
  if (unit === '%') return { value: value === null ? null : roundNoise(value <= 1 ? value * 100 : value), unit };
  return { value, unit };
}

/** Removes rounding noise of a division, as in 72.00000000000001. */
const roundNoise = (value: number): number => Math.round(value * 1e9) / 1e9;

async function readSources(databases: readonly (SqliteDatabase | null)[]): Promise<Map<number, Source>> {
  const byId = new Map<number, Source>();
  for (const db of databases) {
    const c = db && (await columnsOf(db, 'sources', 's'));
    if (!db || !c?.exists) continue;
    for (const row of await db.query(
      `SELECT s.ROWID AS id, ${c.pick('name', 'name')}, ${c.pick('bundle', 'bundle_id')} FROM sources AS s`,
    ))
      byId.set(intOf(row.id) ?? -1, { name: textOf(row.name), bundle: textOf(row.bundle) });
  }
  return byId;
}

async function readDevices(databases: readonly (SqliteDatabase | null)[]): Promise<Map<number, string>> {
  const byId = new Map<number, string>();
  for (const db of databases) {
    const c = db && (await columnsOf(db, 'source_devices', 'd'));
    if (!db || !c?.exists) continue;
    for (const row of await db.query(
      `SELECT d.ROWID AS id, ${c.pick('name', 'name')}, ${c.pick('model', 'model')} FROM source_devices AS d`,
    )) {
      const name = [textOf(row.name), textOf(row.model)].find((text) => text !== null && text !== '__NONE__');
      if (name) byId.set(intOf(row.id) ?? -1, name);
    }
  }
  return byId;
}

async function readCharacteristics(databases: readonly (SqliteDatabase | null)[]): Promise<Characteristics | null> {
  const values = new Map<string, SqliteValue>();
  for (const db of databases) {
    for (const table of ['key_value_secure', 'key_value']) {
      const c = db && (await columnsOf(db, table, 'v'));
      if (!db || !c?.exists || !c.has('key')) continue;
      for (const row of await db.query(
        `SELECT v.key AS key, ${c.pick('value', 'value')}
          FROM ${table} AS v
          WHERE v.key IN ('birthdate', 'sex', 'blood_type', 'fitzpatrick_skin_type', 'wheelchair_use')`,
      )) {
        const key = textOf(row.key) ?? '';
        if (!values.has(key) && row.value !== null && row.value !== undefined) values.set(key, row.value);
      }
    }
  }
  if (values.size === 0) return null;
  const wheelchair = intOf(values.get('wheelchair_use'));
  const skin = intOf(values.get('fitzpatrick_skin_type'));
  return {
    date_of_birth: birthDateOf(values.get('birthdate')),
    sex: SEXES[intOf(values.get('sex')) ?? 0] ?? null,
    blood_type: BLOOD_TYPES[intOf(values.get('blood_type')) ?? 0] || null,
    skin_type: skin !== null && skin > 0 ? skin : null,
    wheelchair: wheelchair === 1 || wheelchair === 2 ? wheelchair === 2 : null,
  };
}

/** Converts a date of birth: seconds since 2001, mostly negative, or text. */
function birthDateOf(value: SqliteValue | undefined): string | null {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)) return value.slice(0, 10);
  const seconds = numberOf(value);
  if (seconds === null) return null;
  const date = new Date((seconds + 978_307_200) * 1000);
  return Number.isNaN(date.getTime()) ||
    date.getUTCFullYear() < 1880 ||
    toTime(Math.max(0, date.getTime()) + 86_400_000) === null
    ? null
    : date.toISOString().slice(0, 10);
}
