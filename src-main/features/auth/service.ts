import type { Audit } from '../../platform/audit/audit.ts';
import type { Database } from '../../platform/database/connection.ts';
import { createFailureLimit } from '../../platform/http/rate-limit.ts';
import type { SessionLookup } from '../../platform/http/session.ts';
import type { Caller, UserCaller } from '../../platform/kernel/caller.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';
import { randomId } from '../../platform/kernel/ids.ts';
import type { PatientService } from '../patients/service.ts';
import { decoyHash, hashPassword, isGuessable, passwordMatches } from './passwords.ts';
import { createAuthRepository, usernameKey } from './repository.ts';

export { usernameKey };

const HOUR_MS = 3_600_000;
/** Five failures in five minutes for a pair of address and name. */
const LOGIN_LIMIT = { failures: 5, windowMs: 300_000 };
/** The limit for one address over all names: a household shares one, but an attacker tries more names. */
const ADDRESS_LIMIT = { failures: 30, windowMs: 300_000 };
/** Ended sessions are kept this long, then deleted for privacy. */
const SESSION_RETENTION_MS = 90 * 24 * HOUR_MS;
/** Most sessions in one answer. */
const MAX_LISTED_SESSIONS = 500;
/** `last_active_at` is written at most this often, so that reading does not write. */
const TOUCH_EVERY_MS = 60_000;

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
}
export interface SignedIn {
  user: UserCaller;
  cookieValue: string;
  maxAgeMs: number;
}

export interface AuthService extends SessionLookup {
  needsSetup(): boolean;
  completeSetup(
    request: SetupRequest,
    origin: Origin,
  ): Promise<SignedIn & { patient: { id: number; slug: string; display_name: string } }>;
  /** The same without a check of the password, for a temporary vault. */
  createFirst(
    request: SetupRequest,
    origin: Origin,
  ): Promise<SignedIn & { patient: { id: number; slug: string; display_name: string } }>;
  login(username: string, password: string, origin: Origin): Promise<SignedIn>;
  /** Signs in a user who was authenticated elsewhere. */
  signIn(
    user: { id: number; username: string; displayName: string; role: UserCaller['role'] },
    origin: Origin,
  ): SignedIn;
  logout(user: UserCaller): void;
  /** The hash of a new password; throws `password.weak` for one that is easily guessed, also from the names given. */
  hashNew(password: string, names: string[]): Promise<string>;
  /** Throws `password.incorrect`, or `auth.rate_limited` after too many tries. */
  requirePassword(user: UserCaller, password: string): Promise<void>;
  sessions(
    caller: UserCaller,
    withEnded: boolean,
  ): (ReturnType<ReturnType<typeof createAuthRepository>['listSessions']>[number] & { is_current: boolean })[];
  /** Throws `session.not_found`. */
  revoke(sessionId: string): void;
  /** Ends all sessions of a user except one. Joins a running transaction. */
  revokeAll(userId: number, except: string | null): void;
  grants(userId: number): ReturnType<ReturnType<typeof createAuthRepository>['grants']>;
  /** How the user may sign in. */
  waysIn(userId: number): { has_password: boolean; has_oidc: boolean };
}

export interface AuthDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  patients: PatientService;
  sessionTtlHours: () => number;
}

