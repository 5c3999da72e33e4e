import { asc, count, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { patient_access, patients, users } from '../../platform/database/schema/index.ts';
import type { AccountRole } from '../../platform/kernel/caller.ts';
import { createSessionRepository } from './session-repository.ts';

export interface NewUser {
  username: string;
  displayName: string;
  passwordHash: string;
  role: AccountRole;
  now: string;
}

/** Names are compared case-insensitively and in composed form. */
export const usernameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase();

export type AuthRepository = ReturnType<typeof createAuthRepository>;

export const createAuthRepository = (db: Database) => ({
  ...createAccountRepository(db),
  ...createSessionRepository(db),
});

function createAccountRepository({ orm }: Database) {
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
