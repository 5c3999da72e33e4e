import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { share_documents, shares } from '../../platform/database/schema/index.ts';

export type ShareRecord = typeof shares.$inferSelect;

/** A share with what lists show. */
export interface ListedShare extends Omit<ShareRecord, 'token_hash'> {
  patient_name: string;
  created_by_username: string | null;
  document_ids: number[];
  active_session_count: number;
  queued_count: number;
  access_count: number;
  last_accessed_at: string | null;
}

const LIST = `SELECT s.share_id, s.token_encrypted, s.link_origin, s.patient_id, s.recipient_label,
    s.recipient_contact, s.otp_delivery, s.default_ocr_provider_id, s.default_llm_provider_id, s.failed_codes,
    s.wrong_codes, s.expires_at, s.revoked_at, s.created_by, s.created_at, p.display_name AS patient_name,
    u.username AS created_by_username,
    (SELECT json_group_array(document_id) FROM (SELECT document_id FROM share_documents
      WHERE share_id = s.share_id ORDER BY position)) AS document_ids,
    (SELECT count(*) FROM share_sessions WHERE share_id = s.share_id AND ended_at IS NULL AND expires_at > @now)
      AS active_session_count,
    (SELECT count(*) FROM share_queue WHERE share_id = s.share_id AND queue_expires_at > @now) AS queued_count,
    (SELECT count(*) FROM share_sessions WHERE share_id = s.share_id) AS access_count,
    (SELECT max(last_seen_at) FROM share_sessions WHERE share_id = s.share_id) AS last_accessed_at
  FROM shares AS s JOIN patients AS p ON p.id = s.patient_id LEFT JOIN users AS u ON u.id = s.created_by`;

type Row = Omit<ListedShare, 'document_ids'> & { document_ids: string };
const withIds = (row: Row): ListedShare => ({ ...row, document_ids: JSON.parse(row.document_ids) as number[] });

export type ShareRepository = ReturnType<typeof createShareRepository>;

/** Shares and what belongs to them, for the household. */
export function createShareRepository(db: Database) {
  const { orm } = db;
  return {
    insert: (record: typeof shares.$inferInsert): void => void orm.insert(shares).values(record).run(),
    /** Adds documents after those that the share has; those that it has already stay where they are. */
    addDocuments(shareId: string, documentIds: readonly number[]): void {
      const last = orm
        .select({ position: sql<number>`coalesce(max(${share_documents.position}), 0)` })
        .from(share_documents)
        .where(eq(share_documents.share_id, shareId))
        .get();
      documentIds.forEach((document_id, index) =>
        orm
          .insert(share_documents)
          .values({ share_id: shareId, document_id, position: (last?.position ?? 0) + index + 1 })
          .onConflictDoNothing()
          .run(),
      );
    },
    /** False if the share does not have the document. */
    removeDocument: (shareId: string, documentId: number): boolean =>
      orm
        .delete(share_documents)
        .where(and(eq(share_documents.share_id, shareId), eq(share_documents.document_id, documentId)))
        .run().changes > 0,
    /** How many of these documents certainly belong to the patient. */
    countShareable: (patientId: number, documentIds: readonly number[]): number =>
      db
        .prepare(
          'SELECT count(*) FROM record_documents WHERE patient_id = ? AND id IN (SELECT value FROM json_each(?))',
        )
        .pluck()
        .get(patientId, JSON.stringify(documentIds)) as number,
    /** The files of those of these documents that have one. */
    files: (documentIds: readonly number[]): { id: number; path: string; mime: string }[] =>
      db
        .prepare(
          `SELECT id, file_path AS path, mime_type AS mime FROM record_documents
            WHERE file_path <> '' AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
        )
        .all(JSON.stringify(documentIds)) as { id: number; path: string; mime: string }[],
    get: (shareId: string): ShareRecord | undefined =>
      orm.select().from(shares).where(eq(shares.share_id, shareId)).get(),
    /** With `patientIds`, those of these patients; null for all. */
    list: (now: string, patientIds: readonly number[] | null): ListedShare[] =>
      (
        db
          .prepare(
            `${LIST} WHERE @patients IS NULL OR s.patient_id IN (SELECT value FROM json_each(@patients))
              ORDER BY s.created_at DESC, s.rowid DESC`,
          )
          .all({ now, patients: patientIds && JSON.stringify(patientIds) }) as Row[]
      ).map(withIds),
    listed(shareId: string, now: string): ListedShare | undefined {
      const row = db.prepare(`${LIST} WHERE s.share_id = @shareId`).get({ now, shareId }) as Row | undefined;
      return row && withIds(row);
    },
    revoke: (shareId: string, now: string): boolean =>
      orm
        .update(shares)
        .set({ revoked_at: now })
        .where(and(eq(shares.share_id, shareId), isNull(shares.revoked_at)))
        .run().changes > 0,
    /** Notes under which address the link was given out. */
    noteLink: (shareId: string, link_origin: string): void =>
      void orm.update(shares).set({ link_origin }).where(eq(shares.share_id, shareId)).run(),
    forgetWrongCodes: (shareId: string): void =>
      void orm.update(shares).set({ failed_codes: 0, wrong_codes: 0 }).where(eq(shares.share_id, shareId)).run(),
    /** Deletes a share with its codes, sessions, queue and audit trail. */
    remove(shareId: string): void {
      db.prepare('DELETE FROM share_audit WHERE share_id = ?').run(shareId);
      orm.delete(shares).where(eq(shares.share_id, shareId)).run();
    },
    /** Whether recipients can open any share; with `patientIds`, any of these patients. */
    hasOpen: (now: string, patientIds: readonly number[] | null): boolean =>
      db
        .prepare(
          `SELECT 1 FROM shares WHERE revoked_at IS NULL AND expires_at > @now
            AND (@patients IS NULL OR patient_id IN (SELECT value FROM json_each(@patients))) LIMIT 1`,
        )
        .get({ now, patients: patientIds && JSON.stringify(patientIds) }) !== undefined,
  };
}
