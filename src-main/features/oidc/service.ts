import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Audit } from '../../platform/audit/audit.ts';
import type { AuthService, Origin, SignedIn } from '../auth/service.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Caller, UserCaller } from '../../platform/kernel/caller.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { UserRow, UserService } from '../users/service.ts';
import { readClaims } from './claims.ts';
import { ownPage, packAuthorizationState, unpackAuthorizationState } from './authorization-state.ts';
import { discover, type SignInProvider, type AuthenticatedSubject } from './provider.ts';

const CALLBACK_PATH = '/api/auth/oidc/callback';

export interface OidcService {
  enabled(): { enabled: boolean; provider_url: string };
  /**
   * Returns where to send the browser and what its cookie stores until it returns. `link` is a user who connects their
   * account.
   */
  begin(
    origin: string,
    request: { next?: string | undefined; link?: UserCaller },
  ): Promise<{ location: string; flight: string }>;
  /** Signs in the user who returned; `signedIn` is null for a signed-in user who connected their account. */
  finish(back: {
    origin: string;
    query: Record<string, string | undefined>;
    flight: string | null;
    caller: Caller;
    userAgent: string;
  }): Promise<{ signedIn: SignedIn | null; next: string }>;
  unlink(user: UserCaller): void;
  test(): Promise<{ ok: boolean; issuer?: string; error?: 'oidc.disabled' | 'oidc.provider_unreachable' }>;
}

export interface OidcDeps {
  config: Config;
  users: UserService;
  auth: AuthService;
  audit: Audit;
  log: Log;
}

/**
 * Signing in with an OpenID Connect service: authorization code flow with PKCE (OAuth 2.0 Security Best Current
 * Practice, RFC 9700).
 */
export function createOidc({ config, users, auth, audit, log }: OidcDeps): OidcService {
  let found: { key: string; provider: Promise<SignInProvider> } | null = null;
  const isSetUp = (): boolean => config['oidc.provider_url'] !== '' && config['oidc.client_id'] !== '';

  /** The service as set up now; asked for its description once, and again after a failure or another setting. */
  function provider(): Promise<SignInProvider> {
    const settings = {
      url: config['oidc.provider_url'],
      clientId: config['oidc.client_id'],
      clientSecret: config['oidc.client_secret'],
      scopes: config['oidc.scopes'],
    };
    const key = JSON.stringify(settings);
    if (found?.key !== key) {
      const asked = { key, provider: discover(settings) };
      found = asked;
      asked.provider.catch((err: unknown) => {
        log.warn({ err }, 'the sign-in service cannot be reached');
        if (found === asked) found = null;
      });
    }
    return found.provider;
  }
  function requireEnabled(): Promise<SignInProvider> {
    if (!config['oidc.enabled'] || !isSetUp()) throw fail('oidc.disabled');
    return provider();
  }

  /** The account of who was vouched for: the known one, or a new one. */
  function accountOf({ issuer, subject, claims }: AuthenticatedSubject): UserRow {
    const said = readClaims(claims, {
      usernameClaim: config['oidc.username_claim'],
      displayNameClaim: config['oidc.display_name_claim'],
      roleClaim: config['oidc.role_claim'],
      adminGroup: config['oidc.admin_group'],
      editorGroup: config['oidc.editor_group'],
    });
    const known = users.findByIdentity({ issuer, subject });
    if (known) return users.follow(known.id, said);
    if (!config['oidc.auto_create_user']) throw fail('oidc.unknown_user');
    if (said.username === null) throw fail('oidc.missing_claim', { claim: config['oidc.username_claim'] });
    return users.createForIdentity(
      { username: said.username, displayName: said.displayName ?? said.username, role: said.role ?? 'editor' },
      { issuer, subject },
    );
  }

  function connect(userId: number, caller: Caller, vouched: AuthenticatedSubject): null {
    if (caller.kind !== 'user' || caller.userId !== userId) throw fail('oidc.state_mismatch');
    users.link(userId, vouched);
    audit.record(
      { action: 'user.update', resourceType: 'user', resourceId: userId, details: { changed: ['oidc'] } },
      caller,
    );
    return null;
  }

  function signIn(vouched: AuthenticatedSubject, origin: Origin): SignedIn {
    const { id, username, display_name, role } = accountOf(vouched);
    const signedIn = auth.signIn({ id, username, displayName: display_name, role }, origin);
    audit.record({ action: 'login', resourceType: 'login', resourceId: id, details: { with: 'oidc' } }, signedIn.user);
    return signedIn;
  }

  async function arrive({ origin, query, flight: packed, caller, userAgent }: Parameters<OidcService['finish']>[0]) {
    const service = await requireEnabled();
    const flight = packed === null ? null : unpackAuthorizationState(packed);
    if (flight === null || query['state'] !== flight.state) throw fail('oidc.state_mismatch');
    const address = new URL(CALLBACK_PATH, origin);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
    const vouched = await service.finish(address, flight);
    return {
      signedIn:
        flight.linkUserId === null
          ? signIn(vouched, { ip: caller.ip, userAgent })
          : connect(flight.linkUserId, caller, vouched),
      next: flight.next,
    };
  }

  return {
    enabled: () =>
      config['oidc.enabled'] && isSetUp()
        ? { enabled: true, provider_url: config['oidc.provider_url'] }
        : { enabled: false, provider_url: '' },
    async begin(origin, { next, link }) {
      const { location, ...secrets } = await (await requireEnabled()).begin(new URL(CALLBACK_PATH, origin).href);
      return {
        location,
        flight: packAuthorizationState({ ...secrets, next: ownPage(next), linkUserId: link?.userId ?? null }),
      };
    },
    finish: (back) =>
      arrive(back).catch((error: unknown) => {
        if (error instanceof Failure) {
          // The library's code says what did not fit; its message may quote the answer.
          log.warn(
            { code: error.code, cause: (error.cause as { code?: string } | undefined)?.code },
            'a sign-in with the sign-in service failed',
          );
          audit.record(
            { action: 'http.error', resourceType: 'login', details: { code: error.code, with: 'oidc' } },
            back.caller,
          );
          // A user who was signed in already sees the error on the page where they began.
          if (
            back.flight !== null &&
            back.caller.kind === 'user' &&
            unpackAuthorizationState(back.flight).linkUserId === back.caller.userId
          )
            return {
              signedIn: null,
              next: `${ownPage(unpackAuthorizationState(back.flight).next)}?failed=${error.code}`,
            };
        }
        throw error;
      }),
    unlink: (user) => users.unlink(user.userId),
    async test() {
      if (!isSetUp()) return { ok: false, error: 'oidc.disabled' };
      const failed = (error: unknown): ErrorCode => (error instanceof Failure ? error.code : 'server.internal_error');
      return provider().then(
        ({ issuer }) => ({ ok: true, issuer }),
        (error: unknown) => {
          if (failed(error) !== 'oidc.provider_unreachable') throw error;
          return { ok: false, error: 'oidc.provider_unreachable' as const };
        },
      );
    },
  };
}
