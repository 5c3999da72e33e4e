import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Signer } from '../config/secret-key.ts';
import type { Caller, UserCaller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Call, Cookie } from './bind.ts';
import { originOf } from './origin.ts';

export const SESSION_COOKIE = 'vault_session';
/** State of a pending OIDC login. */
const SIGN_IN_COOKIE = 'vault_sign_in';
const SIGN_IN_PATH = '/api/auth/oidc';
const SIGN_IN_MAX_AGE_MS = 10 * 60_000;
/** Proves that its browser has signed in before; sent only with passwords. */
const DEVICE_COOKIE = 'vault_device';
const DEVICE_PATH = '/api/auth/login';
/** The signature is valid one day longer than the longest session; the stored row decides. */
const DAY_MS = 86_400_000;
const SIGNATURE_MAX_AGE_MS = 366 * DAY_MS;

export interface SessionLookup {
  /** Returns the signed-in user of a session id, or null when it is revoked, expired or unknown. */
  resolve(sessionId: string): Omit<UserCaller, 'kind' | 'ip' | 'sessionId'> | null;
}

export interface SessionCookies {
  resolveCaller(req: Request): Caller;
  /** Does the same for a `Cookie` header, for callers that have no request. */
  callerOf(cookie: string, ip: string): Caller;
  cookies(res: Response): Cookie;
  signIn(req: Request, res: Response): Call['signIn'];
  device(req: Request, res: Response): Call['device'];
}

/**
 * Carries the opaque session id in a signed, HTTP-only cookie; `Secure` when a proxy uses TLS, which plain loopback
 * HTTP does not. `signIn` and `device` are separate cookies with signatures of their own, sent only to the endpoints
 * that need them.
 */
export function createSessionCookies({
  signer,
  signInSigner,
  deviceSigner,
  clock,
  sessions,
}: {
  signer: Signer;
  signInSigner: Signer;
  deviceSigner: Signer;
  clock: Clock;
  sessions: SessionLookup;
}): SessionCookies {
  const read = (cookie: string, name: string, by: Signer, maxAgeMs: number): string | null => {
    const signed = parseCookie(cookie)[name];
    return signed === undefined ? null : by.verify(signed, clock.now(), maxAgeMs);
  };
  const writer = (res: Response, by: Signer, name: string, path: string): Cookie => {
    const base = {
      name,
      httpOnly: true,
      sameSite: 'lax',
      path,
      secure: originOf(res.req).startsWith('https:'),
    } as const;
    return {
      set: (value, maxAgeMs) =>
        void res.append(
          'Set-Cookie',
          stringifySetCookie({ ...base, value: by.sign(value, clock.now()), maxAge: Math.floor(maxAgeMs / 1000) }),
        ),
      clear: () =>
        void res.append('Set-Cookie', stringifySetCookie({ ...base, value: '', maxAge: 0, expires: new Date(0) })),
    };
  };
  const callerOf = (cookie: string, ip: string): Caller => {
    const sessionId = read(cookie, SESSION_COOKIE, signer, SIGNATURE_MAX_AGE_MS);
    const user = sessionId === null ? null : sessions.resolve(sessionId);
    return user && sessionId !== null ? { kind: 'user', ip, sessionId, ...user } : { kind: 'nobody', ip };
  };
  return {
    callerOf,
    resolveCaller: (req) =>
      callerOf(req.headers.cookie ?? '', req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'),
    cookies: (res) => writer(res, signer, SESSION_COOKIE, '/'),
    signIn: (req, res) => ({
      ...writer(res, signInSigner, SIGN_IN_COOKIE, SIGN_IN_PATH),
      read: () => read(req.headers.cookie ?? '', SIGN_IN_COOKIE, signInSigner, SIGN_IN_MAX_AGE_MS),
    }),
    device: (req, res) => ({
      remember: (value) =>
        writer(res, deviceSigner, DEVICE_COOKIE, DEVICE_PATH).set(value, SIGNATURE_MAX_AGE_MS - DAY_MS),
      read: () => read(req.headers.cookie ?? '', DEVICE_COOKIE, deviceSigner, SIGNATURE_MAX_AGE_MS),
    }),
  };
}
