import { SYSTEM_ACTOR, type Audit } from '../../platform/audit/audit.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { ShareAuditRepository, ShareEventRecord } from './audit-repository.ts';

/** The resource type of what recipients do in the audit log of the household. */
const RESOURCE_TYPE = 'share_access';

/**
 * Writes what recipients do into the trail of the share and into the audit log of the household, which outlives the
 * share. Neither contains anything that opens a share.
 */
export interface ShareAudit {
  /** Joins a running transaction. */
  record(event: ShareEventRecord): void;
}

export const createShareAudit = ({
  trail,
  audit,
  clock,
}: {
  trail: ShareAuditRepository;
  audit: Audit;
  clock: Clock;
}): ShareAudit => ({
  record(event) {
    const { shareId, action, visitor, documentId, sessionId, details } = event;
    trail.record(event, toTimestamp(clock.now()));
    audit.record(
      {
        action,
        resourceType: RESOURCE_TYPE,
        resourceId: shareId,
        details: {
          ...details,
          ...(documentId !== undefined && { document_id: documentId }),
          ...(sessionId !== undefined && { session_id: sessionId }),
        },
      },
      visitor ? { kind: 'nobody', ip: visitor.ip } : SYSTEM_ACTOR,
    );
  },
});
