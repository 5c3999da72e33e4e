import { and, asc, count, desc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { patient_access, patients, sessions, users } from '../../platform/database/schema/index.ts';
import type { AccountRole } from '../../platform/kernel/caller.ts';

export interface NewUser {
  username: string;
  displayName: string;
  passwordHash: string;
  role: AccountRole;
  now: string;
}
export interface NewSession {
  sessionId: string;
  userId: number;
  now: string;
  expiresAt: string;
  ip: string;
  userAgent: string;
}

/** Names are compared without case and by their composed form. */
export const usernameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase();

export type AuthRepository = ReturnType<typeof createAuthRepository>;

export function createAuthRepository(db: Database) {
  const { orm } = db;
  return {
    hasUsers: () => (orm.select({ n: count() }).from(users).get()?.n ?? 0) > 0,
    findByName: (username: string) =>
      orm
        .select()
        .from(users)
        .where(eq(users.username_key, usernameKey(username)))
        .get(),
    insertUser: (user: NewUser) =>
      orm
        .insert(users)
        .values({
          username: user.username,
          username_key: usernameKey(user.username),
          display_name: user.displayName,
          password_hash: user.passwordHash,
          role: user.role,
          created_at: user.now,
        })
        .returning({ id: users.id })
        .get().id,
    insertSession: (session: NewSession) =>
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
        .run(),
    /** The user of a live session. */
    findSession: (sessionId: string, now: string) =>
      orm
        .select({
          userId: users.id,
          username: users.username,
          displayName: users.display_name,
          role: users.role,
          lastActiveAt: sessions.last_active_at,
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.user_id))
        .where(and(eq(sessions.session_id, sessionId), isNull(sessions.revoked_at), gt(sessions.expires_at, now)))
        .get(),
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
    /** Most recently active first; with `ended` also revoked and expired ones, at most `limit`. */
    listSessions: ({ ended, now, limit }: { ended: boolean; now: string; limit: number }) =>
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
        .all(),
    /** Deletes sessions that ended before that time. */
    forgetSessions: (before: string) =>
      orm
        .delete(sessions)
        .where(or(lt(sessions.expires_at, before), lt(sessions.revoked_at, before)))
        .run(),
    hasSession: (sessionId: string) =>
      orm.select({ id: sessions.session_id }).from(sessions).where(eq(sessions.session_id, sessionId)).get() !==
      undefined,
    waysIn: (userId: number) => {
      const row = orm
        .select({ hash: users.password_hash, subject: users.oidc_subject })
        .from(users)
        .where(eq(users.id, userId))
        .get();
      return { has_password: row?.hash != null, has_oidc: row?.subject != null };
    },
    passwordHash: (userId: number) =>
      orm.select({ hash: users.password_hash }).from(users).where(eq(users.id, userId)).get()?.hash ?? null,
    grants: (userId: number) =>
      orm
        .select({
          id: patients.id,
          slug: patients.slug,
          display_name: patients.display_name,
          date_of_birth: patients.date_of_birth,
          role: patient_access.role,
        })
        .from(patient_access)
        .innerJoin(patients, eq(patients.id, patient_access.patient_id))
        .where(eq(patient_access.user_id, userId))
        .orderBy(asc(sql`${patients.display_name} COLLATE NOCASE`), asc(patients.id))
        .all(),
  };
}
