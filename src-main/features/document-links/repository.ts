import type { DocumentNaming } from '../../../src-shared/contract/document-naming.ts';
import type { LinkType } from '../../../src-shared/contract/rows.ts';
import type { Database } from '../../platform/database/connection.ts';

/** A link as seen from one of its documents, with the other document and its owner. */
export interface LinkRow {
  id: number;
  link_id: number;
  source_document_id: number;
  target_document_id: number;
  link_type: LinkType;
  created_at: string;
  patientId: number | null;
  uploaderId: number | null;
}
/** A link with what names the other document. */
export type NamedLink = LinkRow & DocumentNaming;

/** Bound as ?1: the document from which the links are seen. */
const LINKS = `SELECT l.*, l.id AS link_id, o.patient_id AS patientId,
  o.uploaded_by_user_id AS uploaderId
  FROM document_links AS l JOIN documents AS o ON o.id = CASE WHEN l.source_document_id = ?1 THEN l.target_document_id
  ELSE l.source_document_id END`;

export type LinkRepository = ReturnType<typeof createLinkRepository>;

export function createLinkRepository(db: Database) {
  return {
    of: (documentId: number): LinkRow[] =>
      db
        .prepare(`${LINKS} WHERE l.source_document_id = ?1 OR l.target_document_id = ?1 ORDER BY l.id`)
        .all({ 1: documentId }) as LinkRow[],
    get: (documentId: number, linkId: number): LinkRow | undefined =>
      db
        .prepare(`${LINKS} WHERE l.id = ?2 AND (l.source_document_id = ?1 OR l.target_document_id = ?1)`)
        .get({ 1: documentId, 2: linkId }) as LinkRow | undefined,
    /** In either direction. */
    exists: (a: number, b: number, type: LinkType): boolean =>
      db
        .prepare(
          `SELECT 1 FROM document_links WHERE link_type = ?3 AND ((source_document_id = ?1 AND target_document_id = ?2)
            OR (source_document_id = ?2 AND target_document_id = ?1))`,
        )
        .get({ 1: a, 2: b, 3: type }) !== undefined,
    insert: (source: number, target: number, type: LinkType, now: string): number =>
      Number(
        db
          .prepare(
            `INSERT INTO document_links (source_document_id, target_document_id, link_type, created_at)
              VALUES (?, ?, ?, ?)`,
          )
          .run(source, target, type, now).lastInsertRowid,
      ),
    remove: (linkId: number): void => void db.prepare('DELETE FROM document_links WHERE id = ?').run(linkId),
  };
}
