import type { Database } from '../../../platform/database/connection.ts';

export type StoredRow = Record<string, string | null>;

/** What is stored of a document: its details with the names of doctor and facility, and its rows in their order. */
export function storedRows(db: Database, documentId: number) {
  const rows = (sql: string): StoredRow[] => db.prepare(sql).all(documentId) as StoredRow[];
  const [details = {}] = rows(
    `SELECT d.doc_type, d.event_date, d.issued_date, dr.canonical_display AS doctor_name,
      f.canonical_display AS facility_name, d.specialty_original FROM documents AS d
      LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN facilities AS f ON f.id = d.facility_id WHERE d.id = ?`,
  );
  const of = (table: string): StoredRow[] => rows(`SELECT * FROM ${table} WHERE document_id = ? ORDER BY id`);
  return {
    details,
    lab_results: of('lab_results'),
    medications: of('medications'),
    vaccinations: of('vaccinations'),
    encounters: of('encounters'),
  };
}
