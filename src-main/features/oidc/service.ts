import type { Audit } from '../../platform/audit/audit.ts';
import { originOf, type AuthService, type Origin, type SignedIn } from '../auth/service.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Caller, UserCaller } from '../../platform/kernel/caller.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { UserRow, UserService } from '../users/service.ts';
import { readClaims } from './claims.ts';
import { ownPage, packAuthorizationState, unpackAuthorizationState } from './authorization-state.ts';
import type { SignInProvider, AuthenticatedSubject } from './provider.ts';

const CALLBACK_PATH = '/api/auth/oidc/callback';

/** The browser's return from the sign-in provider. */
interface Callback {
  origin: string;
  query: Record<string, string | undefined>;
  /** The value of the cookie, if there is one. */
  packedState: string | null;
  caller: Caller;
  userAgent: string;
}
interface Finished {
  signedIn: SignedIn | null;
  next: string;
}
interface BeginOptions {
  next?: string | undefined;
  link?: UserCaller;
}
type TestResult = { ok: boolean; issuer?: string; error?: 'oidc.disabled' | 'oidc.provider_unreachable' };

export interface OidcService {
  readStatus(): { enabled: boolean; provider_url: string };
  /**
   * Returns the address to which the browser is sent and what its cookie stores until it returns. `link` is a user who
   * links their account.
   */
  begin(origin: string, options: BeginOptions): Promise<{ location: string; packedState: string }>;
  /** Signs in the user who returned; `signedIn` is null for a signed-in user who linked their account. */
  finish(callback: Callback): Promise<Finished>;
  unlink(user: UserCaller): void;
  test(): Promise<TestResult>;
}

export interface OidcDeps {
  config: Config;
  users: UserService;
  auth: AuthService;
  audit: Audit;
  log: Log;
}

interface Deps extends OidcDeps {
  provider: () => Promise<SignInProvider>;
}

/**
 * Sign-in with an OpenID Connect provider: authorization code flow with PKCE (OAuth 2.0 Security Best Current Practice,
 * RFC 9700).
 */
export function createOidc(dependencies: OidcDeps): OidcService {
  const { config, users } = dependencies;
  const deps: Deps = { ...dependencies, provider: cachedProvider(dependencies) };
  return {
    readStatus: () =>
      config['oidc.enabled'] && isConfigured(config)
        ? { enabled: true, provider_url: config['oidc.provider_url'] }
        : { enabled: false, provider_url: '' },
    begin: (origin, options) => beginLogin(deps, origin, options),
    finish: (callback) =>
      finishLogin(deps, callback).catch((error: unknown) => {
        if (error instanceof Failure) return reportFailure(deps, callback, error);
        throw error;
      }),
    unlink: (user) => users.unlink(user.userId),
    test: () => testProvider(deps),
  };
}

const isConfigured = (config: Config): boolean => config['oidc.provider_url'] !== '' && config['oidc.client_id'] !== '';

/** The provider of the current settings. It is discovered again after a failure or a change of settings. */
function cachedProvider({ config, log }: OidcDeps): () => Promise<SignInProvider> {
  let cached: { key: string; provider: Promise<SignInProvider> } | null = null;
  return () => {
    const settings = {
      url: config['oidc.provider_url'],
      clientId: config['oidc.client_id'],
      clientSecret: config['oidc.client_secret'],
      scopes: config['oidc.scopes'],
    };
    const key = JSON.stringify(settings);
    if (cached?.key === key) return cached.provider;
    // The client library is loaded only where a sign-in service is set up.
    const entry = { key, provider: import('./provider.ts').then(({ discover }) => discover(settings)) };
    cached = entry;
    entry.provider.catch((err: unknown) => {
      log.warn({ err }, 'the sign-in service cannot be reached');
      if (cached === entry) cached = null;
    });
    return entry.provider;
  };
}

/** @throws `oidc.disabled` */
async function requireProvider({ config, provider }: Deps): Promise<SignInProvider> {
  if (!config['oidc.enabled'] || !isConfigured(config)) throw fail('oidc.disabled');
  return provider();
}

