import { gunzipSync } from 'node:zlib';
import type { PageText } from '../../../../src-shared/medical/page.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';

/** Reads the words of pages of one patient's record. */
export function createPagesRepository(db: Database) {
  return bindFirst(db, { pages: readPages, hits: findDocuments });
}
export type PagesRepository = ReturnType<typeof createPagesRepository>;

/** The pages of a document; none if it is not in the record of the patient. */
const readPages = (db: Database, patientId: number, documentId: number): PageText[] =>
  (
    db
      .prepare(
        `SELECT p.data FROM document_pages AS p JOIN record_documents AS d ON d.id = p.document_id
        WHERE d.patient_id = ? AND p.document_id = ? ORDER BY p.page`,
      )
      .pluck()
      .all(patientId, documentId) as Buffer[]
  ).map((data) => JSON.parse(gunzipSync(data).toString()) as PageText);

/** Documents of the patient that match a full-text expression, at most `limit`. */
const findDocuments = (db: Database, patientId: number, match: string, limit: number): number[] =>
  db
    .prepare(
      `SELECT d.id FROM documents_fts AS f JOIN record_documents AS d ON d.id = f.rowid
      WHERE documents_fts MATCH ? AND d.patient_id = ? ORDER BY d.event_date DESC, d.id DESC LIMIT ?`,
    )
    .pluck()
    .all(match, patientId, limit) as number[];
