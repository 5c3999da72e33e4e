import type { SqliteDatabase } from '../ports.ts';
import { columnsOf } from './source.ts';
import { zoneOf } from './time-zone.ts';
import { intOf, numberOf, textOf } from './column-values.ts';

/** The source of samples of one kind. `zone`: the time zone that the phone or watch recorded. */
interface Provenance {
  source: number;
  device: number;
  zone: string | null;
}

/** HKMetadataKeyWasUserEntered, HKMetadataKeyTimeZone. */
const ENTERED = 'HKWasUserEntered',
  TIME_ZONE = 'HKTimeZone';

const knownZone = (name: string | null): string | null => (name === null ? null : (zoneOf(name)?.name ?? null));

/** Sources, devices and zones by the number that samples name. The zone's column is older than iOS 12; it is empty where the phone did not know. */
export async function provenancesOf(db: SqliteDatabase): Promise<Map<number, Provenance>> {
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
export async function metadataOf(
  db: SqliteDatabase,
): Promise<{ entered: ReadonlySet<number>; zones: ReadonlyMap<number, string> }> {
  const entered = new Set<number>(),
    zones = new Map<number, string>();
  const keys = await columnsOf(db, 'metadata_keys', 'k'),
    v = await columnsOf(db, 'metadata_values', 'v');
  if (!keys.has('key') || !v.has('key_id') || !v.has('object_id')) return { entered, zones };
  const named = new Map(
    (
      await db.query(
        `SELECT k.ROWID AS id, k.key AS name FROM metadata_keys AS k WHERE k.key IN ('${ENTERED}', '${TIME_ZONE}')`,
      )
    ).map((row) => [intOf(row.id) ?? -1, textOf(row.name)]),
  );
  if (named.size === 0) return { entered, zones };
  for await (const rows of db.batches(
    `SELECT v.object_id AS id, v.key_id AS named, ${v.pick('number', 'numerical_value')},
        ${v.pick('text', 'string_value')}
      FROM metadata_values AS v
      WHERE v.key_id IN (${[...named.keys()].join(', ')})`,
  )) {
    for (const row of rows) {
      const id = intOf(row.id) ?? -1;
      if (named.get(intOf(row.named) ?? -1) === ENTERED) {
        if (numberOf(row.number) === 1) entered.add(id);
        continue;
      }
      const zone = knownZone(textOf(row.text));
      if (zone !== null) zones.set(id, zone);
    }
  }
  return { entered, zones };
}
