import type { AuthService } from '../auth/service.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { AccountRole, UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { EventBus } from '../../platform/kernel/events.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import { createUserRepository, type GrantRole, type UserRepository } from './repository.ts';

export type UserRow = NonNullable<ReturnType<UserRepository['get']>>;

/** An OpenID Connect issuer and subject. */
export interface Identity {
  issuer: string;
  subject: string;
}

interface CreateRequest {
  username: string;
  password: string;
  display_name?: string | null | undefined;
  role: AccountRole;
}
interface UpdateRequest {
  display_name?: string | undefined;
  password?: string | undefined;
  role?: AccountRole | undefined;
  current_password?: string | undefined;
}
interface IdentityUser {
  username: string;
  displayName: string;
  role: AccountRole;
}
/** The attributes of a user in the claims of their identity; undefined if a claim is absent. */
interface ClaimedAttributes {
  displayName?: string | undefined;
  role?: AccountRole | undefined;
}

export interface UserService {
  list(): UserRow[];
  create(request: CreateRequest): Promise<UserRow>;
  /** A new password ends the user's other sessions; one's own needs the present one. */
  update(id: number, request: UpdateRequest, by: UserCaller): Promise<UserRow>;
  remove(id: number, by: UserCaller): void;
  matrix(): {
    users: UserRow[];
    patients: ReturnType<UserRepository['patients']>;
    grants: ReturnType<UserRepository['grants']>;
  };
  access(userId: number): ReturnType<UserRepository['grantsOf']>;
  grant(userId: number, patientId: number, role: GrantRole): ReturnType<UserRepository['grantsOf']>;
  revoke(userId: number, patientId: number): void;

  findByIdentity(identity: Identity): UserRow | undefined;
  /** Creates a user without a password; throws `oidc.name_taken`. */
  createForIdentity(user: IdentityUser, identity: Identity): UserRow;
  /** Updates a user from their claims; the last administrator keeps that role. */
  updateFromClaims(id: number, claimed: ClaimedAttributes): UserRow;
  /** Throws `oidc.account_linked_elsewhere` if the identity belongs to another user. */
  link(id: number, identity: Identity): UserRow;
  /** Throws `oidc.no_password` for an account without a password. */
  unlink(id: number): void;
}

interface UserDeps {
  db: Database;
  events: EventBus;
  clock: Clock;
  auth: AuthService;
}
interface Deps extends UserDeps {
  repository: UserRepository;
}

/** User accounts, their access to patients and their identities at the OpenID Connect provider. */
export function createUsers(dependencies: UserDeps): UserService {
  const repository = createUserRepository(dependencies.db);
  const deps: Deps = { ...dependencies, repository };
  return {
    list: () => repository.all(),
    create: (request) => createUser(deps, request),
    update: (id, request, by) => updateUser(deps, id, request, by),
    remove: (id, by) => removeUser(deps, id, by),
    matrix: () => ({ users: repository.all(), patients: repository.patients(), grants: repository.grants() }),
    access: (userId) => repository.grantsOf(requireUser(deps, userId).id),
    grant: (userId, patientId, role) => grantAccess(deps, userId, patientId, role),
    revoke: (userId, patientId) => revokeAccess(deps, userId, patientId),
    findByIdentity: ({ issuer, subject }) => repository.bySubject(issuer, subject),
    createForIdentity: (user, identity) => createForIdentity(deps, user, identity),
    updateFromClaims: (id, claimed) => updateFromClaims(deps, id, claimed),
    link: (id, identity) => linkIdentity(deps, id, identity),
    unlink: (id) => unlinkIdentity(deps, id),
  };
}

const requireUser = ({ repository }: Deps, id: number): UserRow => orNotFound(repository.get(id), 'user.not_found');

const isLastAdmin = ({ repository }: Deps, row: UserRow): boolean => row.role === 'admin' && repository.admins() === 1;

async function createUser(deps: Deps, { username, password, display_name, role }: CreateRequest): Promise<UserRow> {
  const { db, clock, auth, repository } = deps;
  const displayName = display_name?.trim() || username;
  const passwordHash = await auth.hashNew(password, [username, displayName]);
  return db.transaction(() => {
    if (repository.byName(username)) throw fail('user.name_taken');
    const now = toTimestamp(clock.now());
    return requireUser(deps, repository.insert({ username, displayName, passwordHash, role, now }));
  });
}

