import { and, asc, count, eq, max, sql } from 'drizzle-orm';
import { usernameKey } from '../auth/service.ts';
import type { Database } from '../../platform/database/connection.ts';
import { passkeys, patient_access, patients, sessions, users } from '../../platform/database/schema/index.ts';
import type { AccountRole } from '../../platform/kernel/caller.ts';

export interface NewUser {
  username: string;
  displayName: string;
  passwordHash: string | null;
  role: AccountRole;
  now: string;
  oidc?: { issuer: string; subject: string };
}
export interface UserChange {
  display_name?: string;
  password_hash?: string;
  role?: AccountRole;
  oidc_issuer?: string | null;
  oidc_subject?: string | null;
}
export type GrantRole = 'owner' | 'viewer';

const COLUMNS = {
  id: users.id,
  username: users.username,
  display_name: users.display_name,
  role: users.role,
  created_at: users.created_at,
  has_password: sql<boolean>`${users.password_hash} IS NOT NULL`.mapWith(Boolean),
  has_oidc: sql<boolean>`${users.oidc_subject} IS NOT NULL`.mapWith(Boolean),
  last_active_at: sql<
    string | null
  >`(${sql`SELECT ${max(sessions.last_active_at)} FROM ${sessions} WHERE ${sessions.user_id} = ${users.id}`})`,
};
const byName = sql`${users.display_name} COLLATE NOCASE`;
const byPatientName = sql`${patients.display_name} COLLATE NOCASE`;

export type UserRepository = ReturnType<typeof createUserRepository>;

/**
 * Accounts and their access. Writes all rows of `users` but the first, and all grants but that of a patient's creator.
 */
export const createUserRepository = (db: Database) => ({
  ...createAccountRepository(db),
  ...createGrantRepository(db),
});

function createAccountRepository({ orm }: Database) {
  return {
    all: () => orm.select(COLUMNS).from(users).orderBy(asc(byName), asc(users.id)).all(),
    get: (id: number) => orm.select(COLUMNS).from(users).where(eq(users.id, id)).get(),
    byName: (username: string) =>
      orm
        .select({ id: users.id })
        .from(users)
        .where(eq(users.username_key, usernameKey(username)))
        .get(),
    bySubject: (issuer: string, subject: string) =>
      orm
        .select(COLUMNS)
        .from(users)
        .where(and(eq(users.oidc_issuer, issuer), eq(users.oidc_subject, subject)))
        .get(),
    admins: () => orm.select({ n: count() }).from(users).where(eq(users.role, 'admin')).get()?.n ?? 0,
    insert: (user: NewUser) =>
      orm
        .insert(users)
        .values({
          username: user.username,
          username_key: usernameKey(user.username),
          display_name: user.displayName,
          password_hash: user.passwordHash,
          role: user.role,
          created_at: user.now,
          oidc_issuer: user.oidc?.issuer ?? null,
          oidc_subject: user.oidc?.subject ?? null,
        })
        .returning({ id: users.id })
        .get().id,
    update: (id: number, change: UserChange) => orm.update(users).set(change).where(eq(users.id, id)).run(),
    remove: (id: number) => orm.delete(users).where(eq(users.id, id)).run(),
    removePasskeys: (id: number) => orm.delete(passkeys).where(eq(passkeys.user_id, id)).run(),
  };
}

function createGrantRepository({ orm }: Database) {
  return {
    patients: () =>
      orm
        .select({ id: patients.id, slug: patients.slug, display_name: patients.display_name })
        .from(patients)
        .orderBy(asc(byPatientName), asc(patients.id))
        .all(),
    hasPatient: (id: number) =>
      orm.select({ id: patients.id }).from(patients).where(eq(patients.id, id)).get() !== undefined,
    grants: () =>
      orm.select().from(patient_access).orderBy(asc(patient_access.user_id), asc(patient_access.patient_id)).all(),
    grantsOf: (userId: number) =>
      orm
        .select({
          id: patients.id,
          slug: patients.slug,
          display_name: patients.display_name,
          role: patient_access.role,
        })
        .from(patient_access)
        .innerJoin(patients, eq(patients.id, patient_access.patient_id))
        .where(eq(patient_access.user_id, userId))
        .orderBy(asc(byPatientName), asc(patients.id))
        .all(),
    grant: (userId: number, patientId: number, role: GrantRole) =>
      orm
        .insert(patient_access)
        .values({ user_id: userId, patient_id: patientId, role })
        .onConflictDoUpdate({ target: [patient_access.user_id, patient_access.patient_id], set: { role } })
        .run(),
    revoke: (userId: number, patientId: number) =>
      orm
        .delete(patient_access)
        .where(and(eq(patient_access.user_id, userId), eq(patient_access.patient_id, patientId)))
        .run().changes > 0,
  };
}
