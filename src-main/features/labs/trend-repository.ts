import type { LabSeries } from '../../../src-shared/contract/labs.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { ResultRow } from './result-row.ts';
import { OF_SPELLING, spellingKey, spellingValues, type Spelling } from './spelling-repository.ts';

type Raw = Record<string, unknown>;

const TREND_SELECT = `SELECT l.id, l.document_id, l.test_name_original, coalesce(l.test_date, d.event_date) AS date,
  l.value, l.value_text, l.unit, l.reference_range_low, l.reference_range_high,
  l.reference_range_comparator, l.doubt, l.is_abnormal, l.panel_name, l.edited_fields IS NOT NULL AS edited, json_extract(l.evidence, '$.page') AS page,
  d.original_filename AS document_filename, f.canonical_display AS laboratory
  FROM lab_results AS l LEFT JOIN documents AS d ON d.id = l.document_id LEFT
  JOIN facilities AS f ON f.id = d.facility_id`;

/** Selects results by id with fewer columns. Most results have their own date, so the document is not joined. */
const SUMMARY_SELECT = `SELECT l.id, l.document_id, l.test_name_original, coalesce(l.test_date, (SELECT event_date
  FROM documents WHERE id = l.document_id)) AS date, l.value, l.value_text, l.unit,
  l.reference_range_low, l.reference_range_high,
  l.reference_range_comparator, l.doubt, l.is_abnormal, l.panel_name, l.edited_fields IS NOT NULL AS edited,
  NULL AS page, NULL AS document_filename, NULL AS laboratory
  FROM json_each(?) AS wanted CROSS JOIN lab_results AS l ON l.id = wanted.value`;

const trendRow = (row: Raw): ResultRow =>
  ({
    ...row,
    is_abnormal: row['is_abnormal'] === null ? null : row['is_abnormal'] === 1,
    edited: row['edited'] === 1,
    doubt: typeof row['doubt'] === 'string' ? (JSON.parse(row['doubt']) as unknown) : [],
  }) as unknown as ResultRow;

/** Orders ids and dates of results. */
function newestFirst([a, dateOfA]: [number, string], [b, dateOfB]: [number, string]): number {
  if (dateOfA === dateOfB) return b - a;
  return dateOfA < dateOfB ? 1 : -1;
}

/** Ids of the results that have only their document's date, newest first, by `spellingKey`. */
export function listDatedByDocument(db: Database, patientId: number): ReadonlyMap<string, number[]> {
  const rows = db
    .prepare(
      `SELECT l.id, l.norm_lab_test_id, l.test_name_original AS name, l.sample_type
        FROM lab_results AS l JOIN documents AS d ON d.id = l.document_id
        WHERE l.patient_id = ? AND l.test_date IS NULL AND d.event_date IS NOT NULL
        ORDER BY d.event_date DESC, l.id DESC`,
    )
    .all(patientId) as (Spelling & { id: number })[];
  const ids = new Map<string, number[]>();
  for (const row of rows) {
    const key = spellingKey(row);
    const spellingIds = ids.get(key);
    if (spellingIds) spellingIds.push(row.id);
    else ids.set(key, [row.id]);
  }
  return ids;
}

/**
 * Lists ids of the latest results with these spellings: first the results with their own date, newest first, then those
 * dated by their document. If none has a date, the last ones that were added.
 */
export function latestResultIds(
  db: Database,
  patientId: number,
  spellings: readonly Spelling[],
  datedByDocument: ReadonlyMap<string, readonly number[]>,
  limit: number,
): number[] {
  const ofEach = (sql: string): unknown[] =>
    spellings.flatMap((spelling) =>
      db
        .prepare(sql)
        .raw()
        .all(...spellingValues(patientId, spelling), limit),
    );
  const dated = ofEach(
    `SELECT l.id, l.test_date FROM lab_results AS l WHERE ${OF_SPELLING} AND l.test_date IS NOT NULL
      ORDER BY l.test_date DESC, l.id DESC LIMIT ?`,
  ) as [number, string][];
  const ids = [
    ...dated
      .sort(newestFirst)
      .slice(0, limit)
      .map(([id]) => id),
    ...spellings.flatMap((spelling) => datedByDocument.get(spellingKey(spelling))?.slice(0, limit) ?? []),
  ];
  if (ids.length > 0) return ids;
  const undated = ofEach(`SELECT l.id FROM lab_results AS l WHERE ${OF_SPELLING} ORDER BY l.id DESC LIMIT ?`);
  return (undated as [number][]).map(([id]) => id);
}

/** Reads results by id with the columns of a summary: no page, laboratory or file name. */
export const summaryRows = (db: Database, ids: readonly number[]): Map<number, ResultRow> =>
  new Map(
    (db.prepare(SUMMARY_SELECT).all(JSON.stringify(ids)) as Raw[]).map((row) => [row['id'] as number, trendRow(row)]),
  );

/** Reads all results under a spelling. */
export const resultsOfSpelling = (db: Database, patientId: number, spelling: Spelling): ResultRow[] =>
  (db.prepare(`${TREND_SELECT} WHERE ${OF_SPELLING}`).all(...spellingValues(patientId, spelling)) as Raw[]).map(
    trendRow,
  );

/** Finds the document with the patient's newest dated result. */
export const latestDocument = (db: Database, patientId: number): number | null =>
  (db
    .prepare(
      `SELECT document_id FROM lab_results
        WHERE patient_id = ? AND document_id IS NOT NULL AND test_date IS NOT NULL ORDER BY test_date DESC, id DESC
        LIMIT 1`,
    )
    .pluck()
    .get(patientId) as number | undefined) ?? null;

/** Counts a patient's results without a document. */
export const countOrphans = (db: Database, patientId: number): number =>
  db
    .prepare('SELECT count(*) FROM lab_results WHERE document_id IS NULL AND patient_id = ?')
    .pluck()
    .get(patientId) as number;

/** Reads the events to show beside a trend, oldest first. */
export const eventsBetween = (
  db: Database,
  patientId: number,
  from: string,
  to: string,
  limit: number,
): LabSeries['events'] =>
  db
    .prepare(
      `SELECT id, title, event_type, date_start, date_end, color FROM events
        WHERE patient_id = ? AND date_start <= ? AND coalesce(date_end, CASE WHEN is_ongoing THEN '9999'
        ELSE date_start END) >= ? ORDER BY date_start, id LIMIT ?`,
    )
    .all(patientId, to, from, limit) as LabSeries['events'];

/** Reads the medications to show beside a trend, oldest first. */
export const medicationsBetween = (
  db: Database,
  patientId: number,
  from: string,
  to: string,
  limit: number,
): LabSeries['medications'] =>
  db
    .prepare(
      `SELECT m.id, m.document_id, coalesce(m.brand_name, m.active_ingredient_original) AS name, m.dosage,
        coalesce(m.prescribed_date, d.event_date) AS date
        FROM record_documents AS d JOIN medications AS m ON m.document_id = d.id
        WHERE d.patient_id = ? AND coalesce(m.prescribed_date, d.event_date) BETWEEN ? AND ? AND name IS NOT NULL
        ORDER BY date, m.id LIMIT ?`,
    )
    .all(patientId, from, to, limit) as LabSeries['medications'];
