import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { timeline as contract, TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import type { Database } from '../../platform/database/connection.ts';

type Reply = ReplyInput<typeof contract.get>;
type Value = string | number;
export interface Range {
  from: string;
  to: string;
}
/** Ids of specialties; `blank` asks for what has none. Null asks for all. */
export type SpecialtyFilter = { ids: number[]; blank: boolean } | null;

const MAX_EVENTS = 2000;
const marks = (values: unknown[]): string => values.map(() => '?').join(',');
const NULL_FILTER = '__blank__';

/** A condition on a column of specialty ids. */
function specialtyIs(column: string, filter: Exclude<SpecialtyFilter, null>): { sql: string; values: Value[] } {
  const parts = [
    ...(filter.ids.length ? [`${column} IN (${marks(filter.ids)})`] : []),
    ...(filter.blank ? [`${column} IS NULL`] : []),
  ];
  return { sql: `(${parts.join(' OR ') || '0'})`, values: filter.ids };
}

export type TimelineRepository = ReturnType<typeof createTimelineRepository>;

/** Kept answers for so many patients and filters. */
const MAX_CACHED_ANSWERS = 200;

/** Keeps answers until anything is written, by this connection or by another one. */
function createMemory(db: Database) {
  const kept = new Map<string, unknown>();
  let writes = '';
  return <T>(key: string, make: () => T): T => {
    const now = `${String(db.prepare('SELECT total_changes()').pluck().get())}
      ${String(db.sqlite.pragma('data_version', { simple: true }))}`;
    if (now !== writes || kept.size >= MAX_CACHED_ANSWERS) kept.clear();
    writes = now;
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key) as T;
  };
}

