import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/database/connection.ts';
import { share_health_links, shares } from '../../../platform/database/schema/index.ts';
import type { ShareRecord } from '../repository.ts';
import type { LinkState } from './manifest.ts';

export type HealthLinkRecord = typeof share_health_links.$inferSelect;

/** A link with what its share says about it. */
export interface LinkOfShare {
  link: HealthLinkRecord;
  share: ShareRecord;
}

export type HealthLinkRepository = ReturnType<typeof createHealthLinkRepository>;

/** SMART Health Links of shares. */
export function createHealthLinkRepository(db: Database) {
  const { orm } = db;
  const withShare = () =>
    orm
      .select({ link: share_health_links, share: shares })
      .from(share_health_links)
      .innerJoin(shares, eq(shares.share_id, share_health_links.share_id));
  const ofId = (linkId: string) => eq(share_health_links.link_id, linkId);
  return {
    insert: (link: typeof share_health_links.$inferInsert): HealthLinkRecord =>
      orm.insert(share_health_links).values(link).returning().get(),
    get: (linkId: string): LinkOfShare | undefined => withShare().where(ofId(linkId)).get(),
    ofToken: (tokenHash: string): LinkOfShare | undefined =>
      withShare().where(eq(share_health_links.token_hash, tokenHash)).get(),
    /** Newest first. */
    ofShare: (shareId: string): LinkOfShare[] =>
      withShare()
        .where(eq(share_health_links.share_id, shareId))
        .orderBy(desc(share_health_links.created_at), desc(sql`${share_health_links}.rowid`))
        .all(),
    /** Notes that all files are written; false if the link is gone. */
    finish: (linkId: string, file_sizes: number[]): boolean =>
      orm.update(share_health_links).set({ file_sizes }).where(ofId(linkId)).run().changes > 0,
    noteFailure: (linkId: string, failure: HealthLinkRecord['failure']): boolean =>
      orm.update(share_health_links).set({ failure }).where(ofId(linkId)).run().changes > 0,
    /** Ends a link; false if it had been ended. */
    revoke: (linkId: string, now: string): boolean =>
      orm
        .update(share_health_links)
        .set({ revoked_at: now })
        .where(and(ofId(linkId), isNull(share_health_links.revoked_at)))
        .run().changes > 0,
    remove: (linkId: string): void => void orm.delete(share_health_links).where(ofId(linkId)).run(),
    /** Removes links that a process did not finish. */
    removeUnfinished: (): number =>
      orm
        .delete(share_health_links)
        .where(and(isNull(share_health_links.file_sizes), isNull(share_health_links.failure)))
        .run().changes,
    storeState: (linkId: string, { usesLeft, triesLeft }: LinkState): void =>
      void orm.update(share_health_links).set({ uses_left: usesLeft, tries_left: triesLeft }).where(ofId(linkId)).run(),
    countOpening: (linkId: string, now: string): void =>
      void orm
        .update(share_health_links)
        .set({ opened_count: sql`${share_health_links.opened_count} + 1`, last_opened_at: now })
        .where(ofId(linkId))
        .run(),
    /**
     * Links whose files may still be fetched: they have not ended, or were used up after `usedAfter`. A locked share
     * can be reopened. The last try counts before its passcode is compared, so only the trail says that it was wrong.
     */
    listKept: (now: string, usedAfter: string): string[] =>
      db
        .prepare(
          `SELECT l.link_id FROM share_health_links AS l JOIN shares AS s ON s.share_id = l.share_id
            WHERE l.failure IS NULL AND l.revoked_at IS NULL AND s.revoked_at IS NULL
              AND (l.tries_left IS NOT 0 OR NOT EXISTS (SELECT 1 FROM share_audit AS a WHERE a.share_id = l.share_id
                AND a.action = 'health_link_locked' AND a.details ->> '$.link_id' = l.link_id))
              AND l.expires_at > @now AND s.expires_at > @now AND (l.uses_left IS NOT 0 OR l.last_opened_at > @usedAfter)`,
        )
        .pluck()
        .all({ now, usedAfter }) as string[],
  };
}
