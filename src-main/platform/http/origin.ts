import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { fail } from '../kernel/errors.ts';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Host name of a Host header: lower case, without port, IPv6 in brackets; null when it cannot be one. */
function hostName(header: string | undefined): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:\s/@]+)(?::\d{1,5})?$/i.exec(header ?? '');
  return match?.[1]?.toLowerCase() ?? null;
}

/**
 * Refuses requests under a foreign name, which a browser sends after DNS rebinding.
 * Allowed: loopback names, the address that the connection arrived at, and the configured public host.
 */
export function requireKnownHost(publicHost: string): RequestHandler {
  return (req, _res, next) => {
    // Node keeps the first of several; who sends two hopes that somebody on the way takes the other (RFC 9112, 3.2).
    const name = (req.headersDistinct['host']?.length ?? 0) > 1 ? null : hostName(req.headers.host);
    const local = req.socket.localAddress?.replace(/^::ffff:/, '');
    const bound = local && isIP(local) === 6 ? `[${local}]` : local;
    if (
      name &&
      (LOOPBACK_NAMES.has(name) || name === bound || (publicHost !== '' && name === publicHost.toLowerCase()))
    )
      return next();
    next(fail('request.wrong_host'));
  };
}

/**
 * Cross-site request forgery: an unsafe method must come from our own pages.
 * Browsers prove it by Origin or Sec-Fetch-Site; programs with a session cookie by `X-Requested-With: XMLHttpRequest`,
 * which a foreign page cannot send without a CORS preflight. `exempt` waives the header, never the origin.
 */
export function requireSameOrigin(req: Request, exempt: boolean): void {
  if (SAFE_METHODS.has(req.method)) return;
  const { origin, host } = req.headers;
  if (origin !== undefined) {
    if (!URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase()) throw fail('request.cross_site');
    return;
  }
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw fail('request.cross_site');
    return;
  }
  if (req.headers.cookie !== undefined && !exempt && req.headers['x-requested-with'] !== 'XMLHttpRequest')
    throw fail('request.cross_site');
}

/**
 * Scheme and host under which the browser came. The host was checked; of a proxy on this machine the scheme is believed,
 * for it can only mislead the one who sends it.
 */
export function originOf(req: Request): string {
  const forwarded =
    req.headers['x-forwarded-proto'] === 'https' &&
    LOOPBACK_NAMES.has(req.socket.remoteAddress?.replace(/^::ffff:/, '').replace(/^::1$/, '[::1]') ?? '');
  return `${forwarded ? 'https' : 'http'}://${req.headers.host}`;
}
