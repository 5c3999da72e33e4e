import { makeFieldError } from '../../../src-shared/contract/field-errors.ts';
import type { Audit } from '../../platform/audit/audit.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { SessionLookup } from '../../platform/http/session.ts';
import type { Caller, UserCaller } from '../../platform/kernel/caller.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';
import { randomId } from '../../platform/kernel/ids.ts';
import type { PatientService } from '../patients/service.ts';
import { createLoginGuard, type LoginGuard } from './login-guard.ts';
import { hashPassword, isGuessable } from './passwords.ts';
import { createAuthRepository, usernameKey, type AuthRepository } from './repository.ts';

export { usernameKey };

const HOUR_MS = 3_600_000;
/** Ended sessions are deleted after this time for privacy. */
const SESSION_RETENTION_MS = 90 * 24 * HOUR_MS;
/** Maximum number of sessions in one reply. */
const MAX_LISTED_SESSIONS = 500;
/** `last_active_at` is written at most this often, so that most reads do not write. */
const MIN_TOUCH_INTERVAL_MS = 60_000;

export interface SetupRequest {
  username: string;
  password: string;
  display_name?: string | null | undefined;
  patient_name: string;
  patient_date_of_birth?: string | null | undefined;
  patient_sex?: 'M' | 'F' | 'O' | null | undefined;
}

export interface Origin {
  ip: string;
  userAgent: string;
  /** The session that the request carried; it ends when another one begins. */
  sessionId: string | null;
}
export interface SignedIn {
  user: UserCaller;
  cookieValue: string;
  maxAgeMs: number;
}
/** `device` is the id under which the browser is known from now on. */
type PasswordSignIn = SignedIn & { device: string };

type FirstSignIn = SignedIn & { patient: { id: number; slug: string; display_name: string } };

interface Account {
  id: number;
  username: string;
  displayName: string;
  role: UserCaller['role'];
}
type Session = ReturnType<AuthRepository['listSessions']>[number] & { is_current: boolean };

export interface AuthService extends SessionLookup {
  needsSetup(): boolean;
  completeSetup(request: SetupRequest, origin: Origin): Promise<FirstSignIn>;
  /** Does the same without checking the password, for a temporary vault. */
  createFirst(request: SetupRequest, origin: Origin): Promise<FirstSignIn>;
  /** `device` is the id that an earlier login returned to this browser. */
  login(username: string, password: string, origin: Origin, device: string | null): Promise<PasswordSignIn>;
  /** Signs in a user who was authenticated elsewhere. */
  signIn(user: Account, origin: Origin): SignedIn;
  logout(user: UserCaller): void;
  /** Hashes a new password; throws `password.weak` for one that is easily guessed, also from `names`. */
  hashNew(password: string, names: string[]): Promise<string>;
  /** Throws `password.incorrect`, or `auth.rate_limited` after too many tries. */
  requirePassword(user: UserCaller, password: string): Promise<void>;
  sessions(caller: UserCaller, withEnded: boolean): Session[];
  /** Throws `session.not_found`. */
  revoke(sessionId: string): void;
  /** Ends all sessions of a user except one. Joins a running transaction. */
  revokeAll(userId: number, except: string | null): void;
  grants(userId: number): ReturnType<AuthRepository['grants']>;
  /** The sign-in methods of a user. */
  waysIn(userId: number): { has_password: boolean; has_oidc: boolean };
}

export interface AuthDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  patients: PatientService;
  sessionTtlHours: () => number;
}

interface Deps extends AuthDeps {
  repository: AuthRepository;
  guard: LoginGuard;
}

/** Accounts, passwords and sessions. */
export function createAuth(dependencies: AuthDeps): AuthService {
  const repository = createAuthRepository(dependencies.db);
  const deps: Deps = { ...dependencies, repository, guard: createLoginGuard(dependencies.clock) };
  repository.forgetSessions(timestamp(deps, -SESSION_RETENTION_MS));
  return {
    needsSetup: () => !repository.hasUsers(),
    completeSetup: (request, origin) => completeSetup(deps, request, origin),
    createFirst: (request, origin) => createFirstUser(deps, request, origin),
    login: (username, password, origin, device) => login(deps, { username, password, device }, origin),
    signIn: (user, origin) => signIn(deps, user, origin),
    hashNew: (password, names) => hashNewPassword(password, names),
    requirePassword: (user, password) => requirePassword(deps, user, password),
    sessions: (caller, withEnded) => listSessions(deps, caller, withEnded),
    revoke: (sessionId) => revokeSession(deps, sessionId),
    revokeAll: (userId, except) => void repository.revokeSessionsOf(userId, except, timestamp(deps)),
    logout: (user) => void repository.revokeSession(user.sessionId, timestamp(deps)),
    grants: (userId) => repository.grants(userId),
    waysIn: (userId) => repository.waysIn(userId),
    resolve: (sessionId) => resolveSession(deps, sessionId),
  };
}

const timestamp = ({ clock }: Deps, offsetMs = 0): string => toTimestamp(clock.now() + offsetMs);

