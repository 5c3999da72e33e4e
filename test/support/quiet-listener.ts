import type { ShareService } from '../../src-shared/contract/shares.ts';
import type { ShareListener } from '../../src-main/features/shares/service.ts';

const OFF: ShareService = {
  ...{ state: 'off', port: 8071, url: null, public_url: 'http://x', trial_until: null },
  tunnel: { kind: 'fixed', state: 'off', address: null, since: null, error: null, retry_at: null },
};
const doNothing = async (): Promise<void> => {};

/** A service for recipients that is off, whatever is asked of it. */
export const QUIET_LISTENER: ShareListener = {
  ...{ refresh: doNothing, addressed: doNothing, turnOn: doNothing, turnOff: doNothing },
  ...{ status: () => OFF, statusAtRest: () => OFF, knownAddress: () => null },
};