export function createAuth({ db, clock, audit, patients, sessionTtlHours }: AuthDeps): AuthService {
  const repository = createAuthRepository(db);
  const limit = createFailureLimit({ clock, ...LOGIN_LIMIT });
  const addressLimit = createFailureLimit({ clock, ...ADDRESS_LIMIT });
  let decoy: Promise<string> | undefined;
  repository.forgetSessions(toTimestamp(clock.now() - SESSION_RETENTION_MS));

  function signIn(
    user: { id: number; username: string; displayName: string; role: UserCaller['role'] },
    { ip, userAgent }: Origin,
  ): SignedIn {
    const maxAgeMs = sessionTtlHours() * HOUR_MS;
    const sessionId = randomId();
    repository.insertSession({
      sessionId,
      userId: user.id,
      now: toTimestamp(clock.now()),
      expiresAt: toTimestamp(clock.now() + maxAgeMs),
      ip,
      userAgent,
    });
    return {
      user: {
        kind: 'user',
        ip,
        userId: user.id,
        username: user.username,
        displayName: user.displayName,
        role: user.role,
        sessionId,
      },
      cookieValue: sessionId,
      maxAgeMs,
    };
  }

  /** Compares while counting, so that neither slow nor parallel guesses slip through. */
  async function compare(ip: string, name: string, hash: string | null, password: string): Promise<boolean> {
    const key = `${ip}\n${name}`;
    const blockedMs = Math.max(limit.blockedFor(key), addressLimit.blockedFor(ip));
    if (blockedMs > 0)
      throw new Failure('auth.rate_limited', {
        params: { minutes: Math.ceil(blockedMs / 60_000) },
        retryAfter: Math.ceil(blockedMs / 1000),
      });
    limit.failed(key);
    addressLimit.failed(ip);
    const matches = (await passwordMatches(hash ?? (await (decoy ??= decoyHash())), password)) && hash !== null;
    if (matches) {
      limit.clear(key);
      // Not all of them: who knows one password could try others for ever.
      addressLimit.forgive(ip);
    }
    return matches;
  }

  function requireStrong(password: string, names: string[]): void {
    if (isGuessable(password, names))
      throw new Failure('password.weak', { issues: [{ path: 'body.password', message: 'is too easy to guess' }] });
  }

  return {
    needsSetup: () => !repository.hasUsers(),
    async completeSetup(request, origin) {
      if (repository.hasUsers()) throw fail('setup.already_completed');
      requireStrong(request.password, [request.username, request.display_name ?? '', request.patient_name]);
      return this.createFirst(request, origin);
    },
    async createFirst(request, origin) {
      const displayName = request.display_name?.trim() || request.username;
      const passwordHash = await hashPassword(request.password);
      return db.transaction(() => {
        // Asked again inside the transaction: two setups at once make one administrator.
        if (repository.hasUsers()) throw fail('setup.already_completed');
        const id = repository.insertUser({
          username: request.username,
          displayName,
          passwordHash,
          role: 'admin',
          now: toTimestamp(clock.now()),
        });
        const signedIn = signIn({ id, username: request.username, displayName, role: 'admin' }, origin);
        const patient = patients.create(
          {
            display_name: request.patient_name,
            date_of_birth: request.patient_date_of_birth ?? null,
            sex: request.patient_sex ?? null,
          },
          signedIn.user,
        );
        return { ...signedIn, patient };
      });
    },
    async login(username, password, origin) {
      const user = repository.findByName(username);
      if (!(await compare(origin.ip, usernameKey(username), user?.password_hash ?? null, password)) || !user) {
        audit.record(
          { action: 'http.error', resourceType: 'login', details: { code: 'auth.invalid_credentials' } },
          { kind: 'nobody', ip: origin.ip },
        );
        throw fail('auth.invalid_credentials');
      }
      return signIn({ id: user.id, username: user.username, displayName: user.display_name, role: user.role }, origin);
    },
    signIn,
    hashNew(password, names) {
      requireStrong(password, names);
      return hashPassword(password);
    },
    async requirePassword(user, password) {
      if (!(await compare(user.ip, `#${user.userId}`, repository.passwordHash(user.userId), password)))
        throw fail('password.incorrect');
    },
    sessions: (caller, withEnded) =>
      repository
        .listSessions({ ended: withEnded, now: toTimestamp(clock.now()), limit: MAX_LISTED_SESSIONS })
        .map((session) => ({ ...session, is_current: session.session_id === caller.sessionId })),
    revoke(sessionId) {
      if (!repository.hasSession(sessionId)) throw fail('session.not_found');
      repository.revokeSession(sessionId, toTimestamp(clock.now()));
    },
    revokeAll: (userId, except) => void repository.revokeSessionsOf(userId, except, toTimestamp(clock.now())),
    logout: (user) => void repository.revokeSession(user.sessionId, toTimestamp(clock.now())),
    grants: (userId) => repository.grants(userId),
    waysIn: (userId) => repository.waysIn(userId),
    resolve(sessionId) {
      const now = clock.now();
      const found = repository.findSession(sessionId, toTimestamp(now));
      if (!found) return null;
      if (now - fromTimestamp(found.lastActiveAt) > TOUCH_EVERY_MS)
        repository.touchSession(sessionId, toTimestamp(now));
      return { userId: found.userId, username: found.username, displayName: found.displayName, role: found.role };
    },
  };
}

/** Describes the caller with what the handler of a public endpoint knows about them. */
export const originOf = (caller: Caller, userAgent: string): Origin => ({ ip: caller.ip, userAgent });
