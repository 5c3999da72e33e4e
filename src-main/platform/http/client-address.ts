import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';

const LOOPBACK = 'loopback';

/**
 * What one caller can't change at will: the address of IPv4, the /64 network of IPv6, and one name for all addresses of
 * this computer. Limits count by it.
 */
export function addressGroup(ip: string): string {
  const [address = ''] = ip.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  if (isIPv4(address)) return address.startsWith('127.') ? LOOPBACK : address;
  if (!isIPv6(address)) return address;
  // The URL parser writes every spelling of an address in one way (WHATWG URL, IPv6 serializer).
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  if (canonical === '::1') return LOOPBACK;
  const [head = '', tail = ''] = canonical.split('::');
  const parts = head === '' ? [] : head.split(':');
  const rest = tail === '' ? [] : tail.split(':');
  const zeros = canonical.includes('::') ? Array<string>(8 - parts.length - rest.length).fill('0') : [];
  return `${[...parts, ...zeros, ...rest].slice(0, 4).join(':')}::/64`;
}

/** Whether it is an address of this computer: in 127.0.0.0/8, or ::1. */
export const isLoopback = (ip: string): boolean => addressGroup(ip) === LOOPBACK;

/** What proxies add to requests (RFC 7239; RFC 9110, 7.6.3; RFC 8586), and the names that were used before. */
const PROXY_HEADERS = new Set([
  ...['forwarded', 'via', 'cdn-loop', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'x-original-forwarded-for'],
  ...['cf-connecting-ip', 'cf-ray', 'x-envoy-external-address', 'x-original-host', 'x-arr-log-id'],
]);
const isProxyHeader = (name: string): boolean => PROXY_HEADERS.has(name) || name.startsWith('x-forwarded');

/**
 * Whether a proxy passed a request on: then its sender may be elsewhere, wherever the connection comes from. Some
 * proxies add no header, but speak HTTP/1.0 to the server unless configured otherwise; browsers don't.
 */
export const isForwarded = ({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean =>
  httpVersion === '1.0' || Object.keys(headers).some(isProxyHeader);

/**
 * The address of a client. A header counts only if the connection comes from the proxy's own end: anybody else could
 * write any address into it. Of several addresses, the last one was added by that proxy (RFC 7239, 5.2).
 */
export function clientAddress(req: IncomingMessage, isProxy: (peer: string) => boolean): string {
  const peer = req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown';
  if (!isProxy(peer)) return peer;
  const last = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return last !== undefined && isIP(last) !== 0 ? last : peer;
}
