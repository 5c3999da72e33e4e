import { count, desc, eq } from 'drizzle-orm';
import type { VaultFault } from '../../../src-shared/contract/vault-files.ts';
import type { Database } from '../../platform/database/connection.ts';
import { documents, vault_checks } from '../../platform/database/schema/index.ts';
import type { Slice } from '../../platform/vault/verify.ts';

export type CheckRow = Omit<typeof vault_checks.$inferSelect, 'faults'> & { faults: VaultFault[] };

/** Documents of one owner: all, those that were compared, and those of them without a fault. */
export interface OwnedDocuments {
  patientId: number | null;
  uploaderId: number | null;
  total: number;
  compared: number;
  files: number;
  bytes: number;
}

export type CheckRepository = ReturnType<typeof createCheckRepository>;

/** Checks of the vault with their progress and faults. */
export function createCheckRepository(db: Database) {
  const { orm } = db;
  const get = (id: number): CheckRow =>
    orm.select().from(vault_checks).where(eq(vault_checks.id, id)).get() as unknown as CheckRow;
  const set = (id: number, values: Partial<typeof vault_checks.$inferInsert>): CheckRow => {
    orm.update(vault_checks).set(values).where(eq(vault_checks.id, id)).run();
    return get(id);
  };
  const asJson = (faults: VaultFault[]): Record<string, unknown>[] => faults as unknown as Record<string, unknown>[];
  return {
    get,
    latest: (): CheckRow | undefined =>
      orm.select().from(vault_checks).orderBy(desc(vault_checks.id)).limit(1).get() as unknown as CheckRow | undefined,
    documentCount: (): number => orm.select({ n: count() }).from(documents).get()?.n ?? 0,
    /** Checks that ended, the latest first. */
    ended: (limit: number): CheckRow[] =>
      orm
        .select()
        .from(vault_checks)
        .where(eq(vault_checks.status, 'done'))
        .orderBy(desc(vault_checks.id))
        .limit(limit)
        .all() as unknown as CheckRow[],
    /** Documents by owner; `lastId` is the last that was compared, `faulty` those with a fault. */
    documentsByOwner: (lastId: number, faulty: readonly number[]): OwnedDocuments[] =>
      db
        .prepare(
          `SELECT patient_id AS patientId, CASE WHEN patient_id IS NULL THEN uploaded_by_user_id END AS uploaderId,
            count(*) AS total, count(*) FILTER (WHERE id <= @lastId) AS compared,
            count(*) FILTER (WHERE isIntact) AS files, coalesce(sum(file_size) FILTER (WHERE isIntact), 0) AS bytes
          FROM (SELECT *, id <= @lastId AND id NOT IN (SELECT value FROM json_each(@faulty)) AS isIntact FROM documents)
          GROUP BY 1, 2`,
        )
        .all({ lastId, faulty: JSON.stringify(faulty) }) as OwnedDocuments[],
    insert: (now: string): number =>
      orm
        .insert(vault_checks)
        .values({ status: 'running', faults: [], started_at: now })
        .returning({ id: vault_checks.id })
        .get().id,
    /** Adds a checked slice and its faults in one transaction, so that a crash can't leave half of it. */
    advance: (id: number, slice: Slice, faults: VaultFault[]): CheckRow =>
      db.transaction(() => {
        const row = get(id);
        return set(id, {
          position: slice.last ?? row.position,
          documents: row.documents + slice.documents,
          files: row.files + slice.files,
          bytes: row.bytes + slice.bytes,
          faults: asJson([...row.faults, ...faults]),
        });
      }),
    finish: (id: number, faults: VaultFault[], now: string): CheckRow =>
      db.transaction(() =>
        set(id, { status: 'done', finished_at: now, faults: asJson([...get(id).faults, ...faults]) }),
      ),
    cancel: (id: number, now: string): CheckRow => set(id, { status: 'cancelled', finished_at: now }),
  };
}
