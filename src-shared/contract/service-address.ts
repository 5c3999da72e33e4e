/**
 * Which addresses of other services Hearth calls: never one that reaches the machine's own cloud metadata or another
 * link-local service (OWASP, Server-Side Request Forgery Prevention), and without TLS only in the home network.
 */

type Prefix = readonly [address: readonly number[], bits: number];

/** "This network", link-local with cloud metadata, IETF protocol assignments, multicast, reserved (RFC 6890). */
const FORBIDDEN_IPV4: readonly Prefix[] = [
  [[0, 0, 0, 0], 8],
  [[169, 254, 0, 0], 16],
  [[192, 0, 0, 0], 24],
  [[224, 0, 0, 0], 4],
  [[240, 0, 0, 0], 4],
  // Metadata of Alibaba Cloud, in the range of carrier-grade NAT.
  [[100, 100, 100, 200], 32],
];
const LOOPBACK_IPV4: readonly Prefix[] = [[[127, 0, 0, 0], 8]];
/** RFC 1918, and the range of carrier-grade NAT (RFC 6598), which overlay networks of households use. */
const PRIVATE_IPV4: readonly Prefix[] = [
  [[10, 0, 0, 0], 8],
  [[172, 16, 0, 0], 12],
  [[192, 168, 0, 0], 16],
  [[100, 64, 0, 0], 10],
];
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'instance-data']);
/** Metadata of Amazon EC2, in the range of unique local addresses. */
const METADATA_IPV6 = 'fd00:ec2::254';

export type Reach = 'this-computer' | 'home-network' | 'internet' | 'forbidden';

/** Where an address leads, as far as its host name says. `URL` has already written every spelling of an IP in one way. */
export function reachOf({ hostname }: URL): Reach {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return reachOfIpv6(host.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(host)) return reachOfIpv4(host.split('.').map(Number));
  if (host === '' || METADATA_NAMES.has(host)) return 'forbidden';
  if (host === 'localhost' || host.endsWith('.localhost')) return 'this-computer';
  // Names without a dot and those of RFC 6762, RFC 8375 and ICANN's private-use domain exist in a home network only.
  return !host.includes('.') || /\.(local|lan|home|internal|home\.arpa)$/.test(host) ? 'home-network' : 'internet';
}

function isIn(address: readonly number[], prefixes: readonly Prefix[]): boolean {
  const bits = bitsOf(address);
  return prefixes.some(([prefix, length]) => bits.startsWith(bitsOf(prefix).slice(0, length)));
}

const bitsOf = (address: readonly number[]): string =>
  address.map((byte) => byte.toString(2).padStart(8, '0')).join('');

function reachOfIpv4(address: readonly number[]): Reach {
  if (isIn(address, FORBIDDEN_IPV4)) return 'forbidden';
  if (isIn(address, LOOPBACK_IPV4)) return 'this-computer';
  return isIn(address, PRIVATE_IPV4) ? 'home-network' : 'internet';
}

function reachOfIpv6(host: string): Reach {
  const groups = expandIpv6(host);
  const [first = 0] = groups;
  const embedded = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  // IPv4-mapped (RFC 4291, 2.5.5.2) and NAT64 addresses (RFC 6052, 2.1) reach an IPv4 address.
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const isTranslated = first === 0x64 && groups[1] === 0xff9b;
  if (isMapped || isTranslated) return reachOfIpv4(embedded);
  if (host === '::1') return 'this-computer';
  const isLinkLocal = (first & 0xffc0) === 0xfe80;
  const isMulticast = first >> 8 === 0xff;
  if (host === METADATA_IPV6 || isLinkLocal || isMulticast || groups.slice(0, 6).every((group) => group === 0))
    return 'forbidden';
  return (first & 0xfe00) === 0xfc00 ? 'home-network' : 'internet';
}

/** The eight groups of an address in the form of the URL parser. */
function expandIpv6(host: string): number[] {
  const [head = [], tail = []] = host.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = host.includes('::') ? Array<string>(8 - head.length - tail.length).fill('0') : [];
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

const isWebAddress = (url: URL): boolean =>
  /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && reachOf(url) !== 'forbidden';

/** An OCR service or model: HTTPS, or plain HTTP in the home network. */
export const isServiceAddress = (url: URL): boolean =>
  isWebAddress(url) && (url.protocol === 'https:' || reachOf(url) !== 'internet');

/** A sign-in provider (OpenID Connect Discovery 1.0, 4): HTTPS, or plain HTTP on this computer. */
export const isSecureAddress = (url: URL): boolean =>
  isWebAddress(url) && (url.protocol === 'https:' || reachOf(url) === 'this-computer');

/** Whether an address goes on behind its host and port. */
export const hasPath = (text: string): boolean => /^\w+:\/\/[^/?#]+(?:[?#]|\/+[^/])/.test(text);
