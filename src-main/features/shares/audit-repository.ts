import type { ShareAction } from '../../../src-shared/contract/shares.ts';
import { desc, eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { share_audit } from '../../platform/database/schema/index.ts';

/** Somebody at the door of a share. */
export interface Visitor {
  ip: string;
  userAgent: string;
}

export interface ShareEventRecord {
  shareId: string;
  action: ShareAction;
  visitor: Visitor | null;
  documentId?: number;
  sessionId?: number;
  details?: Record<string, unknown>;
  /** Details that are kept in the trail only, because they are words of somebody outside. */
  words?: Record<string, string>;
}

const MAX_EVENTS = 1000;

export type ShareAuditRepository = ReturnType<typeof createShareAuditRepository>;

/** The audit trails of shares. */
export function createShareAuditRepository(db: Database) {
  const { orm } = db;
  return {
    /** Adds an event; joins a running transaction. */
    record({ shareId, action, visitor, documentId, sessionId, details, words }: ShareEventRecord, now: string): void {
      orm
        .insert(share_audit)
        .values({
          share_id: shareId,
          action,
          document_id: documentId ?? null,
          session_id: sessionId ?? null,
          client_ip: visitor?.ip ?? null,
          user_agent: visitor?.userAgent ?? null,
          details: details || words ? { ...details, ...words } : null,
          created_at: now,
        })
        .run();
    },
    /** How often recipients opened shares of these patients: with a code, or a health link. */
    countOpenings: (patientIds: readonly number[]): number =>
      db
        .prepare(
          `SELECT count(*) FROM shares JOIN share_audit USING (share_id)
            WHERE patient_id IN (SELECT value FROM json_each(?)) AND action IN ('otp_verify_ok', 'health_link_open')`,
        )
        .pluck()
        .get(JSON.stringify(patientIds)) as number,
    /** Newest first. */
    list: (shareId: string) =>
      orm
        .select()
        .from(share_audit)
        .where(eq(share_audit.share_id, shareId))
        .orderBy(desc(share_audit.id))
        .limit(MAX_EVENTS)
        .all(),
  };
}
