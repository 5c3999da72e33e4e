import type { SearchWord } from '../../../../src-shared/contract/search-words.ts';
import { studyWords } from '../../../../src-shared/medical/study-words.ts';
import type { Database } from '../../../platform/database/connection.ts';

/** The full-text index has a column for each prefix of a search line. */
export type TextColumn = Exclude<SearchWord, 'or'>;
/** The relative weight of a hit in each column. */
const TEXT_COLUMN_WEIGHTS: Readonly<Record<TextColumn, number>> = {
  title: 8,
  body: 1,
  english: 2,
  people: 6,
  labels: 4,
};

/** The bm25 call that ranks hits. Takes the column order from the database, since bm25 weighs columns by position. */
export function rankExpression(db: Database): string {
  const weights = columnsOf(db).map((name) => TEXT_COLUMN_WEIGHTS[name].toFixed(1));
  return `bm25(documents_fts, ${weights.join(', ')})`;
}

/** The snippet call for a column; -1 for the column with the best hit. Hits are between U+E000 and U+E001. */
export const snippetExpression = (db: Database, column: TextColumn | null): string =>
  `snippet(documents_fts, ${column === null ? -1 : columnsOf(db).indexOf(column)}, '\uE000', '\uE001', '…', 18)`;

const columnsOf = (db: Database): TextColumn[] =>
  db.prepare("SELECT name FROM pragma_table_info('documents_fts') ORDER BY cid").pluck().all() as TextColumn[];

const DOCUMENT_SELECT = `SELECT d.title, d.original_filename, d.doc_type, d.specialty_original, d.summary_en, d.tags, d.notes,
  d.user_notes,
    d.insurance_company, d.extracted_patient_name, p.display_name AS patient, dr.canonical_display AS doctor,
    f.canonical_display AS facility, s.canonical_display AS specialty, e.title AS event
  FROM documents AS d LEFT JOIN patients AS p ON p.id = d.patient_id
    AND d.patient_undecided = 0 LEFT JOIN doctors AS dr ON dr.id = d.doctor_id
    LEFT JOIN facilities AS f ON f.id = d.facility_id LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id
    LEFT JOIN events AS e ON e.id = d.event_id
  WHERE d.id = ?`;
const TERMS_SELECT = `SELECT DISTINCT test_name_original AS term FROM lab_results WHERE document_id = ?1
  UNION SELECT diagnosis_original FROM encounters WHERE document_id = ?1
  UNION SELECT diagnosis_code FROM encounters WHERE document_id = ?1
  UNION SELECT brand_name FROM medications WHERE document_id = ?1
  UNION SELECT active_ingredient_original FROM medications WHERE document_id = ?1
  UNION SELECT vaccine_name FROM vaccinations WHERE document_id = ?1
  UNION SELECT n.canonical_display FROM lab_results AS r JOIN norm_lab_tests AS n ON n.id = r.norm_lab_test_id
    WHERE r.document_id = ?1
  UNION SELECT n.canonical_display FROM encounters AS r JOIN norm_diagnoses AS n ON n.id = r.norm_diagnosis_id
    WHERE r.document_id = ?1
  UNION SELECT n.canonical_display FROM medications AS r JOIN norm_medications AS n ON n.id = r.norm_medication_id
    WHERE r.document_id = ?1`;

const STUDIES_SELECT = `SELECT i.modality, i.body_part AS bodyPart, i.study_description AS description,
    i.accession_number AS accession, (SELECT group_concat(s.series_description, char(10)) FROM imaging_series AS s
      WHERE s.study_id = i.id) AS series
  FROM imaging_studies AS i WHERE i.document_id = ?`;
interface StudyRow {
  modality: string | null;
  bodyPart: string | null;
  description: string | null;
  accession: string | null;
  series: string | null;
}

const join = (...parts: unknown[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join('\n');

/**
 * Writes the search text of a document from its row and related rows; pass `body` only after the document was read
 * again. Part of the transaction that changed the row; triggers update the full-text index.
 */
export function reindexDocument(db: Database, id: number, body?: string): void {
  const row = db.prepare(DOCUMENT_SELECT).get(id) as Record<string, unknown> | undefined;
  if (!row) return;
  const terms = db.prepare(TERMS_SELECT).all({ 1: id }) as { term: string | null }[];
  const studies = db.prepare(STUDIES_SELECT).all(id) as StudyRow[];
  const title = join(row['title'], row['original_filename']);
  const people = join(
    row['patient'],
    row['extracted_patient_name'],
    row['doctor'],
    row['facility'],
    row['insurance_company'],
  );
  const labels = join(
    String(row['doc_type'] ?? '').replaceAll('_', ' '),
    row['specialty'],
    row['specialty_original'],
    row['event'],
    String(row['tags'] ?? '').replaceAll(',', '\n'),
    row['summary_en'],
    row['notes'],
    row['user_notes'],
    ...terms.map(({ term }) => term),
    ...studies.flatMap((study) => [studyWords(study), study.description, study.accession, study.series]),
  );
  db.prepare(
    `INSERT INTO document_texts (id, title, body, people, labels) VALUES (?1, ?2, coalesce(?3, ''), ?4, ?5)
    ON CONFLICT (id) DO UPDATE SET title = ?2, body = coalesce(?3, body), people = ?4, labels = ?5
    WHERE title <> ?2 OR people <> ?4 OR labels <> ?5 OR (?3 IS NOT NULL AND body <> ?3)`,
  ).run({ 1: id, 2: title, 3: body ?? null, 4: people, 5: labels });
}
