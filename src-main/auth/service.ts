import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import { createFailureLimit } from '../http/rate-limit.ts';
import type { SessionLookup } from '../http/session.ts';
import type { Caller, UserCaller } from '../kernel/caller.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../kernel/clock.ts';
import { Failure, fail } from '../kernel/errors.ts';
import { randomId } from '../kernel/ids.ts';
import type { PatientService } from '../patients/service.ts';
import { decoyHash, hashPassword, isGuessable, passwordMatches } from './passwords.ts';
import { createAuthRepository, usernameKey } from './repository.ts';

const HOUR_MS = 3_600_000;
/** Five failures in five minutes for a pair of address and name. */
const LOGIN_LIMIT = { failures: 5, windowMs: 300_000 };
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

interface Origin { ip: string; userAgent: string }
interface SignedIn { user: UserCaller; cookieValue: string; maxAgeMs: number }

export interface AuthService extends SessionLookup {
  needsSetup(): boolean;
  completeSetup(request: SetupRequest, origin: Origin): Promise<SignedIn & { patient: { id: number; slug: string; display_name: string } }>;
  /** The same without asking how good the password is: for a throw-away vault. */
  createFirst(request: SetupRequest, origin: Origin): Promise<SignedIn & { patient: { id: number; slug: string; display_name: string } }>;
  login(username: string, password: string, origin: Origin): Promise<SignedIn>;
  logout(user: UserCaller): void;
  grants(userId: number): ReturnType<ReturnType<typeof createAuthRepository>['grants']>;
}

export interface AuthDeps { db: Database; clock: Clock; audit: Audit; patients: PatientService; sessionTtlHours: () => number }

export function createAuth({ db, clock, audit, patients, sessionTtlHours }: AuthDeps): AuthService {
  const repository = createAuthRepository(db);
  const limit = createFailureLimit({ clock, ...LOGIN_LIMIT });
  let decoy: Promise<string> | undefined;

  function signIn(user: { id: number; username: string; displayName: string; role: UserCaller['role'] }, { ip, userAgent }: Origin): SignedIn {
    const maxAgeMs = sessionTtlHours() * HOUR_MS;
    const sessionId = randomId();
    repository.insertSession({ sessionId, userId: user.id, now: toTimestamp(clock.now()), expiresAt: toTimestamp(clock.now() + maxAgeMs), ip, userAgent });
    return { user: { kind: 'user', ip, userId: user.id, username: user.username, displayName: user.displayName, role: user.role, sessionId }, cookieValue: sessionId, maxAgeMs };
  }

  function requireStrong(password: string, names: string[]): void {
    if (isGuessable(password, names)) throw new Failure('password.weak', { issues: [{ path: 'body.password', message: 'is too easy to guess' }] });
  }

  return {
    needsSetup: () => !repository.hasUsers(),
    async completeSetup(request, origin) {
      if (repository.hasUsers()) throw fail('setup.done');
      requireStrong(request.password, [request.username, request.display_name ?? '', request.patient_name]);
      return this.createFirst(request, origin);
    },
    async createFirst(request, origin) {
      const displayName = request.display_name?.trim() || request.username;
      const passwordHash = await hashPassword(request.password);
      return db.transaction(() => {
        // Asked again inside the transaction: two setups at once make one administrator.
        if (repository.hasUsers()) throw fail('setup.done');
        const id = repository.insertUser({ username: request.username, displayName, passwordHash, role: 'admin', now: toTimestamp(clock.now()) });
        const signedIn = signIn({ id, username: request.username, displayName, role: 'admin' }, origin);
        const patient = patients.create({ display_name: request.patient_name, date_of_birth: request.patient_date_of_birth ?? null, sex: request.patient_sex ?? null }, signedIn.user);
        return { ...signedIn, patient };
      });
    },
    async login(username, password, origin) {
      const key = `${origin.ip}\n${usernameKey(username)}`;
      const blockedMs = limit.blockedFor(key);
      if (blockedMs > 0) throw new Failure('auth.too_many', { params: { minutes: Math.ceil(blockedMs / 60_000) }, retryAfter: Math.ceil(blockedMs / 1000) });
      // Counted before the slow comparison, so that parallel guesses do not slip through.
      limit.failed(key);
      const user = repository.findByName(username);
      const matches = await passwordMatches(user?.password_hash ?? await (decoy ??= decoyHash()), password);
      if (!user?.password_hash || !matches) {
        audit.record({ action: 'http.error', resourceType: 'login', details: { code: 'auth.wrong' } }, { kind: 'nobody', ip: origin.ip });
        throw fail('auth.wrong');
      }
      limit.clear(key);
      return signIn({ id: user.id, username: user.username, displayName: user.display_name, role: user.role }, origin);
    },
    logout: (user) => void repository.revokeSession(user.sessionId, toTimestamp(clock.now())),
    grants: (userId) => repository.grants(userId),
    resolve(sessionId) {
      const now = clock.now();
      const found = repository.findSession(sessionId, toTimestamp(now));
      if (!found) return null;
      if (now - fromTimestamp(found.lastActiveAt) > TOUCH_EVERY_MS) repository.touchSession(sessionId, toTimestamp(now));
      return { userId: found.userId, username: found.username, displayName: found.displayName, role: found.role };
    },
  };
}

/** The caller as far as a handler of a public endpoint knows him. */
export const originOf = (caller: Caller, userAgent: string): Origin => ({ ip: caller.ip, userAgent });
