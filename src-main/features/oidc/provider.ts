import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { isSecureAddress } from '../../../src-shared/contract/service-address.ts';
import { fail, type Failure } from '../../platform/kernel/errors.ts';
import type { AuthorizationState } from './authorization-state.ts';

export interface ProviderSettings {
  url: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
}
/** The authenticated subject with its claims. */
export interface AuthenticatedSubject {
  issuer: string;
  subject: string;
  claims: Record<string, unknown>;
}

export interface SignInProvider {
  issuer: string;
  /** The address to which the browser is sent, and the values that must be returned from there. */
  begin(redirectUri: string): Promise<{ location: string } & Pick<AuthorizationState, 'state' | 'nonce' | 'verifier'>>;
  /** Exchanges the code in the callback URL; checks state, issuer, PKCE, nonce, audience, times and signature. */
  finish(address: URL, state: AuthorizationState): Promise<AuthenticatedSubject>;
}

const TIMEOUT_S = 10;
/** Tolerated clock difference. */
const TOLERANCE_S = 30;
/** Metadata, keys and tokens have a few kilobytes. */
const MAX_REPLY_BYTES = 2 ** 20;
/** Errors of a provider that did not reply, or not as an OpenID Connect provider. */
const SILENT = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]);

function codeOf(error: unknown): PlainErrorCode {
  if (error instanceof AuthorizationResponseError) return 'oidc.access_denied';
  if (error instanceof ResponseBodyError)
    return error.error === 'invalid_grant' ? 'oidc.state_expired' : 'oidc.invalid_client';
  if (error instanceof WWWAuthenticateChallengeError) return 'oidc.invalid_client';
  const { code } = error as { code?: string };
  return code === undefined || SILENT.has(code) ? 'oidc.provider_unreachable' : 'oidc.invalid_token';
}
const translate = (error: unknown): Failure => fail(codeOf(error), undefined, error);

/** Fetches a reply, which fails when it is longer than any honest one: within the time limit it could fill the memory. */
async function fetchLimited(address: string, options: object): Promise<Response> {
  const reply = await fetch(address, options);
  if (reply.body === null) return reply;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MAX_REPLY_BYTES) controller.error(new Error('the reply of the sign-in service is too long'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = reply;
  return new Response(reply.body.pipeThrough(limit), { status, statusText, headers });
}

/** Uses Basic authentication if the provider does not state its methods (OpenID Connect Discovery 1.0, 3). */
function proofWith(clientSecret: string, methods: readonly string[] | undefined): ClientAuth {
  if (clientSecret === '') return None();
  return (methods ?? ['client_secret_basic']).includes('client_secret_basic')
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret);
}

/** Reads the provider's metadata. Throws `oidc.provider_unreachable`. */
export async function discover({ url, clientId, clientSecret, scopes }: ProviderSettings): Promise<SignInProvider> {
  const server = new URL(url);
  const isLocal = server.protocol === 'http:';
  // The settings accept addresses without TLS only for this computer.
  const description = await discovery(server, clientId, {}, None(), {
    execute: isLocal ? [allowInsecureRequests] : [],
    timeout: TIMEOUT_S,
    [customFetch]: fetchLimited,
  }).then(
    (found) => found.serverMetadata(),
    (error: unknown) => {
      throw fail('oidc.provider_unreachable', undefined, error);
    },
  );
  if (!hasSafeEndpoints(description)) throw fail('oidc.provider_unreachable');
  const proof = proofWith(clientSecret, description.token_endpoint_auth_methods_supported);
  const config = new Configuration(description, clientId, { [clockTolerance]: TOLERANCE_S }, proof);
  config.timeout = TIMEOUT_S;
  config[customFetch] = fetchLimited;
  if (isLocal) allowInsecureRequests(config);
  enableNonRepudiationChecks(config);
  return withConfiguration(config, scopes);
}

/** Where the browser, the code and the tokens are sent; a provider could name any address (RFC 9700, 4.4). */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const OPTIONAL_ENDPOINTS = ['userinfo_endpoint', 'end_session_endpoint'] as const;

function hasSafeEndpoints(description: ServerMetadata): boolean {
  const isSafe = (address: unknown): boolean =>
    typeof address === 'string' && URL.canParse(address) && isSecureAddress(new URL(address));
  return (
    ENDPOINTS.every((name) => isSafe(description[name])) &&
    OPTIONAL_ENDPOINTS.every((name) => description[name] === undefined || isSafe(description[name]))
  );
}

function withConfiguration(config: Configuration, scope: string): SignInProvider {
  const { issuer, userinfo_endpoint: userinfo } = config.serverMetadata();
  return {
    issuer,
    async begin(redirectUri) {
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const location = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { location: location.href, state, nonce, verifier };
    },
    async finish(address, { state, nonce, verifier }) {
      try {
        const tokens = await authorizationCodeGrant(config, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (!idToken) throw fail('oidc.invalid_token');
        const more = userinfo === undefined ? {} : await fetchUserInfo(config, tokens.access_token, idToken.sub);
        return { issuer: idToken.iss, subject: idToken.sub, claims: { ...idToken, ...more } };
      } catch (error) {
        throw translate(error);
      }
    },
  };
}
