import type { ClinicalRecord } from '../../contract/phone-backups/artifacts.ts';
import { unpack } from '../format/gzip.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { columnsOf, type Batch, type Columns, type ReadTools } from './source.ts';
import { appleTime, bytesOf, intOf, textOf, utf8 } from './column-values.ts';

const MAX_RESOURCE_BYTES = 16 * 2 ** 20;
/** Records per batch: resources are larger than the rows of other artifacts. */
const BATCH_RECORDS = 200;

type Json = { [key: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a FHIR resource in JSON, which may be gzipped; null for anything else. */
async function resourceOf(bytes: Uint8Array | null): Promise<Json | null> {
  if (!bytes || bytes.length > MAX_RESOURCE_BYTES) return null;
  try {
    const plain = bytes[0] === 0x1f ? await unpack(bytes, MAX_RESOURCE_BYTES) : bytes;
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

type Batches = AsyncGenerator<Extract<Batch, { table: 'clinical_records' }>>;

/** One row with a FHIR resource, from either table. */
interface ResourceRow {
  identifier: string;
  type: string | null;
  title: string | null;
  at: string | null;
  source: string | null;
  version: string | null;
  content: Uint8Array | null;
}

/**
 * Reads the resources that practices sent: the original ones (`original_fhir_resources`), and those found only at their
 * samples.
 */
export async function* clinicalRecords(db: SqliteDatabase, tools: ReadTools): Batches {
  const seen = new Set<string>();
  const resource = await columnsOf(db, 'original_fhir_resources', 'o');
  if (resource.exists) yield* readRecords(db, selectResources(resource), resourceRowOf, seen, tools);
  const sample = await columnsOf(db, 'clinical_record_samples', 'c');
  if (sample.exists) yield* readRecords(db, selectSamples(sample), sampleRowOf, seen, tools);
}

const selectResources = (resource: Columns): string =>
  `SELECT o.ROWID AS rowNumber, ${resource.pick('id', 'id')}, ${resource.pick('type', 'type')},
      ${resource.pick('content', 'raw_content')}, ${resource.pick('at', 'received_date')},
      ${resource.pick('version', 'fhir_version')}, ${resource.pick('url', 'source_url')}
    FROM original_fhir_resources AS o ORDER BY o.ROWID`;

const resourceRowOf = (row: SqliteRow): ResourceRow => ({
  identifier: textOf(row.id) ?? String(intOf(row.rowNumber)),
  type: textOf(row.type),
  title: null,
  at: appleTime(row.at),
  source: textOf(row.url),
  version: textOf(row.version),
  content: contentOf(row),
});

const selectSamples = (sample: Columns): string =>
  `SELECT c.data_id AS rowNumber, ${sample.pick('id', 'fhir_resource_identifier')},
      ${sample.pick('type', 'fhir_resource_resource_type')}, ${sample.pick('title', 'display_name')},
      ${sample.pick('content', 'fhir_resource_data')}, ${sample.pick('at', 'fhir_resource_last_updated_date')},
      ${sample.pick('url', 'fhir_resource_source_url')}
    FROM clinical_record_samples AS c ORDER BY c.data_id`;

const sampleRowOf = (row: SqliteRow): ResourceRow => ({
  identifier: textOf(row.id) ?? `sample-${intOf(row.rowNumber)}`,
  type: textOf(row.type),
  title: textOf(row.title),
  at: appleTime(row.at),
  source: textOf(row.url),
  version: null,
  content: contentOf(row),
});

const contentOf = ({ content }: SqliteRow): Uint8Array | null =>
  typeof content === 'string' ? new TextEncoder().encode(content) : bytesOf(content);

/** Reads the records of one table; `seen` has the keys of records already read, which are left out. */
async function* readRecords(
  db: SqliteDatabase,
  sql: string,
  convert: (row: SqliteRow) => ResourceRow,
  seen: Set<string>,
  tools: ReadTools,
): Batches {
  for await (const batch of db.batches(sql, [], BATCH_RECORDS)) {
    const rows: ClinicalRecord[] = [];
    for (const row of batch) {
      const record = await recordOf(convert(row));
      if (seen.has(record.record_identifier)) continue;
      seen.add(record.record_identifier);
      if (!record.fhir) tools.skip();
      rows.push(record);
    }
    yield { table: 'clinical_records', rows };
  }
}

async function recordOf({ identifier, content, ...row }: ResourceRow): Promise<ClinicalRecord> {
  const fhir = await resourceOf(content);
  const type = row.type ?? (typeof fhir?.resourceType === 'string' ? fhir.resourceType : null);
  return {
    record_identifier: `${type}/${identifier}`,
    resource_type: type,
    title: row.title ?? (fhir ? titleOfResource(fhir) : null),
    recorded_at: row.at,
    source: row.source,
    fhir_version: row.version,
    fhir,
  };
}
