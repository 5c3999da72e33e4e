import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** What a sign-in service sends along; which of it is there depends on how it went (RFC 6749, 4.1.2; RFC 9207). */
const answer = z.object({
  code: z.string().max(4000).optional(),
  state: z.string().max(1000).optional(),
  iss: z.string().max(1000).optional(),
  error: z.string().max(200).optional(),
  error_description: z.string().max(2000).optional(),
  session_state: z.string().max(1000).optional(),
});

const FAILURES = ['oidc.disabled', 'oidc.unreachable'] as const;

export const oidc = {
  enabled: endpoint({
    method: 'GET',
    path: '/api/auth/oidc/enabled',
    access: 'public',
    reply: z.object({ enabled: z.boolean(), provider_url: z.string() }),
    summary: 'Whether one can sign in with a sign-in service, and which.',
  }),
  login: endpoint({
    method: 'GET',
    path: '/api/auth/oidc/login',
    access: 'public',
    query: z.object({ next: z.string().max(2000).optional() }),
    reply: 'redirect',
    failTo: '/login',
    errors: FAILURES,
    summary:
      'Sends the browser to the sign-in service, with a signed cookie that only this browser has. `next` is a page of Hearth to go to afterwards.',
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/auth/oidc/callback',
    access: 'public',
    query: answer,
    reply: 'redirect',
    failTo: '/login',
    errors: [
      ...FAILURES,
      'oidc.state',
      'oidc.expired',
      'oidc.client',
      'oidc.refused',
      'oidc.invalid',
      'oidc.claim',
      'oidc.unknown_user',
      'oidc.name_taken',
      'oidc.linked',
    ],
    summary:
      'Where the sign-in service sends the browser back: checks everything, signs in, and goes to the start page. A browser is sent to the sign-in page with the reason where that fails; programs get the error.',
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/auth/oidc/link',
    access: 'session',
    reply: z.object({ location: z.string() }),
    errors: FAILURES,
    summary:
      'Begins to connect the caller’s account with the sign-in service: the browser goes to `location`, and comes back signed in.',
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/auth/oidc/link',
    access: 'session',
    audit: 'user.update',
    reply: z.object({ ok: z.literal(true) }),
    errors: ['oidc.only_way'],
    summary: 'Takes the connection away again; not where the account has no password.',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/settings/oidc/test',
    access: 'admin',
    reply: z.object({
      ok: z.boolean(),
      issuer: z.string().optional(),
      error: z.enum(['oidc.disabled', 'oidc.unreachable']).optional(),
    }),
    summary: 'Asks the sign-in service that is set up for its description.',
  }),
} as const;
