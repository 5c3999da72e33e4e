import type { DocumentNaming } from '../../../src-shared/contract/document-naming.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { timeline as contract, TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import type { Database } from '../../platform/database/connection.ts';
import { createQueryCache, databaseVersion } from '../../platform/database/query-cache.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

type Reply = ReplyInput<typeof contract.get>;
type Specialty = Reply['specialties'][number];
/** A document on the axis, without what names it. */
export type DocumentRow = Omit<NonNullable<Reply['documents']>[number], keyof DocumentNaming>;
type Value = string | number;
export interface Range {
  from: string;
  to: string;
}
/** Ids of specialties; `includesNull` adds items without one. Null does not filter. */
export type SpecialtyFilter = { ids: number[]; includesNull: boolean } | null;

interface Condition {
  sql: string;
  values: Value[];
}

const MAX_EVENTS = 2000;
const MAX_UNDATED_EVENTS = 200;
/** Wire value of items without a specialty. */
const NULL_FILTER = '__blank__';
const marks = (values: unknown[]): string => values.map(() => '?').join(',');

interface Deps {
  db: Database;
  cachedExtent(key: string, read: () => Range | null): Range | null;
  cachedUndated(key: string, count: () => number): number;
  cachedSpecialties(key: string, count: () => Specialty[]): Specialty[];
}

export type TimelineRepository = ReturnType<typeof createTimelineRepository>;

/** Reads the items of a patient's timeline. Counts use covering indexes. */
export function createTimelineRepository(db: Database) {
  const version = () => databaseVersion(db);
  const deps: Deps = {
    db,
    cachedExtent: createQueryCache(version),
    cachedUndated: createQueryCache(version),
    cachedSpecialties: createQueryCache(version),
  };
  return {
    ...bindFirst(deps, {
      extent: readExtent,
      undatedDocuments: countUndatedDocuments,
      specialties: countSpecialties,
    }),
    ...bindFirst(db, {
      specialtyFilter: findSpecialties,
      documentsByDay,
      resultsByDay,
      imagingByDay,
      documents: listDocuments,
      labs: listLabs,
      imaging: listImaging,
      events: listEvents,
      undatedEvents: listUndatedEvents,
    }),
  };
}

const all = <T>(db: Database, sql: string, ...values: Value[]): T[] => db.prepare(sql).all(...values) as T[];

/** A condition on a column of specialty ids. */
function specialtyIs(column: string, { ids, includesNull }: Exclude<SpecialtyFilter, null>): Condition {
  const parts = [
    ...(ids.length ? [`${column} IN (${marks(ids)})`] : []),
    ...(includesNull ? [`${column} IS NULL`] : []),
  ];
  return { sql: `(${parts.join(' OR ') || '0'})`, values: ids };
}

/** Returns the condition as an AND clause; empty without a filter. */
function andSpecialtyIs(column: string, filter: SpecialtyFilter): Condition {
  if (!filter) return { sql: '', values: [] };
  const { sql, values } = specialtyIs(column, filter);
  return { sql: ` AND ${sql}`, values };
}

const DATE_COLUMNS = [
  ['record_documents', 'event_date'],
  ['lab_results', 'test_date'],
  ['record_studies', 'study_date'],
  ['events', 'date_start'],
  ['events', 'date_end'],
] as const;

/** Reads the first and last day of the timeline; null if nothing has a date. */
const readExtent = ({ db, cachedExtent }: Deps, patientId: number): Range | null =>
  cachedExtent(String(patientId), () => {
    const datesBy = (aggregate: 'min' | 'max'): string[] =>
      DATE_COLUMNS.map(
        ([table, column]) =>
          db
            .prepare(`SELECT ${aggregate}(${column}) FROM ${table} WHERE patient_id = ? AND ${column} IS NOT NULL`)
            .pluck()
            .get(patientId) as string | null,
      )
        .filter((date) => date !== null)
        .sort();
    const from = datesBy('min')[0],
      to = datesBy('max').at(-1);
    return from === undefined || to === undefined ? null : { from, to };
  });

/** Counts documents without a date. */
const countUndatedDocuments = ({ db, cachedUndated }: Deps, patientId: number): number =>
  cachedUndated(
    String(patientId),
    () =>
      db
        .prepare('SELECT count(*) FROM record_documents WHERE patient_id = ? AND event_date IS NULL')
        .pluck()
        .get(patientId) as number,
  );

