import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { share_codes, shares } from '../../platform/database/schema/index.ts';
import type { ShareRecord } from './repository.ts';

export type CodeRecord = typeof share_codes.$inferSelect;

export type CodeRepository = ReturnType<typeof createCodeRepository>;

/** One-time codes of shares. Only the newest one of a share can be used. */
export function createCodeRepository({ orm }: Database) {
  const newest = (shareId: string): CodeRecord | undefined =>
    orm
      .select()
      .from(share_codes)
      .where(eq(share_codes.share_id, shareId))
      .orderBy(desc(share_codes.id))
      .limit(1)
      .get();
  return {
    shareOfToken: (tokenHash: string): ShareRecord | undefined =>
      orm.select().from(shares).where(eq(shares.token_hash, tokenHash)).get(),
    newest,
    /** Replaces the codes before it: they can't be read or used any more. */
    insert(code: typeof share_codes.$inferInsert): void {
      orm.update(share_codes).set({ code_encrypted: null }).where(eq(share_codes.share_id, code.share_id)).run();
      orm.insert(share_codes).values(code).run();
    },
    countAttempt(code: CodeRecord): void {
      orm
        .update(share_codes)
        .set({ attempts: code.attempts + 1 })
        .where(eq(share_codes.id, code.id))
        .run();
      orm
        .update(shares)
        .set({ failed_codes: sql`${shares.failed_codes} + 1`, wrong_codes: sql`${shares.wrong_codes} + 1` })
        .where(eq(shares.share_id, code.share_id))
        .run();
    },
    /** Makes the code of a share invalid; false if none could be used. */
    cancel(shareId: string, now: string): boolean {
      const code = newest(shareId);
      if (!code) return false;
      const { changes } = orm
        .update(share_codes)
        .set({ expires_at: now, code_encrypted: null })
        .where(and(eq(share_codes.id, code.id), isNull(share_codes.used_at), gt(share_codes.expires_at, now)))
        .run();
      return changes > 0;
    },
    /** Uses a code; false if it was used or cancelled meanwhile. The attempt that used it was not a wrong one. */
    use(code: CodeRecord, now: string): boolean {
      const { changes } = orm
        .update(share_codes)
        .set({ used_at: now, code_encrypted: null })
        .where(and(eq(share_codes.id, code.id), isNull(share_codes.used_at), gt(share_codes.expires_at, now)))
        .run();
      if (changes === 0) return false;
      orm
        .update(shares)
        .set({ failed_codes: 0, wrong_codes: sql`max(0, ${shares.wrong_codes} - 1)` })
        .where(eq(shares.share_id, code.share_id))
        .run();
      return true;
    },
  };
}
