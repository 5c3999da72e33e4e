import type { Database } from '../../../platform/database/connection.ts';

/** A stored number of a document with what else identifies its test. `doubt` is a list of codes as JSON. */
export interface StoredResult {
  id: number;
  patient_id: number;
  norm_lab_test_id: number;
  value: number;
  unit: string | null;
  reference_range_low: number | null;
  reference_range_high: number | null;
  doubt: string | null;
}
export type EarlierResult = Pick<StoredResult, 'value' | 'reference_range_low' | 'reference_range_high'> & {
  is_same_house: 0 | 1;
};

const MAX_EARLIER = 8;

const DOUBTED =
  'SELECT id, doubt FROM lab_results WHERE document_id = ? AND edited_fields IS NULL AND doubt IS NOT NULL';
const RESULTS = `SELECT id, patient_id, norm_lab_test_id, value, unit, reference_range_low, reference_range_high, doubt
  FROM lab_results WHERE document_id = ? AND edited_fields IS NULL AND value IS NOT NULL AND patient_id IS NOT NULL
  AND norm_lab_test_id IS NOT NULL`;
const EARLIER = `SELECT l.value, l.reference_range_low, l.reference_range_high,
  d.facility_id IS NOT NULL AND d.facility_id = (SELECT facility_id FROM documents WHERE id = @document) AS is_same_house
  FROM lab_results AS l LEFT JOIN documents AS d ON d.id = l.document_id
  WHERE l.patient_id = @patient AND l.norm_lab_test_id = @test AND l.unit IS @unit AND l.value IS NOT NULL
  AND l.document_id IS NOT @document AND (l.doubt IS NULL OR l.doubt = '[]')
  ORDER BY l.test_date DESC LIMIT ${MAX_EARLIER}`;

/** Doubtful results of a document that nobody edited. */
export const findDoubted = (db: Database, documentId: number): Pick<StoredResult, 'id' | 'doubt'>[] =>
  db.prepare(DOUBTED).all(documentId) as Pick<StoredResult, 'id' | 'doubt'>[];

/** Numbers of a document that nobody edited and whose patient and test are known. */
export const findResults = (db: Database, documentId: number): StoredResult[] =>
  db.prepare(RESULTS).all(documentId) as StoredResult[];

/** Earlier sure results of the test in the same unit from other documents, newest first. */
export const findEarlier = (
  db: Database,
  document: number,
  { patient_id: patient, norm_lab_test_id: test, unit }: StoredResult,
): EarlierResult[] => db.prepare(EARLIER).all({ document, patient, test, unit }) as EarlierResult[];

export const setDoubts = (db: Database, resultId: number, doubts: readonly string[]): void =>
  void db.prepare('UPDATE lab_results SET doubt = ? WHERE id = ?').run(JSON.stringify(doubts), resultId);