async function beginLogin(deps: Deps, origin: string, { next, link }: BeginOptions) {
  const provider = await requireProvider(deps);
  const { location, ...secrets } = await provider.begin(new URL(CALLBACK_PATH, origin).href);
  const state = { ...secrets, next: ownPage(next), linkUserId: link?.userId ?? null };
  return { location, packedState: packAuthorizationState(state) };
}

async function finishLogin(deps: Deps, { origin, query, packedState, caller, userAgent }: Callback): Promise<Finished> {
  const provider = await requireProvider(deps);
  const state = packedState === null ? null : unpackAuthorizationState(packedState);
  if (state === null || query['state'] !== state.state) throw fail('oidc.state_mismatch');
  const address = new URL(CALLBACK_PATH, origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
  const subject = await provider.finish(address, state);
  if (state.linkUserId === null)
    return { signedIn: signInSubject(deps, subject, originOf(caller, userAgent)), next: state.next };
  linkSubject(deps, subject, state.linkUserId, caller);
  return { signedIn: null, next: state.next };
}

/** Links an identity to the account of the signed-in user who started the login. */
function linkSubject({ users, audit }: Deps, subject: AuthenticatedSubject, userId: number, caller: Caller): void {
  if (caller.kind !== 'user' || caller.userId !== userId) throw fail('oidc.state_mismatch');
  users.link(userId, subject);
  audit.record(
    { action: 'user.update', resourceType: 'user', resourceId: userId, details: { changed: ['oidc'] } },
    caller,
  );
}

function signInSubject(deps: Deps, subject: AuthenticatedSubject, origin: Origin): SignedIn {
  const { auth, audit } = deps;
  const { id, username, display_name, role } = accountOf(deps, subject);
  const signedIn = auth.signIn({ id, username, displayName: display_name, role }, origin);
  audit.record({ action: 'login', resourceType: 'login', resourceId: id, details: { with: 'oidc' } }, signedIn.user);
  return signedIn;
}

/** The existing or new account of an authenticated subject. */
function accountOf({ config, users }: Deps, { issuer, subject, claims }: AuthenticatedSubject): UserRow {
  const claimed = readClaims(claims, {
    usernameClaim: config['oidc.username_claim'],
    displayNameClaim: config['oidc.display_name_claim'],
    roleClaim: config['oidc.role_claim'],
    adminGroup: config['oidc.admin_group'],
    editorGroup: config['oidc.editor_group'],
  });
  const existing = users.findByIdentity({ issuer, subject });
  if (existing) return users.updateFromClaims(existing.id, claimed);
  if (!config['oidc.auto_create_user']) throw fail('oidc.unknown_user');
  const { username, displayName, role } = claimed;
  if (username === null) throw fail('oidc.missing_claim', { claim: config['oidc.username_claim'] });
  return users.createForIdentity(
    { username, displayName: displayName ?? username, role: role ?? 'editor' },
    { issuer, subject },
  );
}

/** Records a failed login. A user who was already signed in sees the error on the page where they started. */
function reportFailure({ log, audit }: Deps, { caller, packedState }: Callback, failure: Failure): Finished {
  // The library's code identifies the problem; its message may quote the reply.
  log.warn(
    { code: failure.code, cause: (failure.cause as { code?: string } | undefined)?.code },
    'a sign-in with the sign-in service failed',
  );
  audit.record({ action: 'http.error', resourceType: 'login', details: { code: failure.code, with: 'oidc' } }, caller);
  const state = packedState !== null && caller.kind === 'user' ? unpackAuthorizationState(packedState) : null;
  if (state === null || caller.kind !== 'user' || state.linkUserId !== caller.userId) throw failure;
  return { signedIn: null, next: `${ownPage(state.next)}?failed=${failure.code}` };
}

async function testProvider({ config, provider }: Deps): Promise<TestResult> {
  if (!isConfigured(config)) return { ok: false, error: 'oidc.disabled' };
  try {
    return { ok: true, issuer: (await provider()).issuer };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'oidc.provider_unreachable') throw error;
    return { ok: false, error: error.code };
  }
}
