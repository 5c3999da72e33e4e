import type { Database } from '../../platform/database/connection.ts';

/** One spelling under which a patient has results. */
export interface Spelling {
  norm_lab_test_id: number | null;
  name: string;
  sample_type: string | null;
}

/** IS, not =, because entry, sample and patient may be NULL. Bind with `spellingValues`. */
export const OF_SPELLING =
  'l.patient_id IS ? AND l.norm_lab_test_id IS ? AND l.test_name_original = ? AND l.sample_type IS ?';

/** The values of `OF_SPELLING`. */
export const spellingValues = (patientId: number | null, { norm_lab_test_id, name, sample_type }: Spelling) => [
  patientId,
  norm_lab_test_id,
  name,
  sample_type,
];

const firstValue = (db: Database, sql: string, ...values: unknown[]): unknown =>
  db
    .prepare(sql)
    .pluck()
    .get(...values);

/**
 * Lists every spelling of a patient's tests by skipping along an index from one value to the next. `patientId` null:
 * results of documents without a patient.
 */
export function listSpellings(db: Database, patientId: number | null): Spelling[] {
  const nextTest = (norm: number) =>
    firstValue(
      db,
      `SELECT norm_lab_test_id FROM lab_results WHERE patient_id IS ? AND norm_lab_test_id > ?
        ORDER BY norm_lab_test_id LIMIT 1`,
      patientId,
      norm,
    ) as number | undefined;
  const spellings = spellingsOfTest(db, patientId, null);
  for (let norm = nextTest(0); norm !== undefined; norm = nextTest(norm))
    spellings.push(...spellingsOfTest(db, patientId, norm));
  return spellings;
}

function spellingsOfTest(db: Database, patientId: number | null, norm: number | null): Spelling[] {
  const nextName = (name: string) =>
    firstValue(
      db,
      `SELECT test_name_original FROM lab_results
        WHERE patient_id IS ? AND norm_lab_test_id IS ? AND test_name_original > ? ORDER BY test_name_original LIMIT 1`,
      patientId,
      norm,
      name,
    ) as string | undefined;
  const spellings: Spelling[] = [];
  for (let name = nextName(''); name !== undefined; name = nextName(name))
    for (const sample_type of samplesOf(db, patientId, norm, name))
      spellings.push({ norm_lab_test_id: norm, name, sample_type });
  return spellings;
}

function samplesOf(db: Database, patientId: number | null, norm: number | null, name: string): (string | null)[] {
  const samples: (string | null)[] = hasSpelling(db, patientId, { norm_lab_test_id: norm, name, sample_type: null })
    ? [null]
    : [];
  const nextSample = (sample: string) =>
    firstValue(
      db,
      `SELECT sample_type FROM lab_results
        WHERE patient_id IS ? AND norm_lab_test_id IS ? AND test_name_original = ? AND sample_type > ?
        ORDER BY sample_type LIMIT 1`,
      patientId,
      norm,
      name,
      sample,
    ) as string | undefined;
  for (let sample = nextSample(''); sample !== undefined; sample = nextSample(sample)) samples.push(sample);
  return samples;
}

/** Lists the spellings of a document's results. */
export const spellingsOfDocument = (db: Database, documentId: number) =>
  db
    .prepare(
      `SELECT DISTINCT patient_id, norm_lab_test_id, test_name_original AS name, sample_type FROM lab_results
        WHERE document_id = ?`,
    )
    .all(documentId) as (Spelling & { patient_id: number | null })[];

/** Whether the patient has a result under the spelling. */
export const hasSpelling = (db: Database, patientId: number | null, spelling: Spelling): boolean =>
  firstValue(
    db,
    `SELECT 1 FROM lab_results AS l WHERE ${OF_SPELLING} LIMIT 1`,
    ...spellingValues(patientId, spelling),
  ) !== undefined;

/** Counts the patient's results under one spelling. */
export const countSpelling = (db: Database, patientId: number | null, spelling: Spelling): number =>
  firstValue(
    db,
    `SELECT count(*) FROM lab_results AS l WHERE ${OF_SPELLING}`,
    ...spellingValues(patientId, spelling),
  ) as number;

/** Counts the patient's results under each spelling. */
export const countSpellings = (db: Database, patientId: number) =>
  db
    .prepare(
      `SELECT norm_lab_test_id, test_name_original AS name, sample_type, count(*) AS count FROM lab_results
        WHERE patient_id = ? GROUP BY norm_lab_test_id, test_name_original, sample_type`,
    )
    .all(patientId) as (Spelling & { count: number })[];
