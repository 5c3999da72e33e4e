import { Router, type Request, type Response } from 'express';
import type { Caller } from '../kernel/caller.ts';
import { fail } from '../kernel/errors.ts';
import { isForwarded, isLoopback } from './client-address.ts';

/** Who a token belongs to, and the pages that may use it. */
export interface ViewerGrant {
  caller: Caller & { kind: 'user' };
  origins: readonly string[];
}

export interface ViewerGateDeps {
  /** The grant of a token; null if it is unknown or revoked. */
  grantOf(token: string, ip: string): ViewerGrant | null;
  /** Whether any token may be used by pages of an origin. */
  knowsOrigin(origin: string): boolean;
}

/** Seconds for which browsers need not ask again. */
const PREFLIGHT_SECONDS = 600;

/** The token of a request (RFC 6750, section 2.1). */
const tokenOf = (req: Request): string => /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';

const addressOf = (req: Request): string => req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown';

/** Whether a request comes from this computer, and not through a proxy on it. */
const isFromHere = (req: Request): boolean => isLoopback(addressOf(req)) && !isForwarded(req);

/**
 * Lets imaging viewers on this computer reach the addresses under `prefix`, with a token and no cookie. Pages of other
 * origins may read replies (CORS) if their origin is listed for the token. It comes before the routes themselves.
 */
export function createViewerGate(prefix: string, deps: ViewerGateDeps): Router {
  const router = Router();
  router.use(prefix, (req, res, next) => {
    if (!isFromHere(req)) throw fail('dicomweb.only_this_computer');
    const { origin } = req.headers;
    // A preflight has no token: the request itself is compared with the origins of its token.
    if (origin !== undefined && deps.knowsOrigin(origin)) allowOrigin(res, origin);
    if (req.method === 'OPTIONS') return answerPreflight(req, res);
    const grant = deps.grantOf(tokenOf(req), addressOf(req));
    if (!grant) {
      res.setHeader('WWW-Authenticate', 'Bearer');
      throw fail('dicomweb.token_invalid');
    }
    if (origin !== undefined && !isOwnOrigin(req, origin) && !grant.origins.includes(origin))
      throw fail('dicomweb.origin_not_allowed');
    next();
  });
  return router;
}

/** The caller of a request that passed the gate. */
export const viewerCaller =
  ({ grantOf }: ViewerGateDeps) =>
  (req: Request): Caller =>
    grantOf(tokenOf(req), addressOf(req))?.caller ?? { kind: 'nobody', ip: addressOf(req) };

const isOwnOrigin = (req: Request, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === req.headers.host?.toLowerCase();

function allowOrigin(res: Response, origin: string): void {
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'Content-Type, Warning');
  // Elsewhere, only pages of the same origin may read replies.
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  res.vary('Origin');
}

function answerPreflight(req: Request, res: Response): void {
  res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
  res.setHeader('Access-Control-Allow-Headers', 'Authorization, Accept, Content-Type');
  res.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
  // Pages of the Internet must ask before they reach this computer (Private Network Access).
  if (req.headers['access-control-request-private-network'] === 'true')
    res.setHeader('Access-Control-Allow-Private-Network', 'true');
  res.status(204).end();
}
