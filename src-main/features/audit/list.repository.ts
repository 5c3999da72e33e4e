import { and, count, desc, eq, gte, inArray, lte, type SQL } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { audit_log } from '../../platform/database/schema/index.ts';

export interface AuditFilter {
  limit: number;
  offset: number;
  action?: string[] | undefined;
  user_id?: number | undefined;
  /** Civil dates in UTC, both included. */
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** Audit entries, newest first, with their total. */
export function listAudit({ orm }: Database, { limit, offset, ...filter }: AuditFilter) {
  const parts: (SQL | undefined)[] = [
    filter.action?.length ? inArray(audit_log.action, filter.action) : undefined,
    filter.user_id === undefined ? undefined : eq(audit_log.user_id, filter.user_id),
    filter.date_from === undefined ? undefined : gte(audit_log.created_at, filter.date_from),
    filter.date_to === undefined ? undefined : lte(audit_log.created_at, `${filter.date_to}T23:59:59`),
  ];
  const where = and(...parts);
  return {
    items: orm.select().from(audit_log).where(where).orderBy(desc(audit_log.id)).limit(limit).offset(offset).all(),
    total: orm.select({ n: count() }).from(audit_log).where(where).get()?.n ?? 0,
  };
}
