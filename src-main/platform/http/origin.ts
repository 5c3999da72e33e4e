import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { fail } from '../kernel/errors.ts';
import { isLoopback } from './client-address.ts';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

interface Sender {
  caller: { ip: string };
  /** Scheme and host as the browser addresses them. */
  origin: string;
  isForwarded: boolean;
}

/**
 * Whether a call comes from a browser or program on this computer. A proxy on it connects from here, too: it says so in
 * a header, or the browser names another host.
 */
export const isCallerHere = ({ caller, origin, isForwarded }: Sender): boolean =>
  isLoopback(caller.ip) && !isForwarded && LOOPBACK_NAMES.has(new URL(origin).hostname);

/** Returns the host name of a Host header: lower case, without port, IPv6 in brackets; null if it is invalid. */
function hostName(header: string | undefined): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:\s/@]+)(?::\d{1,5})?$/i.exec(header ?? '');
  return match?.[1]?.toLowerCase() ?? null;
}

/**
 * Refuses requests with an unknown host name, which browsers send after DNS rebinding. Allowed are loopback names, the
 * address of the connection, and the configured public host.
 */
export function requireKnownHost(publicHost: string): RequestHandler {
  return (req, _res, next) => {
    // RFC 9112, 3.2: a request of HTTP/1.1 without the header is invalid.
    if (req.headers.host === undefined && req.httpVersion === '1.1') return next(fail('request.malformed'));
    next(isKnownHost(req, [publicHost]) ? undefined : fail('request.wrong_host'));
  };
}

/** Whether a request names a loopback name, the address of its connection, or one of these hosts. */
export function isKnownHost(req: Request, hosts: readonly string[]): boolean {
  // Node uses the first of several Host headers; a proxy may use another one (RFC 9112, 3.2).
  const name = (req.headersDistinct['host']?.length ?? 0) > 1 ? null : hostName(req.headers.host);
  if (!name) return false;
  const local = req.socket.localAddress?.replace(/^::ffff:/, '');
  const bound = local && isIP(local) === 6 ? `[${local}]` : local;
  return LOOPBACK_NAMES.has(name) || name === bound || hosts.some((host) => host !== '' && host.toLowerCase() === name);
}

/**
 * Prevents cross-site request forgery: an unsafe method must come from Hearth's own pages. Browsers prove it by Origin
 * or Sec-Fetch-Site, programs with a session cookie by `X-Requested-With: XMLHttpRequest`, which other sites can't send
 * without a CORS preflight. `exempt` waives the header, never the origin check.
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
  const isProgram = String(req.headers['x-requested-with']).toLowerCase() === 'xmlhttprequest';
  if (req.headers.cookie !== undefined && !exempt && !isProgram) throw fail('request.cross_site');
}

/**
 * Returns scheme and host as the browser addresses them. The host was already checked. The scheme reported by a local
 * proxy is trusted, because it can only mislead its sender.
 */
export function originOf(req: Request): string {
  const forwarded =
    req.headers['x-forwarded-proto'] === 'https' &&
    LOOPBACK_NAMES.has(req.socket.remoteAddress?.replace(/^::ffff:/, '').replace(/^::1$/, '[::1]') ?? '');
  return `${forwarded ? 'https' : 'http'}://${req.headers.host}`;
}
