import type { AuthService } from '../auth/service.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { AccountRole, UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createUserRepository, type GrantRole } from './repository.ts';

type Repository = ReturnType<typeof createUserRepository>;
export type UserRow = NonNullable<ReturnType<Repository['get']>>;

/** An OpenID Connect issuer and subject. */
export interface Identity {
  issuer: string;
  subject: string;
}

export interface UserService {
  list(): UserRow[];
  create(user: {
    username: string;
    password: string;
    display_name?: string | null | undefined;
    role: AccountRole;
  }): Promise<UserRow>;
  /** A new password ends the user's other sessions. */
  update(
    id: number,
    change: {
      display_name?: string | undefined;
      password?: string | undefined;
      role?: AccountRole | undefined;
      current_password?: string | undefined;
    },
    by: UserCaller,
  ): Promise<UserRow>;
  remove(id: number, by: UserCaller): void;
  matrix(): {
    users: UserRow[];
    patients: ReturnType<Repository['patients']>;
    grants: ReturnType<Repository['grants']>;
  };
  access(userId: number): ReturnType<Repository['grantsOf']>;
  grant(userId: number, patientId: number, role: GrantRole): ReturnType<Repository['grantsOf']>;
  revoke(userId: number, patientId: number): void;

  findByIdentity(identity: Identity): UserRow | undefined;
  /** Without a password; throws `oidc.name_taken`. */
  createForIdentity(user: { username: string; displayName: string; role: AccountRole }, identity: Identity): UserRow;
  /** Updates a user from their claims; the last administrator keeps that role. */
  follow(id: number, said: { displayName?: string | undefined; role?: AccountRole | undefined }): UserRow;
  /** Throws `oidc.account_linked_elsewhere` where the identity is another user's. */
  link(id: number, identity: Identity): UserRow;
  /** Throws `oidc.no_password` for an account without a password. */
  unlink(id: number): void;
}

export function createUsers({ db, clock, auth }: { db: Database; clock: Clock; auth: AuthService }): UserService {
  const repository = createUserRepository(db);
  function known(id: number): UserRow {
    const row = repository.get(id);
    if (!row) throw fail('user.not_found');
    return row;
  }
  const isLastAdmin = (row: UserRow): boolean => row.role === 'admin' && repository.admins() === 1;

  return {
    list: () => repository.all(),
    async create({ username, password, display_name, role }) {
      const displayName = display_name?.trim() || username;
      const passwordHash = await auth.hashNew(password, [username, displayName]);
      return db.transaction(() => {
        if (repository.byName(username)) throw fail('user.name_taken');
        return known(repository.insert({ username, displayName, passwordHash, role, now: toTimestamp(clock.now()) }));
      });
    },
    async update(id, { display_name, password, role, current_password }, by) {
      const row = known(id);
      if (by.role !== 'admin' && role !== undefined) throw fail('auth.forbidden');
      if (by.role !== 'admin' && password !== undefined) await auth.requirePassword(by, current_password ?? '');
      const hash =
        password === undefined
          ? undefined
          : await auth.hashNew(password, [row.username, display_name ?? row.display_name]);
      return db.transaction(() => {
        if (role !== undefined && role !== 'admin' && isLastAdmin(known(id))) throw fail('user.last_admin');
        const change = {
          ...(display_name !== undefined && { display_name }),
          ...(role !== undefined && { role }),
          ...(hash !== undefined && { password_hash: hash }),
        };
        if (Object.keys(change).length > 0) repository.update(id, change);
        if (hash !== undefined) auth.revokeAll(id, by.userId === id ? by.sessionId : null);
        return known(id);
      });
    },
    remove: (id, by) =>
      db.transaction(() => {
        const row = known(id);
        if (row.id === by.userId) throw fail('user.cannot_delete_self');
        if (isLastAdmin(row)) throw fail('user.last_admin');
        repository.remove(id);
      }),
    matrix: () => ({ users: repository.all(), patients: repository.patients(), grants: repository.grants() }),
    access: (userId) => repository.grantsOf(known(userId).id),
    grant: (userId, patientId, role) =>
      db.transaction(() => {
        known(userId);
        if (!repository.hasPatient(patientId)) throw fail('patient.not_found');
        repository.grant(userId, patientId, role);
        return repository.grantsOf(userId);
      }),
    revoke(userId, patientId) {
      if (!repository.revoke(known(userId).id, patientId)) throw fail('access.not_found');
    },

    findByIdentity: ({ issuer, subject }) => repository.bySubject(issuer, subject),
    createForIdentity: ({ username, displayName, role }, identity) =>
      db.transaction(() => {
        // Two windows may return from the provider at the same time.
        const already = repository.bySubject(identity.issuer, identity.subject);
        if (already) return already;
        if (repository.byName(username)) throw fail('oidc.name_taken', { name: username });
        return known(
          repository.insert({
            username,
            displayName,
            passwordHash: null,
            role,
            now: toTimestamp(clock.now()),
            oidc: identity,
          }),
        );
      }),
    follow: (id, { displayName, role }) =>
      db.transaction(() => {
        const row = known(id);
        const next = role === undefined || (role !== 'admin' && isLastAdmin(row)) ? row.role : role;
        if (next !== row.role || (displayName ?? row.display_name) !== row.display_name)
          repository.update(id, { role: next, display_name: displayName ?? row.display_name });
        return known(id);
      }),
    link: (id, identity) =>
      db.transaction(() => {
        const other = repository.bySubject(identity.issuer, identity.subject);
        if (other && other.id !== id) throw fail('oidc.account_linked_elsewhere');
        repository.update(id, { oidc_issuer: identity.issuer, oidc_subject: identity.subject });
        return known(id);
      }),
    unlink: (id) =>
      db.transaction(() => {
        if (!known(id).has_password) throw fail('oidc.no_password');
        repository.update(id, { oidc_issuer: null, oidc_subject: null });
      }),
  };
}
