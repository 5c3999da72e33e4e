/** What must come back unchanged from a sign-in elsewhere; lies in a signed cookie of the browser that began it. */
export interface Flight {
  state: string;
  nonce: string;
  verifier: string;
  /** Page of ours to go to afterwards. */
  next: string;
  /** The user who connects his account; null for signing in. */
  linkUserId: number | null;
}

export const packFlight = (flight: Flight): string => Buffer.from(JSON.stringify(flight)).toString('base64url');

/** The signature was checked, so that what stands there is ours. */
export const unpackFlight = (packed: string): Flight =>
  JSON.parse(Buffer.from(packed, 'base64url').toString('utf8')) as Flight;

/** Only a page of ours: an address from outside could lead astray. */
export const ownPage = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[^\u0000-\u0020\\]*$/.test(next) ? next : '/';
