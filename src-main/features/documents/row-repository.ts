import type { z } from 'zod';
import {
  documentListItem,
  documentRow,
  type documentDetail,
  type joinedNames,
  labResult,
  type stageEvent,
} from '../../../src-shared/contract/rows.ts';
import type { Database } from '../../platform/database/connection.ts';
import { createQueryCache, createRowCache, databaseVersion } from '../../platform/database/query-cache.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { REGION_STATUS } from '../../reading/pipeline/region-status.ts';
import type { ReviewReason } from '../../reading/extraction/extraction.ts';
import { isNameOf } from '../../reading/extraction/patient-decision.ts';
import { listEventLinks } from './event-link-repository.ts';
import { withDetail } from './edit/review-reason.ts';
import { readStoredError } from '../../platform/kernel/stored-error.ts';
import { createNamings, type Namings } from './list/naming-repository.ts';
import type { DocumentRecord } from './write-repository.ts';

type ListItem = z.input<typeof documentListItem>;
type Detail = z.input<typeof documentDetail>;
type LabResult = z.input<typeof labResult>;

/** The fields of a document that are columns; `error` is read from `error_message`. */
type DocumentColumn = Exclude<keyof typeof documentRow.shape, 'error'> & keyof DocumentRecord;
const DOCUMENT_COLUMNS = (Object.keys(documentRow.shape) as (keyof typeof documentRow.shape)[]).filter(
  (name): name is DocumentColumn => name !== 'error',
);
const JOINED_COLUMNS = {
  patient_name: 'p.display_name',
  doctor_name: 'dr.canonical_display',
  facility_name: 'f.canonical_display',
  specialty_display: 'coalesce(s.canonical_display, d.specialty_original)',
  specialty_canonical_display: 's.canonical_display',
  specialty_canonical_code: 's.canonical_code',
  event_title: 'e.title',
  event_type: 'e.event_type',
  event_color: 'e.color',
} satisfies Record<Exclude<keyof typeof joinedNames.shape, 'highlights'>, string>;
const selectOf = (columns: readonly string[]): string =>
  [
    ...[...columns, 'review_reasons'].map((name) => `d.${name}`),
    ...Object.entries(JOINED_COLUMNS).map(([name, column]) => `${column} AS ${name}`),
  ].join(', ');
const LIST_SELECT = selectOf(DOCUMENT_COLUMNS.filter((name) => name in documentListItem.shape));
const DETAIL_SELECT = selectOf(DOCUMENT_COLUMNS);
const JOINS = `documents AS d LEFT JOIN patients AS p ON p.id = d.patient_id LEFT
  JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN facilities AS f ON f.id = d.facility_id
  LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id LEFT JOIN events AS e ON e.id = d.event_id`;

/** Encounters with the names of doctor and facility. */
export const ENCOUNTER_SELECT = `SELECT e.*, dr.canonical_display AS doctor_name, f.canonical_display AS facility_name
  FROM encounters AS e LEFT JOIN doctors AS dr ON dr.id = e.doctor_id LEFT
  JOIN facilities AS f ON f.id = e.facility_id`;

/** Columns of a lab result from other tables; `test_names` is the code of a test of the knowledge base. */
const JOINED_RESULT_COLUMNS: Partial<Record<keyof typeof labResult.shape, string>> = {
  test_name_canonical: 'n.canonical_display',
  canonical_code: 'n.canonical_code',
  test_names: 'iif(n.seeded, n.canonical_code, NULL)',
  unit_preferred: 'n.unit_preferred',
  document_filename: 'd.original_filename',
  document_doc_type: 'd.doc_type',
  document_doc_date: 'd.event_date',
  document_missing: 'd.id IS NULL',
};
const RESULT_COLUMNS = (Object.keys(labResult.shape) as (keyof typeof labResult.shape)[]).map((name) => {
  const joined = JOINED_RESULT_COLUMNS[name];
  return joined === undefined ? `l.${name}` : `${joined} AS ${name}`;
});
/** Lab results with their canonical test and their document. */
export const LAB_RESULT_SELECT = `SELECT ${RESULT_COLUMNS.join(', ')}
  FROM lab_results AS l LEFT JOIN norm_lab_tests AS n ON n.id = l.norm_lab_test_id LEFT
  JOIN documents AS d ON d.id = l.document_id`;

const CHILD_TABLES = [
  'lab_results',
  'encounters',
  'medications',
  'vaccinations',
  'invoice_items',
  'document_sections',
  'region_translations',
  'imaging_studies',
] as const;
type ChildTable = (typeof CHILD_TABLES)[number];
/** Which tables have rows of a document; most documents have rows of one or two, and the others are not read. */
const PRESENT_CHILDREN = `SELECT ${CHILD_TABLES.map(
  (table) => `EXISTS (SELECT 1 FROM ${table} WHERE document_id = @id) AS ${table}`,
).join(', ')}`;

const REGION_SELECT = `SELECT r.*, ${REGION_STATUS} AS status
  FROM region_translations AS r WHERE r.document_id = ? ORDER BY r.id`;

