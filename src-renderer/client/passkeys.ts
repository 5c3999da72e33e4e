import { ApiError, unreachable } from './api.ts';
import type { contract } from './api.ts';
import type { Reply } from '../../src-shared/contract/endpoint.ts';

type SignInOptions = Reply<typeof contract.passkeys.challenge>;
type CreationOptions = Reply<typeof contract.passkeys.creationOptions>;

/** An IPv4 address, or an IPv6 one in its brackets. */
const IP_ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/;
const OWN_ADDRESS = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * Whether this page can use passkeys. Browsers have them on secure pages only, and make none for an IP address; that of
 * this computer has the name localhost as well.
 */
export function passkeySupport(): 'supported' | 'at_localhost' | 'unsupported' {
  if (typeof PublicKeyCredential !== 'function') return 'unsupported';
  if (OWN_ADDRESS.test(location.hostname)) return 'at_localhost';
  return IP_ADDRESS.test(location.hostname) ? 'unsupported' : 'supported';
}

/** The person closed the browser's dialog, or took too long. */
export class PasskeyCancelled extends Error {}

/** Asks the browser for a passkey to sign in with. @throws `PasskeyCancelled` */
export async function usePasskey(optionsJSON: SignInOptions) {
  const { startAuthentication } = await loadLibrary();
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch(throwKnown);
  const { clientDataJSON, authenticatorData, signature } = response;
  // Only a passkey that the browser does not list has none, and such a one was never made here.
  const userHandle = response.userHandle ?? '';
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Asks the browser to make a passkey. @throws `PasskeyCancelled`, `passkey.already_registered` */
export async function makePasskey(optionsJSON: CreationOptions) {
  const { startRegistration } = await loadLibrary();
  const { id, rawId, type, response } = await startRegistration({ optionsJSON } as Parameters<
    typeof startRegistration
  >[0]).catch(throwKnown);
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, ...(transports && { transports }) } };
}

/** Few visitors need it, so it is not in the first script. */
const loadLibrary = () =>
  import('@simplewebauthn/browser').catch(() => {
    throw unreachable();
  });

/** The errors of `navigator.credentials` (WebAuthn Level 3, 5.1). */
function throwKnown(error: unknown): never {
  const { name } = error as Error;
  if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled();
  if (name === 'InvalidStateError') throw new ApiError(409, 'passkey.already_registered');
  throw error;
}