/** Counts the documents of each specialty, for the filter. */
const countSpecialties = ({ db, cachedSpecialties }: Deps, patientIds: number[]): Specialty[] =>
  cachedSpecialties(JSON.stringify(patientIds), () =>
    all<{ id: number | null; label: string | null; count: number }>(
      db,
      `SELECT n.id, s.canonical_display AS label, n.count FROM (SELECT norm_specialty_id AS id, count(*) AS count
        FROM record_documents WHERE patient_id IN (${marks(patientIds)}) GROUP BY 1) AS n
        LEFT JOIN norm_specialties AS s ON s.id = n.id ORDER BY n.count DESC, label`,
      ...patientIds,
    ).map(({ id, label, count }) => ({ value: id === null ? NULL_FILTER : String(id), label: label ?? '', count })),
  );

/** Builds the filter for ids or canonical codes of specialties. */
const findSpecialties = (db: Database, values: string[]): SpecialtyFilter => ({
  ids: values
    .filter((value) => value !== NULL_FILTER)
    .flatMap((value) =>
      all<{ id: number }>(
        db,
        'SELECT id FROM norm_specialties WHERE id = ? OR canonical_code = ?',
        /^\d{1,15}$/.test(value) ? Number(value) : -1,
        value,
      ).map((row) => row.id),
    ),
  includesNull: values.includes(NULL_FILTER),
});

function documentsByDay(
  db: Database,
  patientId: number,
  { from, to }: Range,
  filter: SpecialtyFilter,
): { date: string; documents: number }[] {
  const specialty = andSpecialtyIs('norm_specialty_id', filter);
  return all(
    db,
    `SELECT event_date AS date, count(*) AS documents FROM record_documents
      WHERE patient_id = ? AND event_date BETWEEN ? AND ?${specialty.sql} GROUP BY event_date`,
    patientId,
    from,
    to,
    ...specialty.values,
  );
}

const IS_UNCERTAIN = "(l.doubt IS NOT NULL AND l.doubt <> '[]')";
/** A number that may have been read wrongly is not counted as out of range. */
const RESULT_COUNTS = `count(*) AS results, coalesce(sum(l.is_abnormal AND NOT ${IS_UNCERTAIN}), 0) AS abnormal,
  coalesce(sum(${IS_UNCERTAIN}), 0) AS uncertain`;

function resultsByDay(
  db: Database,
  patientId: number,
  { from, to }: Range,
  filter: SpecialtyFilter,
): { date: string; results: number; abnormal: number; uncertain: number }[] {
  const columns = `l.test_date AS date, ${RESULT_COUNTS}`;
  if (!filter)
    return all(
      db,
      `SELECT ${columns} FROM lab_results AS l INDEXED BY lab_results_timeline
        WHERE l.patient_id = ? AND l.test_date BETWEEN ? AND ? GROUP BY l.test_date`,
      patientId,
      from,
      to,
    );
  const specialty = specialtyIs('d.norm_specialty_id', filter);
  return all(
    db,
    `SELECT ${columns} FROM record_documents AS d CROSS JOIN lab_results AS l ON l.document_id = d.id
      WHERE d.patient_id = ? AND ${specialty.sql} AND l.test_date BETWEEN ? AND ? GROUP BY l.test_date`,
    patientId,
    ...specialty.values,
    from,
    to,
  );
}

function imagingByDay(
  db: Database,
  patientId: number,
  { from, to }: Range,
  filter: SpecialtyFilter,
): { date: string; imaging: number }[] {
  const specialty = andSpecialtyIs('d.norm_specialty_id', filter);
  return all(
    db,
    `SELECT i.study_date AS date, count(*) AS imaging FROM record_studies AS i LEFT
      JOIN record_documents AS d ON d.id = i.document_id
      WHERE i.patient_id = ? AND i.study_date BETWEEN ? AND ?${specialty.sql} GROUP BY i.study_date`,
    patientId,
    from,
    to,
    ...specialty.values,
  );
}

