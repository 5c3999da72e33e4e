import { and, eq, isNull, sql } from 'drizzle-orm';
import type { LabResult, LabSeries } from '../../../src-shared/contract/labs.ts';
import type { Database } from '../../platform/database/connection.ts';
import { databaseVersion } from '../../platform/database/query-cache.ts';
import { createForeignWrites, watchRows } from '../../platform/database/row-changes.ts';
import { documents, lab_results, norm_lab_tests } from '../../platform/database/schema/index.ts';
import { LAB_RESULT_SELECT, labRow } from '../documents/service.ts';
import type { ResultRow } from './result-row.ts';

export type LabRecord = typeof lab_results.$inferSelect;
export type LabFields = Partial<typeof lab_results.$inferInsert>;
export interface NormTest {
  id: number;
  canonical_code: string;
  canonical_display: string;
  loinc_code: string | null;
  category: string | null;
  unit_preferred: string | null;
  seeded: boolean;
}

/** One spelling under which a patient has results. */
export interface Spelling {
  norm_lab_test_id: number | null;
  name: string;
  sample_type: string | null;
}

/** Orders ids and dates of results. */
function newestFirst([a, dateOfA]: [number, string], [b, dateOfB]: [number, string]): number {
  if (dateOfA === dateOfB) return b - a;
  return dateOfA < dateOfB ? 1 : -1;
}

const TREND_SELECT = `SELECT l.id, l.document_id, l.test_name_original, coalesce(l.test_date, d.event_date) AS date,
  l.value, l.value_text, l.unit, l.reference_range_low, l.reference_range_high,
  l.is_abnormal, l.panel_name, l.edited_fields IS NOT NULL AS edited, json_extract(l.evidence, '$.page') AS page,
  d.original_filename AS document_filename, f.canonical_display AS laboratory
  FROM lab_results AS l LEFT JOIN documents AS d ON d.id = l.document_id LEFT
  JOIN facilities AS f ON f.id = d.facility_id`;

/** The same by id, with less: most results have a date of their own. */
const SUMMARY_SELECT = `SELECT l.id, l.document_id, l.test_name_original, coalesce(l.test_date, (SELECT event_date
  FROM documents WHERE id = l.document_id)) AS date, l.value, l.value_text, l.unit,
  l.reference_range_low, l.reference_range_high, l.is_abnormal, l.panel_name, l.edited_fields IS NOT NULL AS edited,
  NULL AS page, NULL AS document_filename, NULL AS laboratory
  FROM json_each(?) AS wanted CROSS JOIN lab_results AS l ON l.id = wanted.value`;

type Raw = Record<string, unknown>;
const trendRow = (row: Raw): ResultRow =>
  ({
    ...row,
    is_abnormal: row['is_abnormal'] === null ? null : row['is_abnormal'] === 1,
    edited: row['edited'] === 1,
  }) as unknown as ResultRow;
const marks = (values: readonly unknown[]): string => values.map(() => '?').join(',');

export type LabRepository = ReturnType<typeof createLabRepository>;

