import type { ClinicalRecord } from '../../contract/phone-backups/artifacts.ts';
import { unpack } from '../format/gzip.ts';
import type { SqliteDatabase } from '../ports.ts';
import { columnsOf, type Batch, type ReadTools } from './source.ts';
import { appleTime, bytesOf, intOf, textOf, utf8 } from './column-values.ts';

const MAX_RESOURCE = 16 * 2 ** 20;

type Json = { [key: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A FHIR resource as JSON, also packed; null of anything else. */
async function resourceOf(bytes: Uint8Array | null): Promise<Json | null> {
  if (!bytes || bytes.length > MAX_RESOURCE) return null;
  try {
    const plain = bytes[0] === 0x1f ? await unpack(bytes, MAX_RESOURCE) : bytes;
    const value: unknown = JSON.parse(utf8(plain));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns a readable title: the text or the first label of the resource's code. */
export function titleOfResource(resource: Json): string | null {
  for (const field of ['code', 'vaccineCode', 'medicationCodeableConcept', 'type']) {
    const concept = resource[field];
    if (!isObject(concept)) continue;
    if (typeof concept.text === 'string' && concept.text !== '') return concept.text;
    const display = Array.isArray(concept.coding)
      ? concept.coding
          .filter(isObject)
          .map((coding) => coding.display)
          .find((text) => typeof text === 'string' && text !== '')
      : undefined;
    if (typeof display === 'string') return display;
  }
  const reference = resource.medicationReference;
  return isObject(reference) && typeof reference.display === 'string' ? reference.display : null;
}

/**
 * Reads the resources that practices sent: the original ones (`original_fhir_resources`), and those found only at their
 * samples.
 */
export async function* clinicalRecords(
  db: SqliteDatabase,
  tools: ReadTools,
): AsyncGenerator<Extract<Batch, { table: 'clinical_records' }>> {
  const seen = new Set<string>();
  const make = async (
    identifier: string | null,
    row: {
      type: string | null;
      title: string | null;
      at: string | null;
      source: string | null;
      version: string | null;
    },
    bytes: Uint8Array | null,
  ): Promise<ClinicalRecord | null> => {
    const fhir = await resourceOf(bytes);
    const type = row.type ?? (typeof fhir?.resourceType === 'string' ? fhir.resourceType : null);
    const key = `${type}/${identifier}`;
    if (identifier !== null && seen.has(key)) return null;
    seen.add(key);
    if (!fhir) tools.skip();
    return {
      record_identifier: key,
      resource_type: type,
      title: row.title ?? (fhir ? titleOfResource(fhir) : null),
      recorded_at: row.at,
      source: row.source,
      fhir_version: row.version,
      fhir,
    };
  };
  const o = await columnsOf(db, 'original_fhir_resources', 'o');
  if (o.exists) {
    const sql = `SELECT o.ROWID AS rowNumber, ${o.pick('id', 'id')}, ${o.pick('type', 'type')}, ${o.pick('content', 'raw_content')}, ${o.pick('at', 'received_date')}, ${o.pick('version', 'fhir_version')}, ${o.pick('url', 'source_url')} FROM original_fhir_resources AS o ORDER BY o.ROWID`;
    for await (const batch of db.batches(sql, [], 200)) {
      const rows: ClinicalRecord[] = [];
      for (const row of batch) {
        const content = typeof row.content === 'string' ? new TextEncoder().encode(row.content) : bytesOf(row.content);
        const record = await make(
          textOf(row.id) ?? String(intOf(row.rowNumber)),
          {
            type: textOf(row.type),
            title: null,
            at: appleTime(row.at),
            source: textOf(row.url),
            version: textOf(row.version),
          },
          content,
        );
        if (record) rows.push(record);
      }
      yield { table: 'clinical_records', rows };
    }
  }
  const c = await columnsOf(db, 'clinical_record_samples', 'c');
  if (!c.exists) return;
  const sql = `SELECT c.data_id AS rowNumber, ${c.pick('id', 'fhir_resource_identifier')}, ${c.pick('type', 'fhir_resource_resource_type')}, ${c.pick('title', 'display_name')}, ${c.pick('content', 'fhir_resource_data')},
    ${c.pick('at', 'fhir_resource_last_updated_date')}, ${c.pick('url', 'fhir_resource_source_url')} FROM clinical_record_samples AS c ORDER BY c.data_id`;
  for await (const batch of db.batches(sql, [], 200)) {
    const rows: ClinicalRecord[] = [];
    for (const row of batch) {
      const content = typeof row.content === 'string' ? new TextEncoder().encode(row.content) : bytesOf(row.content);
      const record = await make(
        textOf(row.id) ?? `sample-${intOf(row.rowNumber)}`,
        {
          type: textOf(row.type),
          title: textOf(row.title),
          at: appleTime(row.at),
          source: textOf(row.url),
          version: null,
        },
        content,
      );
      if (record) rows.push(record);
    }
    yield { table: 'clinical_records', rows };
  }
}
