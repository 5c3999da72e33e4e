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

/** What proxies add to requests (RFC 7239; RFC 9110, 7.6.3), and the names that were used before. */
const PROXY_HEADERS = [
  ...['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port'],
  ...['x-forwarded-proto', 'x-forwarded-server'],
];

/** Whether a proxy passed a request on: then its sender may be elsewhere, wherever the connection comes from. */
export const isForwarded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  PROXY_HEADERS.some((name) => headers[name] !== undefined);

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
