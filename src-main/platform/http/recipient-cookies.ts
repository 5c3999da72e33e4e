import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { SHARE_PATH } from '../../../src-shared/contract/share-limits.ts';
import type { Signer } from '../config/secret-key.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Call } from './bind.ts';

const SESSION_COOKIE = 'vault_share';
const QUEUE_COOKIE = 'vault_share_queue';
/** The stored rows decide how long a session lasts; no row lasts longer than this. */
const SIGNATURE_MAX_AGE_MS = 86_400_000;

export interface RecipientCookies {
  of(req: Request, res: Response): Call['recipient'];
  /** The secret of the session that a request carries. */
  session(req: Request): string | null;
}

/**
 * The cookies of recipients: a secret of the session, or of the place in the queue, signed. They are sent to the pages of
 * recipients only, and never from other sites. Of two cookies with one name neither counts.
 */
export function createRecipientCookies({
  sessionSigner,
  queueSigner,
  clock,
  isSecure,
}: {
  sessionSigner: Signer;
  queueSigner: Signer;
  clock: Clock;
  /** Whether the browser reached this service with TLS. */
  isSecure(req: Request): boolean;
}): RecipientCookies {
  const of = (req: Request, res: Response): Call['recipient'] => {
    const cookie = (name: string, signer: Signer): Call['recipient']['session'] => {
      const base = {
        name,
        httpOnly: true,
        sameSite: 'strict',
        path: SHARE_PATH,
        secure: isSecure(req),
      } as const;
      return {
        read: () => readSigned(req, name, signer, clock),
        set: (value, maxAgeMs) =>
          void res.append(
            'Set-Cookie',
            stringifySetCookie({
              ...base,
              value: signer.sign(value, clock.now()),
              maxAge: Math.max(0, Math.ceil(maxAgeMs / 1000)),
            }),
          ),
        clear: () =>
          void res.append('Set-Cookie', stringifySetCookie({ ...base, value: '', maxAge: 0, expires: new Date(0) })),
      };
    };
    return { session: cookie(SESSION_COOKIE, sessionSigner), queue: cookie(QUEUE_COOKIE, queueSigner) };
  };
  return { of, session: (req) => readSigned(req, SESSION_COOKIE, sessionSigner, clock) };
}

function readSigned(req: Request, name: string, signer: Signer, clock: Clock): string | null {
  const header = req.headers.cookie ?? '';
  const given = header.split(';').filter((part) => part.split('=')[0]?.trim() === name);
  const signed = given.length === 1 ? parseCookie(header)[name] : undefined;
  return signed === undefined ? null : signer.verify(signed, clock.now(), SIGNATURE_MAX_AGE_MS);
}