type Raw = Record<string, unknown>;
const parseJson = <T>(text: unknown): T | null => (typeof text === 'string' ? (JSON.parse(text) as T) : null);
/** Completes a row in place: a fresh row belongs to its reader, and copying it would take as long as reading it. */
const withEvidence = (row: Raw): Raw =>
  Object.assign(row, { evidence: parseJson(row['evidence']), edited_fields: parseJson(row['edited_fields']) });
/** The names of a test of the knowledge base by language, by its canonical code; null for another test. */
export type TestNames = (canonicalCode: string) => Readonly<Record<string, string>> | null;

/** A raw row of `LAB_RESULT_SELECT` in its wire shape. */
export const labRow = (row: Raw, testNames: TestNames): Raw =>
  Object.assign(withEvidence(row), {
    test_names: row['test_names'] === null ? null : testNames(String(row['test_names'])),
    doubt: parseJson(row['doubt']) ?? [],
    is_abnormal: row['is_abnormal'] === null ? null : row['is_abnormal'] === 1,
    document_missing: row['document_missing'] === 1,
  });
const withError = (row: Raw): Raw => {
  const { error, text } = readStoredError(row['error'] as string | null);
  return Object.assign(row, { error: text, failure: error });
};
const reasonsOf = (row: Raw) => (parseJson<ReviewReason[]>(row['review_reasons']) ?? []).map(withDetail);
const flagsOf = (row: Raw) => ({ patient_undecided: row['patient_undecided'] === 1 });

/** What tells whose document it is. */
function patientSource(row: Raw, edited: readonly string[]): Detail['patient_source'] {
  const { patient_name: patient, extracted_patient_name: printed } = row as Record<string, string | null>;
  if (edited.includes('patient_id')) return 'user';
  if (typeof patient !== 'string') return null;
  const isNamed = printed !== null && printed !== undefined && isNameOf(printed, { display_name: patient });
  if (isNamed && row['patient_undecided'] !== 1) return 'page';
  return row['uploaded_by_user_id'] === null ? 'inbox' : 'upload';
}

function errorOf(row: Raw) {
  const { error, text } = readStoredError(row['error_message'] as string | null);
  return { error, error_message: text };
}

interface Deps {
  db: Database;
  testNames: TestNames;
  namings: Namings;
  /** What was read of a document, kept until the next write. */
  keep: (key: string, read: () => WholeDocument | null) => WholeDocument | null;
}
/** A document with all its links, which not every caller may know. */
interface WholeDocument {
  detail: Omit<Detail, 'links'>;
  links: readonly LinkRow[];
}
type LinkRow = Raw & { patientId: number | null; uploaderId: number | null };

/** A document is read again while it is looked at, and its text can take megabytes. */
const MAX_KEPT_DOCUMENTS = 20;

export type RowRepository = ReturnType<typeof createRowRepository>;

/** Reads documents in their wire shape. */
export function createRowRepository(db: Database, testNames: TestNames) {
  const version = (): string | null => databaseVersion(db);
  const keep = createQueryCache<WholeDocument | null>(version, MAX_KEPT_DOCUMENTS);
  const deps: Deps = { db, testNames, namings: createNamings(db), keep };
  return {
    ...bindFirst(deps, { detail: readDetail, stages: readStages, doubtfulResults: readDoubtfulResults }),
    /** List items in the order of the ids. Readers share them. */
    listItems: createRowCache<Readonly<ListItem>>(version, (ids) => readListItems(deps, ids)),
  };
}

