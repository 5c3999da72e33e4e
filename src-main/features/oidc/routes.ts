import type { oidc } from '../../../src-shared/contract/oidc.ts';
import type { Call, Handlers } from '../../platform/http/bind.ts';
import type { OidcService } from './service.ts';

/** Time to enter a password or a second factor. */
const PENDING_LOGIN_MS = 10 * 60_000;

export function oidcRoutes(service: OidcService): Handlers<typeof oidc> {
  async function begin(
    call: Pick<Call, 'origin' | 'signIn'>,
    request: Parameters<OidcService['begin']>[1],
  ): Promise<{ location: string }> {
    const { location, packedState } = await service.begin(call.origin, request);
    call.signIn.set(packedState, PENDING_LOGIN_MS);
    return { location };
  }
  return {
    enabled: () => service.readStatus(),
    login: ({ query }, call) => begin(call, { next: query.next }),
    async callback({ query }, call) {
      const packedState = call.signIn.read();
      // Valid for one callback only.
      call.signIn.clear();
      const { signedIn, next } = await service.finish({
        origin: call.origin,
        query,
        packedState,
        caller: call.caller,
        userAgent: call.userAgent,
      });
      if (signedIn) call.cookies.set(signedIn.cookieValue, signedIn.maxAgeMs);
      return { location: next };
    },
    link: (_input, call) => begin(call, { next: '/settings', link: call.caller }),
    unlink(_input, { caller, setRecordId, note }) {
      service.unlink(caller);
      setRecordId(caller.userId);
      note({ changed: ['oidc'] });
      return { ok: true };
    },
    test: () => service.test(),
  };
}
