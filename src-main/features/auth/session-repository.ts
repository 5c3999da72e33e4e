import { and, asc, desc, eq, gt, isNull, lt, ne, or } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { sessions, users } from '../../platform/database/schema/index.ts';
import type { AccountRole } from '../../platform/kernel/caller.ts';

export interface NewSession {
  sessionId: string;
  userId: number;
  now: string;
  expiresAt: string;
  ip: string;
  userAgent: string;
}

export function createSessionRepository(db: Database) {
  const { orm } = db;
  return {
    insertSession: (session: NewSession) => insertSession(db, session),
    listSessions: (options: ListOptions) => listSessions(db, options),
    /** The user of an active session. */
    findSession: (sessionId: string, now: string) =>
      db.prepare(ACTIVE_SESSION).get(sessionId, now) as ActiveSession | undefined,
    touchSession: (sessionId: string, now: string) =>
      orm.update(sessions).set({ last_active_at: now }).where(eq(sessions.session_id, sessionId)).run(),
    revokeSession: (sessionId: string, now: string) =>
      orm
        .update(sessions)
        .set({ revoked_at: now })
        .where(and(eq(sessions.session_id, sessionId), isNull(sessions.revoked_at)))
        .run(),
    /** Revokes all sessions of a user except one. */
    revokeSessionsOf: (userId: number, except: string | null, now: string) =>
      orm
        .update(sessions)
        .set({ revoked_at: now })
        .where(
          and(
            eq(sessions.user_id, userId),
            isNull(sessions.revoked_at),
            except === null ? undefined : ne(sessions.session_id, except),
          ),
        )
        .run(),
    /** Deletes sessions that ended before that time. */
    forgetSessions: (before: string) =>
      orm
        .delete(sessions)
        .where(or(lt(sessions.expires_at, before), lt(sessions.revoked_at, before)))
        .run(),
    hasSession: (sessionId: string) =>
      orm.select({ id: sessions.session_id }).from(sessions).where(eq(sessions.session_id, sessionId)).get() !==
      undefined,
  };
}

interface ActiveSession {
  userId: number;
  username: string;
  displayName: string;
  role: AccountRole;
  lastActiveAt: string;
}
/** The lookup of every request. */
const ACTIVE_SESSION = `SELECT u.id AS userId, u.username, u.display_name AS displayName, u.role,
    s.last_active_at AS lastActiveAt
  FROM sessions AS s JOIN users AS u ON u.id = s.user_id
  WHERE s.session_id = ? AND s.revoked_at IS NULL AND s.expires_at > ?`;

const insertSession = ({ orm }: Database, session: NewSession) =>
  orm
    .insert(sessions)
    .values({
      session_id: session.sessionId,
      user_id: session.userId,
      created_at: session.now,
      last_active_at: session.now,
      expires_at: session.expiresAt,
      ip_address: session.ip,
      user_agent: session.userAgent,
    })
    .run();

interface ListOptions {
  /** Includes revoked and expired sessions. */
  ended: boolean;
  now: string;
  limit: number;
}

/** Lists the most recently active sessions first. */
const listSessions = ({ orm }: Database, { ended, now, limit }: ListOptions) =>
  orm
    .select({
      session_id: sessions.session_id,
      user_id: users.id,
      username: users.username,
      display_name: users.display_name,
      role: users.role,
      created_at: sessions.created_at,
      last_active_at: sessions.last_active_at,
      expires_at: sessions.expires_at,
      ip_address: sessions.ip_address,
      user_agent: sessions.user_agent,
      revoked_at: sessions.revoked_at,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(ended ? undefined : and(isNull(sessions.revoked_at), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.last_active_at), desc(sessions.created_at), asc(sessions.session_id))
    .limit(limit)
    .all();