function readListItems({ db, namings }: Deps, ids: readonly number[]): [number, ListItem][] {
  const rows = db
    .prepare(`SELECT ${LIST_SELECT} FROM ${JOINS} WHERE d.id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(ids)) as (Raw & { id: number })[];
  const naming = namings(ids);
  return rows.map((row) => {
    const { highlights } = naming.get(row.id) ?? {};
    const completed = { ...flagsOf(row), ...errorOf(row), highlights, review_reasons: reasonsOf(row) };
    return [row.id, Object.assign(row, completed) as unknown as ListItem];
  });
}

/** Doubtful results of these patients, those of the newest document first. */
function readDoubtfulResults(
  { db, testNames }: Deps,
  patientIds: readonly number[],
  limit: number,
): { results: LabResult[]; total: number } {
  const filter = `l.patient_id IN (SELECT value FROM json_each(@patients)) AND l.document_id IS NOT NULL
    AND l.doubt IS NOT NULL AND l.doubt <> '[]'`;
  const patients = JSON.stringify(patientIds);
  const rows = db
    .prepare(`${LAB_RESULT_SELECT} WHERE ${filter} ORDER BY l.document_id DESC, l.id LIMIT @limit`)
    .all({ patients, limit }) as Raw[];
  const total = db.prepare(`SELECT count(*) FROM lab_results AS l WHERE ${filter}`).pluck().get({ patients }) as number;
  return { results: rows.map((row) => labRow(row, testNames)) as unknown as LabResult[], total };
}

/**
 * Reads a document, which callers share and must not change. `mayKnow` decides whether the caller may know about the
 * other document of a link.
 */
function readDetail(
  deps: Deps,
  id: number,
  mayKnow: (other: { patientId: number | null; uploaderId: number | null }) => boolean,
): Detail | null {
  const whole = deps.keep(String(id), () => readWholeDocument(deps, id));
  return whole && ({ ...whole.detail, links: whole.links.filter(mayKnow) } as unknown as Detail);
}

function readWholeDocument(deps: Deps, id: number): WholeDocument | null {
  const { db, namings } = deps;
  const row = db
    .prepare(
      `SELECT ${DETAIL_SELECT}, d.evidence, d.edited_fields, d.extracted_patient_name, d.extracted_birth_date,
        t.body AS ocr_text,
        nullif(t.english, '') AS ocr_text_en
        FROM ${JOINS} LEFT JOIN document_texts AS t ON t.id = d.id WHERE d.id = ?`,
    )
    .get(id) as Raw | undefined;
  if (!row) return null;
  const edited = parseJson<string[]>(row['edited_fields']);
  const detail = {
    ...row,
    ...flagsOf(row),
    ...errorOf(row),
    edited_fields: edited,
    patient_source: patientSource(row, edited ?? []),
    highlights: namings([id]).get(id)?.highlights,
    review_reasons: reasonsOf(row),
    evidence: parseJson(row['evidence']) ?? {},
    ocr_text: row['ocr_text'] || null,
    translation: readTranslation(deps, id),
    ...readChildRows(deps, id),
    event_links: listEventLinks(db, id),
  } as unknown as WholeDocument['detail'];
  return { detail, links: readLinks(deps, id) };
}

/** The state of the translation of a document: that of its job, or how the last one ended. */
function readTranslation({ db }: Deps, id: number): Detail['translation'] {
  const job = db.prepare("SELECT state FROM jobs WHERE document_id = ? AND kind = 'translate'").pluck().get(id);
  if (job !== undefined) return { status: job === 'running' ? 'running' : 'queued', error: null };
  const event = db
    .prepare(
      "SELECT status, message FROM stage_events WHERE document_id = ? AND job_kind = 'translate' ORDER BY id DESC LIMIT 1",
    )
    .get(id) as { status: string; message: string | null } | undefined;
  if (!event) return null;
  if (event.status === 'completed') return { status: 'done', error: null };
  const { error } = readStoredError(event.message);
  return event.status === 'failed' ? { status: 'failed', error } : { status: 'cancelled', error: null };
}

/** Reads the rows of other tables that belong to a document. */
function readChildRows({ db, testNames }: Deps, id: number): Record<string, Raw[]> {
  const present = db.prepare(PRESENT_CHILDREN).get({ id }) as Record<ChildTable, 0 | 1>;
  const rowsOf = (table: ChildTable, sql: string): Raw[] =>
    present[table] === 1 ? (db.prepare(sql).all(id) as Raw[]) : [];
  const bare = (table: ChildTable, order = 'id'): Raw[] =>
    rowsOf(table, `SELECT * FROM ${table} WHERE document_id = ? ORDER BY ${order}`);
  return {
    lab_results: rowsOf('lab_results', `${LAB_RESULT_SELECT} WHERE l.document_id = ? ORDER BY l.id`).map((row) =>
      labRow(row, testNames),
    ),
    encounters: rowsOf('encounters', `${ENCOUNTER_SELECT} WHERE e.document_id = ? ORDER BY e.id`).map(withEvidence),
    medications: bare('medications').map(withEvidence),
    vaccinations: bare('vaccinations').map(withEvidence),
    invoice_items: bare('invoice_items').map(withEvidence),
    sections: bare('document_sections', 'section_index'),
    region_translations: rowsOf('region_translations', REGION_SELECT).map(withError),
    imaging_studies: bare('imaging_studies').map((study) => ({
      ...study,
      series: db
        .prepare('SELECT *, id AS series_id FROM imaging_series WHERE study_id = ? ORDER BY series_number, id')
        .all(study['id']) as Raw[],
    })),
  };
}

/** Reads links with what names the other document, and its owner. */
function readLinks({ db, namings }: Deps, id: number): LinkRow[] {
  const links = db
    .prepare(
      `SELECT l.*, l.id AS link_id, o.id AS other, o.patient_id AS patientId, o.uploaded_by_user_id AS uploaderId
        FROM document_links AS l JOIN documents AS o ON o.id = CASE WHEN l.source_document_id = ?1
        THEN l.target_document_id ELSE l.source_document_id END
        WHERE l.source_document_id = ?1 OR l.target_document_id = ?1 ORDER BY l.id`,
    )
    .all({ 1: id }) as (LinkRow & { other: number })[];
  const namingById = namings(links.map(({ other }) => other));
  return links.map((link) => ({ ...link, ...namingById.get(link.other) }));
}

const readStages = ({ db }: Deps, id: number) =>
  (db.prepare('SELECT * FROM stage_events WHERE document_id = ? ORDER BY id').all(id) as Raw[]).map((row) => {
    const { error, text } = readStoredError(row['message'] as string | null);
    const usage = row['usage'] === null ? null : (JSON.parse(String(row['usage'])) as unknown);
    return { ...row, error, message: text, usage };
  }) as z.input<typeof stageEvent>[];