/** Reads the entries of a patient's timeline. Counts use covering indexes. */
export function createTimelineRepository(db: Database) {
  const all = <T>(sql: string, ...values: Value[]): T[] => db.prepare(sql).all(...values) as T[];
  const one = (sql: string, ...values: Value[]): string | null =>
    db
      .prepare(sql)
      .pluck()
      .get(...values) as string | null;

  const remembered = createMemory(db);
  return {
    /** First and last day of anything; null without a date. */
    extent: (patientId: number): Range | null =>
      remembered(`extent ${patientId}`, () => {
        const columns = [
          ['documents', 'event_date'],
          ['lab_results', 'test_date'],
          ['imaging_studies', 'study_date'],
          ['events', 'date_start'],
          ['events', 'date_end'],
        ] as const;
        const ends = (aggregate: 'min' | 'max') =>
          columns
            .map(([table, column]) =>
              one(
                `SELECT ${aggregate}(${column}) FROM ${table} WHERE patient_id = ? AND ${column} IS NOT NULL`,
                patientId,
              ),
            )
            .filter((date) => date !== null)
            .sort();
        const from = ends('min')[0],
          to = ends('max').at(-1);
        return from === undefined || to === undefined ? null : { from, to };
      }),

    specialtyIds: (values: string[]): SpecialtyFilter => ({
      ids: values
        .filter((value) => value !== NULL_FILTER)
        .flatMap((value) =>
          all<{ id: number }>(
            'SELECT id FROM norm_specialties WHERE id = ? OR canonical_code = ?',
            /^\d{1,15}$/.test(value) ? Number(value) : -1,
            value,
          ).map((row) => row.id),
        ),
      blank: values.includes(NULL_FILTER),
    }),

    documentsByDay(
      patientId: number,
      { from, to }: Range,
      filter: SpecialtyFilter,
    ): { date: string; documents: number }[] {
      const specialty = filter && specialtyIs('norm_specialty_id', filter);
      return all(
        `SELECT event_date AS date, count(*) AS documents FROM documents
          WHERE patient_id = ? AND event_date BETWEEN ? AND ?${specialty ? ` AND ${specialty.sql}` : ''}
          GROUP BY event_date`,
        patientId,
        from,
        to,
        ...(specialty?.values ?? []),
      );
    },
    resultsByDay(
      patientId: number,
      { from, to }: Range,
      filter: SpecialtyFilter,
    ): { date: string; results: number; abnormal: number }[] {
      const counts = 'l.test_date AS date, count(*) AS results, coalesce(sum(l.is_abnormal), 0) AS abnormal';
      if (!filter)
        return all(
          `SELECT ${counts} FROM lab_results AS l INDEXED BY lab_results_timeline
            WHERE l.patient_id = ? AND l.test_date BETWEEN ? AND ? GROUP BY l.test_date`,
          patientId,
          from,
          to,
        );
      const specialty = specialtyIs('d.norm_specialty_id', filter);
      return all(
        `SELECT ${counts} FROM documents AS d CROSS JOIN lab_results AS l ON l.document_id = d.id
          WHERE d.patient_id = ? AND ${specialty.sql} AND l.test_date BETWEEN ? AND ? GROUP BY l.test_date`,
        patientId,
        ...specialty.values,
        from,
        to,
      );
    },
    imagingByDay(patientId: number, { from, to }: Range, filter: SpecialtyFilter): { date: string; imaging: number }[] {
      const specialty = filter && specialtyIs('d.norm_specialty_id', filter);
      return all(
        `SELECT i.study_date AS date, count(*) AS imaging FROM imaging_studies AS i LEFT
          JOIN documents AS d ON d.id = i.document_id
          WHERE i.patient_id = ? AND i.study_date BETWEEN ? AND ?${specialty ? ` AND ${specialty.sql}` : ''}
          GROUP BY i.study_date`,
        patientId,
        from,
        to,
        ...(specialty?.values ?? []),
      );
    },

    documents(patientId: number, { from, to }: Range, filter: SpecialtyFilter): NonNullable<Reply['documents']> {
      const specialty = filter && specialtyIs('d.norm_specialty_id', filter);
      return all(
        `SELECT d.id, d.event_date AS date, d.doc_type, d.original_filename AS title,
          dr.canonical_display AS doctor_name, coalesce(s.canonical_display, d.specialty_original) AS specialty,
          d.event_id, e.color AS event_color
        FROM documents AS d LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT
        JOIN norm_specialties AS s ON s.id = d.norm_specialty_id LEFT JOIN events AS e ON e.id = d.event_id
        WHERE d.patient_id = ? AND d.event_date BETWEEN ? AND ?${specialty ? ` AND ${specialty.sql}` : ''}
        ORDER BY d.event_date, d.id`,
        patientId,
        from,
        to,
        ...(specialty?.values ?? []),
      );
    },
    labs(patientId: number, { from, to }: Range, filter: SpecialtyFilter): NonNullable<Reply['labs']> {
      const specialty = filter && specialtyIs('d.norm_specialty_id', filter);
      const counted = `SELECT l.document_id, l.test_date AS date, count(*) AS results, coalesce(sum(l.is_abnormal), 0) AS abnormal
          FROM`;
      const grouped =
        'l.test_date BETWEEN ? AND ? GROUP BY l.test_date, l.document_id ORDER BY l.test_date, l.document_id';
      if (!specialty)
        return all(
          `${counted} lab_results AS l INDEXED BY lab_results_timeline WHERE l.patient_id = ? AND ${grouped}`,
          patientId,
          from,
          to,
        );
      return all(
        `${counted} documents AS d CROSS JOIN lab_results AS l ON l.document_id = d.id
          WHERE d.patient_id = ? AND ${specialty.sql} AND ${grouped}`,
        patientId,
        ...specialty.values,
        from,
        to,
      );
    },
    imaging(patientId: number, { from, to }: Range, filter: SpecialtyFilter): NonNullable<Reply['imaging']> {
      const specialty = filter && specialtyIs('d.norm_specialty_id', filter);
      return all(
        `SELECT i.id, i.document_id, i.study_date AS date, i.modality, i.body_part FROM imaging_studies AS i LEFT
          JOIN documents AS d ON d.id = i.document_id
        WHERE i.patient_id = ? AND i.study_date BETWEEN ? AND ?${specialty ? ` AND ${specialty.sql}` : ''}
        ORDER BY i.study_date, i.id`,
        patientId,
        from,
        to,
        ...(specialty?.values ?? []),
      );
    },

    /**
     * Events that touch the range; with a filter those of the specialty, or without one of their own but with a
     * document of it.
     */
    events(patientId: number, { from, to }: Range, filter: SpecialtyFilter): TimelineSpan[] {
      const own = filter && specialtyIs('e.norm_specialty_id', filter),
        documents = filter && specialtyIs('d.norm_specialty_id', filter);
      const ofSpecialty =
        own && documents
          ? `AND ((${own.sql}) OR (e.norm_specialty_id IS NULL AND EXISTS (SELECT 1 FROM event_documents AS x
            JOIN documents AS d ON d.id = x.document_id WHERE x.event_id = e.id AND ${documents.sql})))`
          : '';
      const rows = all<TimelineSpan & { is_ongoing: unknown }>(
        `SELECT e.id, e.patient_id, e.title, e.event_type, e.date_start, e.date_end, e.is_ongoing, e.severity, e.color,
          coalesce(s.canonical_display, e.specialty_text) AS specialty,
          (SELECT count(*) FROM event_documents AS x WHERE x.event_id = e.id) AS document_count
        FROM events AS e LEFT JOIN norm_specialties AS s ON s.id = e.norm_specialty_id
        WHERE e.patient_id = ? AND e.date_start <= ? AND (e.is_ongoing = 1 OR coalesce(e.date_end, e.date_start) >= ?)
          ${ofSpecialty}
        ORDER BY e.date_start, e.id LIMIT ${MAX_EVENTS}`,
        patientId,
        to,
        from,
        ...(own?.values ?? []),
        ...(documents?.values ?? []),
      );
      return rows.map((row) => ({ ...row, is_ongoing: Number(row.is_ongoing) === 1 }));
    },

    undatedEvents: (patientId: number): { id: number; title: string }[] =>
      all(
        'SELECT id, title FROM events WHERE patient_id = ? AND date_start IS NULL ORDER BY title, id LIMIT 200',
        patientId,
      ),
    undatedDocuments: (patientId: number): number =>
      remembered(
        `undated ${patientId}`,
        () =>
          db
            .prepare('SELECT count(*) FROM documents WHERE patient_id = ? AND event_date IS NULL')
            .pluck()
            .get(patientId) as number,
      ),
    specialties: (patientIds: number[]): { value: string; label: string; count: number }[] =>
      remembered(JSON.stringify(['specialties', patientIds]), () =>
        all<{ id: number | null; label: string | null; count: number }>(
          `SELECT n.id, s.canonical_display AS label, n.count FROM (SELECT norm_specialty_id AS id, count(*) AS count
            FROM documents WHERE patient_id IN (${marks(patientIds)}) GROUP BY 1) AS n
        LEFT JOIN norm_specialties AS s ON s.id = n.id ORDER BY n.count DESC, label`,
          ...patientIds,
        ).map(({ id, label, count }) => ({ value: id === null ? NULL_FILTER : String(id), label: label ?? '', count })),
      ),
  };
}