/** Lab results as rows, as wire shapes and as material of trends. */
export function createLabRepository(db: Database) {
  const { orm } = db;
  const first = (sql: string, ...values: unknown[]): unknown =>
    db
      .prepare(sql)
      .pluck()
      .get(...values);
  // IS, not =: a test without a canonical entry, a result without a sample and a document without a patient are null.
  const OF_SPELLING =
    'l.patient_id IS ? AND l.norm_lab_test_id IS ? AND l.test_name_original = ? AND l.sample_type IS ?';
  const ofSpelling = (patientId: number | null, { norm_lab_test_id, name, sample_type }: Spelling) => [
    patientId,
    norm_lab_test_id,
    name,
    sample_type,
  ];

  return {
    /**
     * Tells of every change of a result (the test that it is of, before and after), of the day of a document, and of a
     * canonical test, made through this connection.
     */
    watch({
      result,
      documentDate,
      entry,
    }: {
      result(patientId: number | null, spelling: Spelling): void;
      documentDate(documentId: number): void;
      entry(id: number): void;
    }): void {
      const columns = [
        'patient_id',
        'norm_lab_test_id',
        'test_name_original',
        'sample_type',
        'document_id',
        'test_date',
        'value',
        'value_text',
        'unit',
        'reference_range_low',
        'reference_range_high',
        'is_abnormal',
        'panel_name',
        'edited_fields',
      ];
      watchRows(db, {
        table: 'lab_results',
        columns,
        noted: ([patientId, norm, name, sample]) =>
          result(patientId as number | null, {
            norm_lab_test_id: norm as number | null,
            name: String(name),
            sample_type: sample as string | null,
          }),
      });
      watchRows(db, { table: 'documents', columns: ['event_date', 'id'], noted: ([, id]) => documentDate(Number(id)) });
      watchRows(db, {
        table: 'norm_lab_tests',
        columns: ['id', 'canonical_code', 'canonical_display', 'loinc_code', 'category', 'unit_preferred', 'seeded'],
        noted: ([id]) => entry(Number(id)),
      });
    },
    /** Returns true once after each write by another connection, which fires no row-change callback here. */
    hasForeignWrites: createForeignWrites(db),
    /** Another one after every write to the database, by this connection or another. */
    stamp: (): string => databaseVersion(db),
    get: (id: number): LabRecord | undefined => orm.select().from(lab_results).where(eq(lab_results.id, id)).get(),
    /** A measurement without a document, by its mark, its day and, unless null, its value. */
    measurement: (
      patientId: number,
      { name, panel, date, value }: { name: string; panel: string; date: string; value: number | null },
    ): LabRecord | undefined =>
      orm
        .select()
        .from(lab_results)
        .where(
          and(
            eq(lab_results.patient_id, patientId),
            eq(lab_results.test_name_original, name),
            eq(lab_results.test_date, date),
            eq(lab_results.panel_name, panel),
            isNull(lab_results.document_id),
            ...(value === null ? [] : [eq(lab_results.value, value)]),
          ),
        )
        .get(),
    insert: (fields: typeof lab_results.$inferInsert): number =>
      orm.insert(lab_results).values(fields).returning({ id: lab_results.id }).get().id,
    update: (id: number, fields: LabFields): void =>
      void orm.update(lab_results).set(fields).where(eq(lab_results.id, id)).run(),
    wire: (id: number): LabResult | undefined => {
      const row = db.prepare(`${LAB_RESULT_SELECT} WHERE l.id = ?`).get(id) as Raw | undefined;
      return row && (labRow(row) as unknown as LabResult);
    },
    wireMany(ids: readonly number[]): LabResult[] {
      const rows = db
        .prepare(`${LAB_RESULT_SELECT} WHERE l.id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(ids)) as Raw[];
      const byId = new Map(rows.map((row) => [row['id'], row]));
      return ids.flatMap((id) => {
        const row = byId.get(id);
        return row ? [labRow(row) as unknown as LabResult] : [];
      });
    },
    document: (id: number) =>
      orm
        .select({ patient_id: documents.patient_id, event_date: documents.event_date })
        .from(documents)
        .where(eq(documents.id, id))
        .get(),
    normTests: (ids: readonly number[]): Map<number, NormTest> =>
      new Map(
        orm
          .select()
          .from(norm_lab_tests)
          .where(sql`${norm_lab_tests.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
          .all()
          .map((test) => [test.id, test]),
      ),

    /**
     * Every spelling of a patient's tests, by skipping along an index from one to the next. `patientId` null: results
     * of documents without a patient.
     */
    spellings(patientId: number | null): Spelling[] {
      const found: Spelling[] = [];
      const samples = (norm: number | null, name: string): (string | null)[] => {
        const some: (string | null)[] =
          first(
            `SELECT 1 FROM lab_results WHERE patient_id IS ? AND norm_lab_test_id IS ? AND test_name_original = ?
              AND sample_type IS NULL LIMIT 1`,
            patientId,
            norm,
            name,
          ) === undefined
            ? []
            : [null];
        const after = (sample: string) =>
          first(
            `SELECT sample_type FROM lab_results
              WHERE patient_id IS ? AND norm_lab_test_id IS ? AND test_name_original = ? AND sample_type > ?
              ORDER BY sample_type LIMIT 1`,
            patientId,
            norm,
            name,
            sample,
          ) as string | undefined;
        for (let sample = after(''); sample !== undefined; sample = after(sample)) some.push(sample);
        return some;
      };
      const walk = (norm: number | null): void => {
        const after = (name: string) =>
          first(
            `SELECT test_name_original FROM lab_results
              WHERE patient_id IS ? AND norm_lab_test_id IS ? AND test_name_original > ? ORDER BY test_name_original
              LIMIT 1`,
            patientId,
            norm,
            name,
          ) as string | undefined;
        for (let name = after(''); name !== undefined; name = after(name))
          for (const sample_type of samples(norm, name)) found.push({ norm_lab_test_id: norm, name, sample_type });
      };
      const after = (norm: number) =>
        first(
          `SELECT norm_lab_test_id FROM lab_results WHERE patient_id IS ? AND norm_lab_test_id > ?
            ORDER BY norm_lab_test_id LIMIT 1`,
          patientId,
          norm,
        ) as number | undefined;
      walk(null);
      for (let norm = after(0); norm !== undefined; norm = after(norm)) walk(norm);
      return found;
    },

    spellingsOfDocument: (documentId: number) =>
      db
        .prepare(
          `SELECT DISTINCT patient_id, norm_lab_test_id, test_name_original AS name, sample_type FROM lab_results
            WHERE document_id = ?`,
        )
        .all(documentId) as (Spelling & { patient_id: number | null })[],
    has: (patientId: number | null, spelling: Spelling): boolean =>
      first(`SELECT 1 FROM lab_results AS l WHERE ${OF_SPELLING} LIMIT 1`, ...ofSpelling(patientId, spelling)) !==
      undefined,
    countOf: (patientId: number | null, spelling: Spelling): number =>
      first(`SELECT count(*) FROM lab_results AS l WHERE ${OF_SPELLING}`, ...ofSpelling(patientId, spelling)) as number,
    /** How many results there are under each spelling. */
    counts: (patientId: number) =>
      db
        .prepare(
          `SELECT norm_lab_test_id, test_name_original AS name, sample_type, count(*) AS count FROM lab_results
            WHERE patient_id = ? GROUP BY norm_lab_test_id, test_name_original, sample_type`,
        )
        .all(patientId) as (Spelling & { count: number })[],

    /**
     * Ids of the latest results under these spellings by their own date, newest first, and after them those that are
     * dated by their document; where none has any date, the last that came.
     */
    latestIds(patientId: number, spellings: readonly Spelling[], limit: number): number[] {
      const dated = spellings.flatMap(
        (spelling) =>
          db
            .prepare(
              `SELECT l.id, l.test_date FROM lab_results AS l WHERE ${OF_SPELLING} AND l.test_date IS NOT NULL
                ORDER BY l.test_date DESC, l.id DESC LIMIT ?`,
            )
            .raw()
            .all(...ofSpelling(patientId, spelling), limit) as [number, string][],
      );
      const byDocument = spellings.flatMap(
        (spelling) =>
          db
            .prepare(
              `SELECT l.id FROM lab_results AS l JOIN documents AS d ON d.id = l.document_id
                WHERE ${OF_SPELLING} AND l.test_date IS NULL AND d.event_date IS NOT NULL
                ORDER BY d.event_date DESC, l.id DESC LIMIT ?`,
            )
            .pluck()
            .all(...ofSpelling(patientId, spelling), limit) as number[],
      );
      const newest = dated
        .sort(newestFirst)
        .slice(0, limit)
        .map(([id]) => id);
      if (newest.length + byDocument.length > 0) return [...newest, ...byDocument];
      return spellings.flatMap(
        (spelling) =>
          db
            .prepare(`SELECT l.id FROM lab_results AS l WHERE ${OF_SPELLING} ORDER BY l.id DESC LIMIT ?`)
            .pluck()
            .all(...ofSpelling(patientId, spelling), limit) as number[],
      );
    },

    /** Results by id, only with what a summary shows: no page, no laboratory, no file name. */
    summaryRows: (ids: readonly number[]): Map<number, ResultRow> =>
      new Map(
        (db.prepare(SUMMARY_SELECT).all(JSON.stringify(ids)) as Raw[]).map((row) => [
          row['id'] as number,
          trendRow(row),
        ]),
      ),

    /** All results under a spelling. */
    results: (patientId: number, spelling: Spelling): ResultRow[] =>
      (db.prepare(`${TREND_SELECT} WHERE ${OF_SPELLING}`).all(...ofSpelling(patientId, spelling)) as Raw[]).map(
        trendRow,
      ),

    latestDocument: (patientId: number): number | null =>
      (db
        .prepare(
          `SELECT document_id FROM lab_results
            WHERE patient_id = ? AND document_id IS NOT NULL AND test_date IS NOT NULL ORDER BY test_date DESC, id DESC
            LIMIT 1`,
        )
        .pluck()
        .get(patientId) as number | undefined) ?? null,
    orphanCount: (patientIds: readonly number[]): number =>
      db
        .prepare(`SELECT count(*) FROM lab_results WHERE document_id IS NULL AND patient_id IN (${marks(patientIds)})`)
        .pluck()
        .get(...patientIds) as number,

    /** Reads the episodes and medicines to show beside a trend, oldest first, at most `limit` of each. */
    events: (patientId: number, from: string, to: string, limit: number): LabSeries['events'] =>
      db
        .prepare(
          `SELECT id, title, event_type, date_start, date_end, color FROM events
            WHERE patient_id = ? AND date_start <= ? AND coalesce(date_end, CASE WHEN is_ongoing THEN '9999'
            ELSE date_start END) >= ? ORDER BY date_start, id LIMIT ?`,
        )
        .all(patientId, to, from, limit) as LabSeries['events'],
    medications: (patientId: number, from: string, to: string, limit: number): LabSeries['medications'] =>
      db
        .prepare(`SELECT m.id, m.document_id, coalesce(m.brand_name, m.active_ingredient_original) AS name, m.dosage,
          coalesce(m.prescribed_date, d.event_date) AS date
        FROM documents AS d JOIN medications AS m ON m.document_id = d.id
        WHERE d.patient_id = ? AND coalesce(m.prescribed_date, d.event_date) BETWEEN ? AND ? AND name IS NOT NULL
        ORDER BY date, m.id LIMIT ?`)
        .all(patientId, from, to, limit) as LabSeries['medications'],
  };
}