/** Starts a session for an authenticated user and ends the one that the browser had. */
function signIn(deps: Deps, user: Account, { ip, userAgent, sessionId: previous }: Origin): SignedIn {
  const maxAgeMs = deps.sessionTtlHours() * HOUR_MS;
  const sessionId = randomId();
  if (previous !== null) deps.repository.revokeSession(previous, timestamp(deps));
  deps.repository.insertSession({
    sessionId,
    userId: user.id,
    now: timestamp(deps),
    expiresAt: timestamp(deps, maxAgeMs),
    ip,
    userAgent,
  });
  const { id: userId, username, displayName, role } = user;
  return {
    user: { kind: 'user', ip, userId, username, displayName, role, sessionId },
    cookieValue: sessionId,
    maxAgeMs,
  };
}

async function login(
  deps: Deps,
  { username, password, device }: { username: string; password: string; device: string | null },
  origin: Origin,
): Promise<PasswordSignIn> {
  const user = deps.repository.findByName(username);
  const hash = user?.password_hash ?? null;
  const knownDevice = user && device?.startsWith(`${user.id}-`) ? device : null;
  const name = usernameKey(username);
  const matches = await deps.guard.passwordMatches({ ip: origin.ip, name, hash, password, knownDevice });
  if (!matches || !user) {
    deps.audit.record(
      { action: 'http.error', resourceType: 'login', details: { code: 'auth.invalid_credentials' } },
      { kind: 'nobody', ip: origin.ip },
    );
    throw fail('auth.invalid_credentials');
  }
  const { id, display_name: displayName, role } = user;
  const signedIn = signIn(deps, { id, username: user.username, displayName, role }, origin);
  return { ...signedIn, device: knownDevice ?? `${id}-${randomId()}` };
}

/** @throws `setup.already_completed`, `password.weak` */
async function completeSetup(deps: Deps, request: SetupRequest, origin: Origin): Promise<FirstSignIn> {
  if (deps.repository.hasUsers()) throw fail('setup.already_completed');
  requireStrong(request.password, [request.username, request.display_name ?? '', request.patient_name]);
  return createFirstUser(deps, request, origin);
}

/** Creates the first administrator with a patient, and signs them in. */
async function createFirstUser(deps: Deps, request: SetupRequest, origin: Origin): Promise<FirstSignIn> {
  const { username } = request;
  const displayName = request.display_name?.trim() || username;
  const passwordHash = await hashPassword(request.password);
  return deps.db.transaction(() => {
    // Checked again inside the transaction, so that two concurrent setups create one administrator.
    if (deps.repository.hasUsers()) throw fail('setup.already_completed');
    const id = deps.repository.insertUser({ username, displayName, passwordHash, role: 'admin', now: timestamp(deps) });
    const signedIn = signIn(deps, { id, username, displayName, role: 'admin' }, origin);
    const patient = deps.patients.create(
      {
        display_name: request.patient_name,
        date_of_birth: request.patient_date_of_birth ?? null,
        sex: request.patient_sex ?? null,
      },
      signedIn.user,
    );
    return { ...signedIn, patient };
  });
}

function requireStrong(password: string, names: string[]): void {
  if (isGuessable(password, names))
    throw new Failure('password.weak', { issues: [makeFieldError('body.password', 'field.guessable')] });
}

function hashNewPassword(password: string, names: string[]): Promise<string> {
  requireStrong(password, names);
  return hashPassword(password);
}

async function requirePassword({ repository, guard }: Deps, user: UserCaller, password: string): Promise<void> {
  const attempt = { ip: user.ip, name: `#${user.userId}`, hash: repository.passwordHash(user.userId), password };
  if (!(await guard.passwordMatches({ ...attempt, knownDevice: user.sessionId }))) throw fail('password.incorrect');
}

const listSessions = (deps: Deps, caller: UserCaller, withEnded: boolean): Session[] =>
  deps.repository
    .listSessions({ ended: withEnded, now: timestamp(deps), limit: MAX_LISTED_SESSIONS })
    .map((session) => ({ ...session, is_current: session.session_id === caller.sessionId }));

function revokeSession(deps: Deps, sessionId: string): void {
  if (!deps.repository.hasSession(sessionId)) throw fail('session.not_found');
  deps.repository.revokeSession(sessionId, timestamp(deps));
}

/** The user of an active session; null if it has ended. */
function resolveSession(deps: Deps, sessionId: string): ReturnType<SessionLookup['resolve']> {
  const { repository, clock } = deps;
  const found = repository.findSession(sessionId, timestamp(deps));
  if (!found) return null;
  const { lastActiveAt, ...user } = found;
  if (clock.now() - fromTimestamp(lastActiveAt) > MIN_TOUCH_INTERVAL_MS)
    repository.touchSession(sessionId, timestamp(deps));
  return user;
}

/** Describes the caller for the handler of a public endpoint. */
export const originOf = (caller: Caller, userAgent: string): Origin => ({
  ip: caller.ip,
  userAgent,
  sessionId: caller.kind === 'user' ? caller.sessionId : null,
});
