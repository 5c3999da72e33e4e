/** What must come back unchanged from a sign-in elsewhere; lies in a signed cookie of the browser that began it. */
export interface AuthorizationState {
  state: string;
  nonce: string;
  verifier: string;
  /** Page of ours to go to afterwards. */
  next: string;
  /** The user who connects his account; null for signing in. */
  linkUserId: number | null;
}

export const packAuthorizationState = (flight: AuthorizationState): string =>
  Buffer.from(JSON.stringify(flight)).toString('base64url');

/** The signature was checked, so that what stands there is ours. */
export const unpackAuthorizationState = (packed: string): AuthorizationState =>
  JSON.parse(Buffer.from(packed, 'base64url').toString('utf8')) as AuthorizationState;

/** Only a page of ours: an address from outside could lead astray. */
export const ownPage = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[^\u0000-\u0020\\]*$/.test(next) ? next : '/';
