import type { ImagingSort, ListedStudy, StudyChanges } from '../../../src-shared/contract/imaging.ts';
import { foldName } from '../../../src-shared/medical/name-fold.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

/** Who lists studies: those of these patients, and those without a patient that they may see. */
export interface StudyReader {
  userId: number;
  patientIds: readonly number[];
  isAdmin: boolean;
}
export interface StudyFilters {
  patient_id?: number | undefined;
  modality?: string | undefined;
  report_status?: 'placeholder' | 'attached' | undefined;
  q?: string | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}
export interface StudyPage {
  sort: ImagingSort;
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** A study as stored, with the file of its document. */
export interface StudyRecord {
  id: number;
  document_id: number | null;
  patient_id: number | null;
  modality: string | null;
  body_part: string | null;
  study_description: string | null;
  accession_number: string | null;
  study_instance_uid: string | null;
  study_date: string | null;
  folder_path: string | null;
  bundle_path: string | null;
  doctor_id: number | null;
  facility_id: number | null;
  report_status: 'placeholder' | 'attached';
  report_document_id: number | null;
}

interface Condition {
  sql: string;
  values: Record<string, string | number>;
}
type SeriesRow = { id: number; study_id: number; series_id: number } & Record<string, unknown>;
type ObjectRow = { series_id: number; name: string; kind: string; size: number };
type Detail = ListedStudy & { report_doc_type: string | null };

const JOINS = `imaging_studies AS i LEFT JOIN documents AS d ON d.id = i.document_id
  LEFT JOIN patients AS p ON p.id = i.patient_id LEFT JOIN doctors AS dr ON dr.id = i.doctor_id
  LEFT JOIN facilities AS f ON f.id = i.facility_id`;
const DECIDED = 'd.patient_undecided IS NOT 1';
const COLUMNS = `i.id, i.document_id, i.patient_id, i.modality, i.body_part, i.study_description, i.accession_number,
  i.study_instance_uid, i.study_date, i.num_series, i.num_images, i.folder_path, i.report_status, i.doctor_id,
  i.facility_id, p.display_name AS patient_name, dr.canonical_display AS doctor_name,
  f.canonical_display AS facility_name, d.original_filename AS report_filename, d.file_path AS report_file_path,
  i.created_at AS date_added`;
const SORTED: Record<ImagingSort, string> = {
  modality: 'i.modality',
  body_part: 'i.body_part',
  study_date: 'i.study_date',
  doctor: 'dr.canonical_display',
  facility: 'f.canonical_display',
  patient: 'p.display_name',
  report_status: 'i.report_status',
  date_added: 'i.created_at',
};

export type StudyRepository = ReturnType<typeof createStudyRepository>;

/** Reads imaging studies in their wire shape. */
export const createStudyRepository = (db: Database) =>
  bindFirst(db, {
    list: listStudies,
    detail: findDetail,
    get: findStudy,
    series: listSeries,
    objects: listObjects,
    ofDocument: findOfDocument,
    withReport: findWithReport,
    update: updateColumns,
    recordCorrection,
  });

/** Studies without a value to sort by come last in both directions. */
function listStudies(
  db: Database,
  reader: StudyReader,
  filters: StudyFilters,
  { sort, order, limit, offset }: StudyPage,
): { items: ListedStudy[]; total: number } {
  const where = conditionOf(db, reader, filters);
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const items = db
    .prepare(
      `SELECT ${COLUMNS} FROM ${JOINS} WHERE ${where.sql}
        ORDER BY ${SORTED[sort]} IS NULL, ${SORTED[sort]} COLLATE NOCASE ${direction}, i.study_date DESC, i.id DESC
        LIMIT ${limit} OFFSET @offset`,
    )
    .all({ ...where.values, offset }) as ListedStudy[];
  const total = db.prepare(`SELECT count(*) FROM ${JOINS} WHERE ${where.sql}`).pluck().get(where.values) as number;
  return { items, total };
}

function conditionOf(db: Database, reader: StudyReader, { q, ...filters }: StudyFilters): Condition {
  const parts: Condition[] = [visibleTo(reader, filters.patient_id)];
  if (filters.modality !== undefined)
    parts.push({ sql: 'i.modality = @modality COLLATE NOCASE', values: { modality: filters.modality } });
  if (filters.report_status !== undefined)
    parts.push({ sql: 'i.report_status = @status', values: { status: filters.report_status } });
  if (filters.date_from !== undefined)
    parts.push({ sql: 'i.study_date >= @from', values: { from: filters.date_from } });
  if (filters.date_to !== undefined) parts.push({ sql: 'i.study_date <= @to', values: { to: filters.date_to } });
  const condition = allOf(parts);
  const words = foldName(q ?? '')
    .split(' ')
    .filter(Boolean);
  if (words.length === 0) return condition;
  const found = JSON.stringify(matching(db, condition, words));
  return allOf([condition, { sql: 'i.id IN (SELECT value FROM json_each(@found))', values: { found } }]);
}

const allOf = (parts: readonly Condition[]): Condition => ({
  sql: parts.map(({ sql }) => sql).join(' AND '),
  values: Object.assign({}, ...parts.map(({ values }) => values)) as Condition['values'],
});

/** Studies of an undecided document belong to nobody's record; without a patient, its uploader finds them here. */
export function visibleTo({ userId, patientIds, isAdmin }: StudyReader, patientId: number | undefined): Condition {
  if (patientId !== undefined) return { sql: `i.patient_id = @patient AND ${DECIDED}`, values: { patient: patientId } };
  return {
    sql: `((i.patient_id IN (SELECT value FROM json_each(@patients)) AND ${DECIDED})
      OR (i.patient_id IS NULL AND ${isAdmin ? '1' : 'd.uploaded_by_user_id = @user'}))`,
    values: { patients: JSON.stringify(patientIds), ...(!isAdmin && { user: userId }) },
  };
}

/** Studies that contain all these folded words, each in any of the columns that are searched. */
function matching(db: Database, { sql, values }: Condition, words: readonly string[]): number[] {
  const rows = db
    .prepare(
      `SELECT i.id, concat_ws(' ', i.body_part, i.study_description, dr.canonical_display, f.canonical_display) AS text
        FROM ${JOINS} WHERE ${sql}`,
    )
    .all(values) as { id: number; text: string }[];
  return rows.flatMap(({ id, text }) => {
    const folded = foldName(text);
    return words.every((word) => folded.includes(word)) ? [id] : [];
  });
}

const findDetail = (db: Database, id: number): Detail | undefined =>
  db.prepare(`SELECT ${COLUMNS}, d.doc_type AS report_doc_type FROM ${JOINS} WHERE i.id = ?`).get(id) as
    | Detail
    | undefined;

const findStudy = (db: Database, id: number): StudyRecord | undefined =>
  db.prepare('SELECT * FROM imaging_studies WHERE id = ?').get(id) as StudyRecord | undefined;

const listSeries = (db: Database, studyId: number): SeriesRow[] =>
  db
    .prepare(
      'SELECT *, id AS series_id FROM imaging_series WHERE study_id = ? ORDER BY series_number IS NULL, series_number, id',
    )
    .all(studyId) as SeriesRow[];

/** Objects without frames, in the order of their series. */
const listObjects = (db: Database, studyId: number): ObjectRow[] =>
  db
    .prepare(
      `SELECT o.series_id, o.file_name AS name, CASE o.kind WHEN 'image' THEN 'other' ELSE o.kind END AS kind,
        o.file_size AS size FROM imaging_instances AS o JOIN imaging_series AS s ON s.id = o.series_id
        WHERE s.study_id = ? AND o.frames = 0 ORDER BY s.series_number, s.id, o.instance_number, o.id`,
    )
    .all(studyId) as ObjectRow[];

/** Studies whose document this is. */
const findOfDocument = (db: Database, documentId: number): StudyRecord[] =>
  db.prepare('SELECT * FROM imaging_studies WHERE document_id = ? ORDER BY id').all(documentId) as StudyRecord[];

/** Studies that wait for a report again, after this one was deleted. */
const findWithReport = (db: Database, documentId: number): StudyRecord[] =>
  db
    .prepare("SELECT * FROM imaging_studies WHERE report_document_id = ? AND report_status = 'placeholder' ORDER BY id")
    .all(documentId) as StudyRecord[];

/** Columns of a study that others change: its report, and what a user corrects. */
export type StudyColumns = Partial<
  Pick<StudyRecord, 'document_id' | 'report_status' | 'report_document_id' | keyof StudyChanges>
>;

function updateColumns(db: Database, id: number, columns: StudyColumns): void {
  const assignments = Object.keys(columns).map((column) => `${column} = @${column}`);
  db.prepare(`UPDATE imaging_studies SET ${assignments.join(', ')} WHERE id = @id`).run({ ...columns, id });
}

/** A corrected column of a study, recorded at its document. `now` is a timestamp of the wire. */
interface StudyCorrection {
  document: number;
  field: keyof StudyColumns;
  before: string | null;
  after: string | null;
  now: string;
}

const recordCorrection = (db: Database, { field, ...correction }: StudyCorrection): void =>
  void db
    .prepare(
      `INSERT INTO extraction_corrections (document_id, field, old_value, new_value, created_at)
        VALUES (@document, @field, @before, @after, @now)`,
    )
    .run({ ...correction, field: `imaging.${field}` });
