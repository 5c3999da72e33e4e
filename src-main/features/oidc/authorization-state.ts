/** State of a pending OIDC login, stored in a signed cookie. */
export interface AuthorizationState {
  state: string;
  nonce: string;
  verifier: string;
  /** Page of Hearth to open afterwards. */
  next: string;
  /** The user who links their account; null for signing in. */
  linkUserId: number | null;
}

/** The state as text for a cookie, which its caller signs. */
export const packAuthorizationState = (state: AuthorizationState): string =>
  Buffer.from(JSON.stringify(state)).toString('base64url');

/** The signature is verified before, so the content can be trusted. */
export const unpackAuthorizationState = (packed: string): AuthorizationState =>
  JSON.parse(Buffer.from(packed, 'base64url').toString('utf8')) as AuthorizationState;

/** Accepts only paths of Hearth, which prevents open redirects. */
export const ownPage = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[^\u0000-\u0020\\]*$/.test(next) ? next : '/';
