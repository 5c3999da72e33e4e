import type { AuditAction } from '../../../src-shared/contract/endpoint.ts';
import type { Database } from '../database/connection.ts';
import { audit_log } from '../database/schema/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { toTimestamp, type Clock } from '../kernel/clock.ts';

/** Hearth itself, running a scheduled task. */
export const SYSTEM_ACTOR = { kind: 'itself', ip: null } as const;

export interface AuditEntry {
  action: AuditAction;
  resourceType?: string;
  resourceId?: string | number;
  details?: Record<string, unknown>;
}

export interface Audit {
  /** Appends one entry; joins a running transaction. */
  record(entry: AuditEntry, caller: Caller | typeof SYSTEM_ACTOR): void;
}

/** The only writer of the audit log. */
export function createAudit({ db, clock }: { db: Database; clock: Clock }): Audit {
  return {
    record({ action, resourceType, resourceId, details }, caller) {
      const user = caller.kind === 'user' ? caller : null;
      db.orm
        .insert(audit_log)
        .values({
          user_id: user?.userId ?? null,
          username: user?.username ?? null,
          action,
          resource_type: resourceType ?? null,
          resource_id: resourceId === undefined ? null : String(resourceId),
          details: details ?? null,
          ip_address: caller.ip,
          created_at: toTimestamp(clock.now()),
        })
        .run();
    },
  };
}
