import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Signer } from '../config/secret-key.ts';
import type { Caller, UserCaller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Call } from './bind.ts';

export const SESSION_COOKIE = 'vault_session';
/** The signature outlives the longest session by a day; the stored row decides. */
const SIGNATURE_MAX_AGE_MS = 366 * 24 * 3600 * 1000;

export interface SessionLookup {
  /** The signed-in user of a session id, or null when it is revoked, expired or unknown. */
  resolve(sessionId: string): Omit<UserCaller, 'kind' | 'ip' | 'sessionId'> | null;
}

export interface SessionCookies {
  resolveCaller(req: Request): Caller;
  cookies(res: Response): Call['cookies'];
}

/** Carries the opaque session id in a signed, HTTP-only cookie. `Secure` is impossible on plain loopback HTTP. */
export function createSessionCookies({ signer, clock, sessions }: { signer: Signer; clock: Clock; sessions: SessionLookup }): SessionCookies {
  const base = { name: SESSION_COOKIE, httpOnly: true, sameSite: 'lax', path: '/' } as const;
  return {
    resolveCaller(req) {
      const ip = req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown';
      const signed = parseCookie(req.headers.cookie ?? '')[SESSION_COOKIE];
      const sessionId = signed === undefined ? null : signer.verify(signed, clock.now(), SIGNATURE_MAX_AGE_MS);
      const user = sessionId === null ? null : sessions.resolve(sessionId);
      return user && sessionId !== null ? { kind: 'user', ip, sessionId, ...user } : { kind: 'nobody', ip };
    },
    cookies: (res) => ({
      set: (value, maxAgeMs) => void res.append('Set-Cookie', stringifySetCookie({ ...base, value: signer.sign(value, clock.now()), maxAge: Math.floor(maxAgeMs / 1000) })),
      clear: () => void res.append('Set-Cookie', stringifySetCookie({ ...base, value: '', maxAge: 0, expires: new Date(0) })),
    }),
  };
}
