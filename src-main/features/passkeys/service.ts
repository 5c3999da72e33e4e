import type { Input, Reply } from '../../../src-shared/contract/endpoint.ts';
import type { Passkey, passkeys as contract } from '../../../src-shared/contract/passkeys.ts';
import type { Audit } from '../../platform/audit/audit.ts';
import type { Database } from '../../platform/database/connection.ts';
import { addressGroup } from '../../platform/http/client-address.ts';
import { createFailureLimit, type FailureLimit } from '../../platform/http/rate-limit.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail, Failure } from '../../platform/kernel/errors.ts';
import { randomToken } from '../../platform/kernel/ids.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { AuthService, Origin, SignedIn } from '../auth/service.ts';
import { CHALLENGE_MS, createChallenges, type Challenges } from './challenges.ts';
import { relyingPartyOf, requireRelyingParty } from './relying-party.ts';
import { createPasskeyRepository, type PasskeyRepository } from './repository.ts';

/** Of each user. */
const MAX_PASSKEYS = 20;
/** Of one address. Nobody can guess a signature; the limit bounds work and audit log. */
const FAILURE_LIMIT = { failures: 30, windowMs: 300_000 };
/**
 * EdDSA, ES256 and RS256 (IANA, COSE algorithms). The library would also offer ML-DSA where this runtime has it; such a
 * passkey would be lost on a runtime without it.
 */
const ALGORITHMS = [-8, -7, -257];

type Assertion = Input<typeof contract.signIn>['body'];
type CreateRequest = Input<typeof contract.create>['body'];
type StoredPasskey = NonNullable<ReturnType<PasskeyRepository['ofCredential']>>;

export interface PasskeyDeps {
  db: Database;
  clock: Clock;
  auth: AuthService;
  audit: Audit;
  log: Log;
}
interface Deps extends Omit<PasskeyDeps, 'db'> {
  repository: PasskeyRepository;
  challenges: Challenges;
  failures: FailureLimit;
}

export type PasskeyService = ReturnType<typeof createPasskeys>;

/** Passkeys of users, and sign-in with them (WebAuthn Level 3). `origin` is the address that the browser shows. */
export const createPasskeys = ({ db, ...rest }: PasskeyDeps) =>
  bindFirst(
    {
      ...rest,
      repository: createPasskeyRepository(db),
      challenges: createChallenges(rest.clock),
      failures: createFailureLimit({ clock: rest.clock, ...FAILURE_LIMIT }),
    } satisfies Deps as Deps,
    { isAvailable, issueChallenge, signIn, list, prepare, create, rename, remove },
  );

/** The library for WebAuthn is loaded only where a passkey is used. */
const loadLibrary = () => import('@simplewebauthn/server');

function isAvailable({ repository }: Deps, origin: string): boolean {
  const party = relyingPartyOf(origin);
  return party !== null && repository.existFor(party.id);
}

/** Begins a sign-in. The browser offers all passkeys that it has for this host, so no user is named. */
function issueChallenge({ challenges }: Deps, origin: string, ip: string): Reply<typeof contract.challenge> {
  const { id: rpId } = requireRelyingParty(origin);
  return { challenge: challenges.issue(ip, null), timeout: CHALLENGE_MS, rpId, userVerification: 'required' };
}

/** @throws `passkey.not_accepted`, `auth.rate_limited` */
async function signIn(deps: Deps, answer: Assertion, origin: string, from: Origin): Promise<SignedIn> {
  const { failures, audit, auth } = deps;
  const address = addressGroup(from.ip);
  requireUnblocked(failures.blockedFor(address));
  // Counted before the check, so that parallel attempts count as well.
  failures.addFailure(address);
  try {
    const { user } = await verifyAnswer(deps, answer, origin);
    failures.removeLastFailure(address);
    return auth.signIn(user, from);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    audit.record(
      { action: 'http.error', resourceType: 'login', details: { code: error.code, with: 'passkey' } },
      { kind: 'nobody', ip: from.ip },
    );
    throw error;
  }
}

function requireUnblocked(blockedMs: number): void {
  if (blockedMs <= 0) return;
  throw new Failure('auth.rate_limited', {
    params: { minutes: Math.ceil(blockedMs / 60_000) },
    retryAfter: Math.ceil(blockedMs / 1000),
  });
}

