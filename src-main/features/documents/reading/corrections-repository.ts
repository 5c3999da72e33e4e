import type { Database } from '../../../platform/database/connection.ts';
import type { Correction } from '../../../reading/extraction/model/examples.ts';

/** The latest ones are enough: a model is shown a few of them. */
const MAX_CORRECTIONS = 200;

const nameIn = (table: 'doctors' | 'facilities', column: string): string =>
  `(SELECT canonical_display FROM ${table} WHERE id = CAST(${column} AS INTEGER))`;
const valueOf = (column: string): string =>
  `CASE c.field WHEN 'doctor_id' THEN ${nameIn('doctors', column)}
    WHEN 'facility_id' THEN ${nameIn('facilities', column)} ELSE ${column} END`;

/**
 * What was corrected in the other documents of this patient's record, the latest first. Removed rows, which are stored
 * as corrections without a new value, are none.
 */
export const listCorrections = (db: Database, patientId: number, documentId: number): Correction[] =>
  db
    .prepare(
      `SELECT * FROM (
        SELECT d.id AS documentId, d.doc_type, f.canonical_display AS facility, c.field, c.id AS number,
          ${valueOf('c.old_value')} AS read, ${valueOf('c.new_value')} AS right
        FROM record_documents AS d JOIN extraction_corrections AS c ON c.document_id = d.id
          LEFT JOIN facilities AS f ON f.id = d.facility_id
        WHERE d.patient_id = ? AND d.id <> ? AND c.new_value IS NOT NULL
      ) WHERE right IS NOT NULL ORDER BY number DESC LIMIT ${MAX_CORRECTIONS}`,
    )
    .all(patientId, documentId) as Correction[];
