import type { Database } from '../../../platform/database/connection.ts';

/** Links a paper to the document of its study, unless it is linked already. `now` is a timestamp of the wire. */
export const linkPaper = (db: Database, paperId: number, studyDocumentId: number, now: string): void =>
  void db
    .prepare(
      `INSERT OR IGNORE INTO document_links (source_document_id, target_document_id, link_type, created_at)
        VALUES (?, ?, 'report_for', ?)`,
    )
    .run(paperId, studyDocumentId, now);