function listDocuments(db: Database, patientId: number, { from, to }: Range, filter: SpecialtyFilter): DocumentRow[] {
  const specialty = andSpecialtyIs('d.norm_specialty_id', filter);
  return all(
    db,
    `SELECT d.id, d.patient_id, d.event_date AS date,
      coalesce(s.canonical_display, d.specialty_original) AS specialty, d.event_id, e.color AS event_color
      FROM record_documents AS d LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id LEFT JOIN events AS e ON e.id = d.event_id
      WHERE d.patient_id = ? AND d.event_date BETWEEN ? AND ?${specialty.sql} ORDER BY d.event_date, d.id`,
    patientId,
    from,
    to,
    ...specialty.values,
  );
}

function listLabs(
  db: Database,
  patientId: number,
  { from, to }: Range,
  filter: SpecialtyFilter,
): NonNullable<Reply['labs']> {
  const select = `SELECT l.document_id, l.test_date AS date, ${RESULT_COUNTS} FROM`;
  const inRange = 'l.test_date BETWEEN ? AND ? GROUP BY l.test_date, l.document_id ORDER BY l.test_date, l.document_id';
  if (!filter)
    return all(
      db,
      `${select} lab_results AS l INDEXED BY lab_results_timeline WHERE l.patient_id = ? AND ${inRange}`,
      patientId,
      from,
      to,
    );
  const specialty = specialtyIs('d.norm_specialty_id', filter);
  return all(
    db,
    `${select} record_documents AS d CROSS JOIN lab_results AS l ON l.document_id = d.id
      WHERE d.patient_id = ? AND ${specialty.sql} AND ${inRange}`,
    patientId,
    ...specialty.values,
    from,
    to,
  );
}

function listImaging(
  db: Database,
  patientId: number,
  { from, to }: Range,
  filter: SpecialtyFilter,
): NonNullable<Reply['imaging']> {
  const specialty = andSpecialtyIs('d.norm_specialty_id', filter);
  return all(
    db,
    `SELECT i.id, i.document_id, i.study_date AS date, i.modality, i.body_part FROM record_studies AS i LEFT
      JOIN record_documents AS d ON d.id = i.document_id
      WHERE i.patient_id = ? AND i.study_date BETWEEN ? AND ?${specialty.sql} ORDER BY i.study_date, i.id`,
    patientId,
    from,
    to,
    ...specialty.values,
  );
}

/**
 * Lists events that overlap the range. A filter matches the specialty of the event or, if it has none, that of one of
 * its documents.
 */
function listEvents(db: Database, patientId: number, { from, to }: Range, filter: SpecialtyFilter): TimelineSpan[] {
  const specialty = filter ? eventSpecialtyIs(filter) : { sql: '', values: [] };
  const rows = all<TimelineSpan & { is_ongoing: unknown }>(
    db,
    `SELECT e.id, e.patient_id, e.title, e.event_type, e.date_start, e.date_end, e.is_ongoing, e.severity, e.color,
      coalesce(s.canonical_display, e.specialty_text) AS specialty,
      (SELECT count(*) FROM event_documents AS x JOIN record_documents AS d ON d.id = x.document_id
        WHERE x.event_id = e.id) AS document_count
      FROM events AS e LEFT JOIN norm_specialties AS s ON s.id = e.norm_specialty_id
      WHERE e.patient_id = ? AND e.date_start <= ? AND (e.is_ongoing = 1 OR coalesce(e.date_end, e.date_start) >= ?)
        ${specialty.sql}
      ORDER BY e.date_start, e.id LIMIT ${MAX_EVENTS}`,
    patientId,
    to,
    from,
    ...specialty.values,
  );
  return rows.map((row) => ({ ...row, is_ongoing: Number(row.is_ongoing) === 1 }));
}

function eventSpecialtyIs(filter: Exclude<SpecialtyFilter, null>): Condition {
  const own = specialtyIs('e.norm_specialty_id', filter),
    ofDocument = specialtyIs('d.norm_specialty_id', filter);
  return {
    sql: `AND ((${own.sql}) OR (e.norm_specialty_id IS NULL AND EXISTS (SELECT 1 FROM event_documents AS x
      JOIN record_documents AS d ON d.id = x.document_id WHERE x.event_id = e.id AND ${ofDocument.sql})))`,
    values: [...own.values, ...ofDocument.values],
  };
}

const listUndatedEvents = (db: Database, patientId: number): { id: number; title: string }[] =>
  all(
    db,
    `SELECT id, title FROM events WHERE patient_id = ? AND date_start IS NULL ORDER BY title, id
      LIMIT ${MAX_UNDATED_EVENTS}`,
    patientId,
  );
