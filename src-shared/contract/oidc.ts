import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * Parameters of an authorization response, successful or not (RFC 6749, 4.1.2; RFC 9207). Unrecognized ones of the
 * provider must be ignored.
 */
const authorizationResponse = z
  .object({
    code: z.string().max(4000).optional(),
    state: z.string().max(1000).optional(),
    iss: z.string().max(1000).optional(),
    error: z.string().max(200).optional(),
    error_description: z.string().max(2000).optional(),
    session_state: z.string().max(1000).optional(),
  })
  .catchall(z.string());

const PROVIDER_ERRORS = ['oidc.disabled', 'oidc.provider_unreachable'] as const;

export const oidc = {
  enabled: endpoint({
    method: 'GET',
    path: '/api/auth/oidc/enabled',
    access: 'public',
    reply: z.object({ enabled: z.boolean(), provider_url: z.string() }),
    summary: 'Reports whether sign-in with an OpenID Connect provider is set up, and with which one.',
  }),
  login: endpoint({
    method: 'GET',
    path: '/api/auth/oidc/login',
    access: 'public',
    query: z.object({ next: z.string().max(2000).optional() }),
    reply: 'redirect',
    failTo: '/login',
    errors: PROVIDER_ERRORS,
    summary:
      'Redirects the browser to the OpenID Connect provider and sets a signed state cookie. `next` is the page of ' +
      'Hearth to open afterwards.',
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/auth/oidc/callback',
    access: 'public',
    query: authorizationResponse,
    reply: 'redirect',
    failTo: '/login',
    errors: [
      ...PROVIDER_ERRORS,
      'oidc.state_mismatch',
      'oidc.state_expired',
      'oidc.invalid_client',
      'oidc.access_denied',
      'oidc.invalid_token',
      'oidc.missing_claim',
      'oidc.unknown_user',
      'oidc.name_taken',
      'oidc.account_linked_elsewhere',
    ],
    summary:
      'Receives the authorization response of the provider, verifies it, signs in and redirects to the start page. ' +
      'On failure a browser is redirected to the sign-in page with the error code; other clients get the error.',
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/auth/oidc/link',
    access: 'session',
    reply: z.object({ location: z.string() }),
    errors: PROVIDER_ERRORS,
    summary:
      'Starts linking the caller’s account to the OpenID Connect provider: the browser opens `location` and ' +
      'returns after signing in there.',
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/auth/oidc/link',
    access: 'session',
    audit: 'user.update',
    reply: z.object({ ok: z.literal(true) }),
    errors: ['oidc.no_password'],
    summary: 'Unlinks the account from the provider. Rejected for an account without a password.',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/settings/oidc/test',
    access: 'admin',
    reply: z.object({
      ok: z.boolean(),
      issuer: z.string().optional(),
      error: z.enum(['oidc.disabled', 'oidc.provider_unreachable']).optional(),
    }),
    summary: 'Tests the connection: fetches the provider’s discovery document.',
  }),
} as const;