/** Checks the answer of an authenticator (WebAuthn Level 3, 7.2) and stores its counter. */
async function verifyAnswer(deps: Deps, answer: Assertion, origin: string): Promise<StoredPasskey> {
  const { repository, challenges, clock, log } = deps;
  const party = requireRelyingParty(origin);
  const { verifyAuthenticationResponse } = await loadLibrary();
  const found = repository.ofCredential(answer.id);
  if (!found || found.passkey.rp_id !== party.id || found.passkey.user_handle !== answer.response.userHandle)
    throw fail('passkey.not_accepted');
  const { passkey } = found;
  const verified = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} },
    expectedChallenge: (challenge) => challenges.take(challenge)?.registration === null,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
  }).catch((error: unknown) => {
    log.warn({ passkey_id: passkey.id }, 'a passkey was not accepted');
    throw fail('passkey.not_accepted', undefined, error);
  });
  const { newCounter: counter, credentialBackedUp: synced } = verified.authenticationInfo;
  const use = { counter, synced, last_used_at: toTimestamp(clock.now()) };
  if (!verified.verified || !repository.noteUse(passkey, use)) throw fail('passkey.not_accepted');
  return found;
}

const list = ({ repository }: Deps, userId: number): Passkey[] => repository.ofUser(userId);

/**
 * Begins to add a passkey. A passkey is a second way into the account, so an unattended session is not enough where
 * there is a password.
 */
async function prepare(
  deps: Deps,
  { current_password }: { current_password?: string | undefined },
  user: UserCaller,
  origin: string,
): Promise<Reply<typeof contract.creationOptions>> {
  const { auth, repository, challenges } = deps;
  const party = requireRelyingParty(origin);
  const existing = repository.ofUser(user.userId);
  requireFreePlace(existing.length);
  if (auth.waysIn(user.userId).has_password) await auth.requirePassword(user, current_password ?? '');
  // The handle that the user's authenticators already know, or a new one.
  const handle = existing[0]?.user_handle ?? randomToken();
  return {
    challenge: challenges.issue(user.ip, { userId: user.userId, handle }),
    timeout: CHALLENGE_MS,
    rp: { id: party.id, name: 'Hearth' },
    user: { id: handle, name: user.username, displayName: user.displayName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    excludeCredentials: existing.map(({ credential_id: id, transports }) => ({ id, type: 'public-key', transports })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

function requireFreePlace(count: number): void {
  if (count >= MAX_PASSKEYS) throw fail('passkey.too_many', { limit: MAX_PASSKEYS });
}

/** Checks and stores a new passkey (WebAuthn Level 3, 7.1). */
async function create(
  deps: Deps,
  { name, credential: answer }: CreateRequest,
  user: UserCaller,
  origin: string,
): Promise<Passkey> {
  const { repository, challenges, clock, log } = deps;
  const party = requireRelyingParty(origin);
  const { verifyRegistrationResponse } = await loadLibrary();
  let handle = '';
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} },
    expectedChallenge: (challenge) => {
      const registration = challenges.take(challenge)?.registration;
      handle = registration?.handle ?? '';
      return registration?.userId === user.userId;
    },
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    log.warn({ user_id: user.userId }, 'a new passkey was not accepted');
    throw fail('passkey.not_accepted', undefined, error);
  });
  if (!verified) throw fail('passkey.not_accepted');
  requireFreePlace(repository.ofUser(user.userId).length);
  const { credential, credentialBackedUp: synced } = registrationInfo;
  const id = repository.insert({
    user_id: user.userId,
    name,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: answer.response.transports ?? [],
    synced,
    rp_id: party.id,
    user_handle: handle,
    created_at: toTimestamp(clock.now()),
  });
  if (id === null) throw fail('passkey.already_registered');
  return requirePasskey(deps, id, user.userId);
}

/** @throws `passkey.not_found`, also for passkeys of others */
const requirePasskey = ({ repository }: Deps, id: number, userId: number): Passkey =>
  orNotFound(repository.get(id, userId), 'passkey.not_found');

function rename(deps: Deps, id: number, name: string, userId: number): Passkey {
  deps.repository.rename(id, userId, name);
  return requirePasskey(deps, id, userId);
}

/** @throws `passkey.not_found` */
function remove({ repository }: Deps, id: number, userId: number): void {
  if (!repository.remove(id, userId)) throw fail('passkey.not_found');
}