async function updateUser(deps: Deps, id: number, request: UpdateRequest, by: UserCaller): Promise<UserRow> {
  const { db, auth, repository } = deps;
  const { display_name, password, role } = request;
  const row = requireUser(deps, id);
  if (by.role !== 'admin' && role !== undefined) throw fail('auth.forbidden');
  // The first password of an account of a sign-in service replaces nothing; only administrators may set one.
  const replacesOwn = row.id === by.userId && (row.has_password || by.role !== 'admin');
  if (replacesOwn && password !== undefined) await auth.requirePassword(by, request.current_password ?? '');
  const names = [row.username, display_name ?? row.display_name];
  const password_hash = password === undefined ? undefined : await auth.hashNew(password, names);
  return db.transaction(() => {
    if (role !== undefined && role !== 'admin' && isLastAdmin(deps, requireUser(deps, id)))
      throw fail('user.last_admin');
    const change = {
      ...(display_name !== undefined && { display_name }),
      ...(role !== undefined && { role }),
      ...(password_hash !== undefined && { password_hash }),
    };
    if (Object.keys(change).length > 0) repository.update(id, change);
    if (password_hash !== undefined) auth.revokeAll(id, by.userId === id ? by.sessionId : null);
    // Administrators help people whose account may be in other hands, which may have added a passkey.
    if (password_hash !== undefined && by.userId !== id) repository.removePasskeys(id);
    return requireUser(deps, id);
  });
}

const removeUser = (deps: Deps, id: number, by: UserCaller): void =>
  deps.db.transaction(() => {
    const row = requireUser(deps, id);
    if (row.id === by.userId) throw fail('user.cannot_delete_self');
    if (isLastAdmin(deps, row)) throw fail('user.last_admin');
    deps.repository.remove(id);
  });

/** Gives access to a patient, who may be the one that waiting documents of the user name. */
function grantAccess(deps: Deps, userId: number, patientId: number, role: GrantRole) {
  const grants = deps.db.transaction(() => {
    requireUser(deps, userId);
    if (!deps.repository.hasPatient(patientId)) throw fail('patient.not_found');
    deps.repository.grant(userId, patientId, role);
    return deps.repository.grantsOf(userId);
  });
  void deps.events.emit('accessGranted', { patientId });
  return grants;
}

function revokeAccess(deps: Deps, userId: number, patientId: number): void {
  if (!deps.repository.revoke(requireUser(deps, userId).id, patientId)) throw fail('access.not_found');
}

function createForIdentity(deps: Deps, { username, displayName, role }: IdentityUser, identity: Identity): UserRow {
  const { db, clock, repository } = deps;
  return db.transaction(() => {
    // Two windows may return from the provider at the same time.
    const existing = repository.bySubject(identity.issuer, identity.subject);
    if (existing) return existing;
    if (repository.byName(username)) throw fail('oidc.name_taken', { name: username });
    const now = toTimestamp(clock.now());
    const user = { username, displayName, passwordHash: null, role, now, oidc: identity };
    return requireUser(deps, repository.insert(user));
  });
}

function updateFromClaims(deps: Deps, id: number, claimed: ClaimedAttributes): UserRow {
  const { db, repository } = deps;
  return db.transaction(() => {
    const row = requireUser(deps, id);
    const keepsRole = claimed.role === undefined || (claimed.role !== 'admin' && isLastAdmin(deps, row));
    const role = keepsRole ? row.role : claimed.role;
    const display_name = claimed.displayName ?? row.display_name;
    if (role !== row.role || display_name !== row.display_name) repository.update(id, { role, display_name });
    return requireUser(deps, id);
  });
}

function linkIdentity(deps: Deps, id: number, { issuer, subject }: Identity): UserRow {
  const { db, repository } = deps;
  return db.transaction(() => {
    const other = repository.bySubject(issuer, subject);
    if (other && other.id !== id) throw fail('oidc.account_linked_elsewhere');
    repository.update(id, { oidc_issuer: issuer, oidc_subject: subject });
    return requireUser(deps, id);
  });
}

const unlinkIdentity = (deps: Deps, id: number): void =>
  deps.db.transaction(() => {
    if (!requireUser(deps, id).has_password) throw fail('oidc.no_password');
    deps.repository.update(id, { oidc_issuer: null, oidc_subject: null });
  });
