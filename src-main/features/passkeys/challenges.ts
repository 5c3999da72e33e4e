import { addressGroup } from '../../platform/http/client-address.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { randomToken } from '../../platform/kernel/ids.ts';

/** Time to find the device and to unlock it. */
export const CHALLENGE_MS = 5 * 60_000;
/** Of one address; a newer one replaces the oldest, so that strangers elsewhere displace nobody's. */
const MAX_OF_ADDRESS = 50;
const MAX_PENDING = 5000;

/** Who adds a passkey, and the handle that the authenticator got for them. */
export interface Registration {
  userId: number;
  handle: string;
}

interface Pending {
  /** Null for a sign-in. */
  registration: Registration | null;
  address: string;
  expiresAt: number;
}

/** Challenges that wait for an answer. They are in memory only: a restart ends them. */
export interface Challenges {
  issue(ip: string, registration: Registration | null): string;
  /** Uses a challenge up and returns what it was issued for; null for an unknown, used or expired one. */
  take(challenge: string): Pick<Pending, 'registration'> | null;
}

export function createChallenges(clock: Clock): Challenges {
  // A map keeps the order of insertion: the first key is the oldest challenge.
  const pending = new Map<string, Pending>();
  const removeOldest = (keys: string[], max: number): void => {
    for (const key of keys.slice(0, Math.max(0, keys.length - max))) pending.delete(key);
  };
  return {
    issue(ip, registration) {
      const address = addressGroup(ip);
      for (const [key, { expiresAt }] of pending) if (expiresAt <= clock.now()) pending.delete(key);
      const ofAddress = [...pending].filter(([, one]) => one.address === address).map(([key]) => key);
      removeOldest(ofAddress, MAX_OF_ADDRESS - 1);
      removeOldest([...pending.keys()], MAX_PENDING - 1);
      const challenge = randomToken();
      pending.set(challenge, { registration, address, expiresAt: clock.now() + CHALLENGE_MS });
      return challenge;
    },
    take(challenge) {
      const found = pending.get(challenge);
      pending.delete(challenge);
      return found !== undefined && found.expiresAt > clock.now() ? found : null;
    },
  };
}
