import { and, eq, isNull, sql } from 'drizzle-orm';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import type { Database } from '../../platform/database/connection.ts';
import { createRowCache, databaseVersion } from '../../platform/database/query-cache.ts';
import { documents, lab_results, norm_lab_tests } from '../../platform/database/schema/index.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { LAB_RESULT_SELECT, labRow, type TestNames } from '../documents/service.ts';
import { listSpellings } from './spelling-repository.ts';
import {
  countOrphans,
  eventsBetween,
  latestDocument,
  latestResultIds,
  listDatedByDocument,
  medicationsBetween,
  resultsOfSpelling,
  summaryRows,
} from './trend-repository.ts';

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

type Raw = Record<string, unknown>;

export type LabRepository = ReturnType<typeof createLabRepository>;

/** Lab results as records, in their wire shape, and as points of trends. */
export function createLabRepository(db: Database, testNames: TestNames) {
  const deps: WireDeps = { db, testNames };
  return {
    ...bindFirst(deps, { wire: findWireResult }),
    /** Results in the order of the ids. Readers share them. */
    wireMany: createRowCache<Readonly<LabResult>>(
      () => databaseVersion(db),
      (ids) => listWireResults(deps, ids),
    ),
    ...bindFirst(db, {
      /** Changes after every write to the database, by this connection or another. */
      version: databaseVersion,
      get: findResult,
      measurement: findMeasurement,
      hasMeasurement,
      insert: insertResult,
      removeUnedited,
      update: updateResult,
      document: findDocument,
      normTests: findNormTests,
      spellings: listSpellings,
      datedByDocument: listDatedByDocument,
      latestIds: latestResultIds,
      summaryRows,
      results: resultsOfSpelling,
      latestDocument,
      orphanCount: countOrphans,
      events: eventsBetween,
      medications: medicationsBetween,
    }),
  };
}

const findResult = ({ orm }: Database, id: number): LabRecord | undefined =>
  orm.select().from(lab_results).where(eq(lab_results.id, id)).get();

/** Measurements without a document of one name on one day. */
const measuredOn = (patientId: number, { name, date }: { name: string; date: string }) =>
  and(
    eq(lab_results.patient_id, patientId),
    eq(lab_results.test_name_original, name),
    eq(lab_results.test_date, date),
    isNull(lab_results.document_id),
  );

/** Finds a measurement without a document by name, source, day and, unless null, value. */
const findMeasurement = (
  { orm }: Database,
  patientId: number,
  { name, panel, date, value }: { name: string; panel: string; date: string; value: number | null },
): LabRecord | undefined =>
  orm
    .select()
    .from(lab_results)
    .where(
      and(
        measuredOn(patientId, { name, date }),
        eq(lab_results.panel_name, panel),
        ...(value === null ? [] : [eq(lab_results.value, value)]),
      ),
    )
    .get();

/**
 * Whether a measurement without a document has this value by the same app, whichever way it came: `Withings (iPhone)`
 * of a phone backup and `Withings (Apple Health)` of an export are one measurement.
 */
const hasMeasurement = (
  { orm }: Database,
  patientId: number,
  { name, app, date, value, unit }: { name: string; app: string; date: string; value: number; unit: string | null },
): boolean =>
  orm
    .select({ id: lab_results.id })
    .from(lab_results)
    .where(
      and(
        measuredOn(patientId, { name, date }),
        eq(lab_results.value, value),
        sql`${lab_results.unit} IS ${unit}`,
        sql`substr(${lab_results.panel_name}, 1, length(${`${app} (`})) = ${`${app} (`}`,
      ),
    )
    .get() !== undefined;

const insertResult = ({ orm }: Database, fields: typeof lab_results.$inferInsert): number =>
  orm.insert(lab_results).values(fields).returning({ id: lab_results.id }).get().id;

/** Deletes results without a document that nobody edited. */
function removeUnedited(db: Database, ids: readonly number[]): void {
  db.prepare(
    `DELETE FROM lab_results
      WHERE id IN (SELECT value FROM json_each(?)) AND document_id IS NULL AND edited_fields IS NULL`,
  ).run(JSON.stringify(ids));
}

function updateResult({ orm }: Database, id: number, fields: LabFields): void {
  orm.update(lab_results).set(fields).where(eq(lab_results.id, id)).run();
}

interface WireDeps {
  db: Database;
  testNames: TestNames;
}

function findWireResult({ db, testNames }: WireDeps, id: number): LabResult | undefined {
  const row = db.prepare(`${LAB_RESULT_SELECT} WHERE l.id = ?`).get(id) as Raw | undefined;
  return row && (labRow(row, testNames) as unknown as LabResult);
}

/** Reads results in their wire shape, in the order of the ids. */
const listWireResults = ({ db, testNames }: WireDeps, ids: readonly number[]): [number, LabResult][] =>
  (
    db
      .prepare(`${LAB_RESULT_SELECT} WHERE l.id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ids)) as (Raw & { id: number })[]
  ).map((row) => [row.id, labRow(row, testNames) as unknown as LabResult]);

/** Finds a document; it has no patient while it is undecided whose it is. */
const findDocument = ({ orm }: Database, id: number) =>
  orm
    .select({
      patient_id: sql<number | null>`iif(${documents.patient_undecided}, NULL, ${documents.patient_id})`,
      event_date: documents.event_date,
      uploaded_by_user_id: documents.uploaded_by_user_id,
    })
    .from(documents)
    .where(eq(documents.id, id))
    .get();

const findNormTests = ({ orm }: Database, ids: readonly number[]): Map<number, NormTest> =>
  new Map(
    orm
      .select()
      .from(norm_lab_tests)
      .where(sql`${norm_lab_tests.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
      .all()
      .map((test) => [test.id, test]),
  );
