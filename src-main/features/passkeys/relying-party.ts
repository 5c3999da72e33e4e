import { isIP } from 'node:net';
import { fail } from '../../platform/kernel/errors.ts';

/** Who asks for a passkey, as the browser sees it (WebAuthn Level 3, 5.1.2). */
export interface RelyingParty {
  /** Host name without port. */
  id: string;
  /** Pages of these origins may use the passkeys of this host. */
  origins: string[];
}

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * The relying party for the address of a request; null for an IP address, for which browsers make no passkeys. They have
 * passkeys in secure contexts only, so the scheme needs no trust in a header: it is https, except on this computer.
 */
export function relyingPartyOf(origin: string): RelyingParty | null {
  const { hostname, host } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return { id: hostname, origins: [`https://${host}`, ...(isLocal(hostname) ? [`http://${host}`] : [])] };
}

/** @throws `passkey.address_without_name` */
export function requireRelyingParty(origin: string): RelyingParty {
  const party = relyingPartyOf(origin);
  if (party === null) throw fail('passkey.address_without_name');
  return party;
}
