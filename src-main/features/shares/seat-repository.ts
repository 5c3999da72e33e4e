import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { share_queue, share_sessions, shares } from '../../platform/database/schema/index.ts';

export type SessionRecord = typeof share_sessions.$inferSelect;
export type WaiterRecord = typeof share_queue.$inferSelect;

/** The session of a recipient with what its share allows. */
export interface OpenSession extends SessionRecord {
  recipient_label: string;
  share_expires_at: string;
}

export type SeatRepository = ReturnType<typeof createSeatRepository>;

/** Sessions of recipients and the queue for the seat. */
export function createSeatRepository(db: Database) {
  const { orm } = db;
  return {
    insertSession: (session: typeof share_sessions.$inferInsert): SessionRecord =>
      orm.insert(share_sessions).values(session).returning().get(),
    /** Sessions of a share that have neither ended nor expired. */
    sessions: (shareId: string, now: string): SessionRecord[] =>
      orm
        .select()
        .from(share_sessions)
        .where(
          and(
            eq(share_sessions.share_id, shareId),
            isNull(share_sessions.ended_at),
            gt(share_sessions.expires_at, now),
          ),
        )
        .orderBy(asc(share_sessions.rowid))
        .all(),
    /** Ends a session; false if it had ended. */
    endSession: (shareId: string, rowid: number, now: string): boolean =>
      orm
        .update(share_sessions)
        .set({ ended_at: now })
        .where(
          and(eq(share_sessions.share_id, shareId), eq(share_sessions.rowid, rowid), isNull(share_sessions.ended_at)),
        )
        .run().changes > 0,
    touch: (rowid: number, now: string): void =>
      void orm.update(share_sessions).set({ last_seen_at: now }).where(eq(share_sessions.rowid, rowid)).run(),
    /** Sessions whose time is over although nobody ended them. */
    overdue: (now: string): SessionRecord[] =>
      db
        .prepare(
          `SELECT t.* FROM share_sessions AS t JOIN shares AS s ON s.share_id = t.share_id WHERE t.ended_at IS NULL
            AND (t.expires_at <= ?1 OR s.expires_at <= ?1 OR s.revoked_at IS NOT NULL)`,
        )
        .all({ 1: now }) as SessionRecord[],
    insertWaiter: (waiter: typeof share_queue.$inferInsert): WaiterRecord =>
      orm.insert(share_queue).values(waiter).returning().get(),
    waiters: (shareId: string, now: string): WaiterRecord[] =>
      orm
        .select()
        .from(share_queue)
        .where(and(eq(share_queue.share_id, shareId), gt(share_queue.queue_expires_at, now)))
        .orderBy(asc(share_queue.rowid))
        .all(),
    /** The place of a waiter in the queue of a share that is still open. */
    waiter: (
      placeHash: string,
      now: string,
    ): (WaiterRecord & { recipient_label: string; share_expires_at: string }) | undefined =>
      orm
        .select({
          rowid: share_queue.rowid,
          token_hash: share_queue.token_hash,
          share_id: share_queue.share_id,
          client_ip: share_queue.client_ip,
          user_agent: share_queue.user_agent,
          created_at: share_queue.created_at,
          queue_expires_at: share_queue.queue_expires_at,
          recipient_label: shares.recipient_label,
          share_expires_at: shares.expires_at,
        })
        .from(share_queue)
        .innerJoin(shares, eq(shares.share_id, share_queue.share_id))
        .where(
          and(
            eq(share_queue.token_hash, placeHash),
            gt(share_queue.queue_expires_at, now),
            isNull(shares.revoked_at),
            gt(shares.expires_at, now),
          ),
        )
        .get(),
    keepWaiter: (rowid: number, until: string): void =>
      void orm.update(share_queue).set({ queue_expires_at: until }).where(eq(share_queue.rowid, rowid)).run(),
    removeWaiter: (shareId: string, rowid: number): boolean =>
      orm
        .delete(share_queue)
        .where(and(eq(share_queue.share_id, shareId), eq(share_queue.rowid, rowid)))
        .run().changes > 0,
    removeQueue: (shareId: string): void => void orm.delete(share_queue).where(eq(share_queue.share_id, shareId)).run(),
    removeExpiredWaiters: (now: string): void =>
      void orm
        .delete(share_queue)
        .where(sql`${share_queue.queue_expires_at} <= ${now}`)
        .run(),
  };
}

/** Whether a session still has its share open. */
export const prepareOpenCheck =
  (db: Database) =>
  (rowid: number, now: string): boolean =>
    db
      .prepare(
        `SELECT 1 FROM share_sessions AS t JOIN shares AS s ON s.share_id = t.share_id WHERE t.rowid = ?1
          AND t.ended_at IS NULL AND t.expires_at > ?2 AND s.revoked_at IS NULL AND s.expires_at > ?2`,
      )
      .get({ 1: rowid, 2: now }) !== undefined;

/** Looks up sessions for every request, with a connection that can't write. */
export function prepareSessionLookup({ orm }: Database): (sessionHash: string, now: string) => OpenSession | undefined {
  const statement = orm
    .select({
      rowid: share_sessions.rowid,
      session_hash: share_sessions.session_hash,
      share_id: share_sessions.share_id,
      client_ip: share_sessions.client_ip,
      user_agent: share_sessions.user_agent,
      created_at: share_sessions.created_at,
      last_seen_at: share_sessions.last_seen_at,
      expires_at: share_sessions.expires_at,
      ended_at: share_sessions.ended_at,
      recipient_label: shares.recipient_label,
      share_expires_at: shares.expires_at,
    })
    .from(share_sessions)
    .innerJoin(shares, eq(shares.share_id, share_sessions.share_id))
    .where(
      and(
        eq(share_sessions.session_hash, sql.placeholder('sessionHash')),
        isNull(share_sessions.ended_at),
        gt(share_sessions.expires_at, sql.placeholder('now')),
        isNull(shares.revoked_at),
        gt(shares.expires_at, sql.placeholder('now')),
      ),
    )
    .prepare();
  return (sessionHash, now) => statement.get({ sessionHash, now });
}
