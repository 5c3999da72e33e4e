import type { SqliteDatabase } from '../ports.ts';
import { columnsOf } from './source.ts';
import { zoneOf } from './time-zone.ts';
import { intOf, numberOf, textOf } from './column-values.ts';

/** Where samples come from. `zone`: the time zone that the phone or watch recorded. */
interface Provenance {
  source: number;
  device: number;
  zone: string | null;
}

/** HKMetadataKeyWasUserEntered, HKMetadataKeyTimeZone. */
const USER_ENTERED = 'HKWasUserEntered',
  TIME_ZONE = 'HKTimeZone';

const knownZone = (name: string | null): string | null => (name === null ? null : (zoneOf(name)?.name ?? null));

/**
 * Reads sources, devices and time zones by the number that samples refer to. The column of the time zone exists since
 * before iOS 12 and is empty if the phone did not know it.
 */
export async function readProvenances(db: SqliteDatabase): Promise<Map<number, Provenance>> {
  const c = await columnsOf(db, 'data_provenances', 'p');
  if (!c.exists) return new Map();
  const rows = await db.query(
    `SELECT p.ROWID AS id, ${c.pick('source', 'source_id')}, ${c.pick('device', 'device_id')},
        ${c.pick('zone', 'tz_name')}
      FROM data_provenances AS p`,
  );
  return new Map(
    rows.map((row) => [
      intOf(row.id) ?? -1,
      { source: intOf(row.source) ?? -1, device: intOf(row.device) ?? -1, zone: knownZone(textOf(row.zone)) },
    ]),
  );
}

/** Reads the metadata that apps set on samples, by sample: whether a person entered it, and its time zone. */
export async function readMetadata(
  db: SqliteDatabase,
): Promise<{ userEntered: ReadonlySet<number>; zones: ReadonlyMap<number, string> }> {
  const userEntered = new Set<number>(),
    zones = new Map<number, string>();
  const keys = await columnsOf(db, 'metadata_keys', 'k'),
    v = await columnsOf(db, 'metadata_values', 'v');
  if (!keys.has('key') || !v.has('key_id') || !v.has('object_id')) return { userEntered, zones };
  const keyRows = await db.query(
    `SELECT k.ROWID AS id, k.key AS name FROM metadata_keys AS k WHERE k.key IN ('${USER_ENTERED}', '${TIME_ZONE}')`,
  );
  const keyNames = new Map(keyRows.map((row) => [intOf(row.id) ?? -1, textOf(row.name)]));
  if (keyNames.size === 0) return { userEntered, zones };
  for await (const rows of db.batches(
    `SELECT v.object_id AS id, v.key_id AS key, ${v.pick('number', 'numerical_value')},
        ${v.pick('text', 'string_value')}
      FROM metadata_values AS v
      WHERE v.key_id IN (${[...keyNames.keys()].join(', ')})`,
  )) {
    for (const row of rows) {
      const id = intOf(row.id) ?? -1;
      if (keyNames.get(intOf(row.key) ?? -1) === USER_ENTERED) {
        if (numberOf(row.number) === 1) userEntered.add(id);
        continue;
      }
      const zone = knownZone(textOf(row.text));
      if (zone !== null) zones.set(id, zone);
    }
  }
  return { userEntered, zones };
}
