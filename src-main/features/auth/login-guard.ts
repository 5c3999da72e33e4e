import { addressGroup } from '../../platform/http/client-address.ts';
import { createFailureLimit, type FailureLimit } from '../../platform/http/rate-limit.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Failure } from '../../platform/kernel/errors.ts';
import { decoyHash, passwordMatches } from './passwords.ts';

/** For each pair of address and user name, and for each device that signed in before. */
const LOGIN_LIMIT = { failures: 5, windowMs: 300_000 };
/**
 * The limit for one address across all user names: a household shares one address, but an attacker tries more names.
 */
const ADDRESS_LIMIT = { failures: 30, windowMs: 300_000 };
/** The limit for one user name across all addresses, of which an attacker may have many. */
const NAME_LIMIT = { failures: 50, windowMs: 3_600_000 };

interface Attempt {
  ip: string;
  name: string;
  /** Null for an unknown user or an account without a password; the comparison takes as long. */
  hash: string | null;
  password: string;
  /** A device or session that this user has signed in with, which has a limit of its own. */
  knownDevice: string | null;
}

/** Compares passwords and limits failed attempts. */
export interface LoginGuard {
  /** Throws `auth.rate_limited` after too many failures. */
  passwordMatches(attempt: Attempt): Promise<boolean>;
}

export function createLoginGuard(clock: Clock): LoginGuard {
  const limits = {
    pair: createFailureLimit({ clock, ...LOGIN_LIMIT }),
    device: createFailureLimit({ clock, ...LOGIN_LIMIT }),
    address: createFailureLimit({ clock, ...ADDRESS_LIMIT }),
    name: createFailureLimit({ clock, ...NAME_LIMIT }),
  };
  let decoy: Promise<string> | undefined;
  return {
    async passwordMatches({ ip, name, hash, password, knownDevice }) {
      const address = addressGroup(ip);
      const [own, ...shared]: [FailureLimit, string][] =
        knownDevice === null
          ? [
              [limits.pair, `${address}\n${name}`],
              [limits.address, address],
              [limits.name, name],
            ]
          : // Guesses by strangers must not keep out people who are known here.
            [[limits.device, `${knownDevice}\n${name}`]];
      const counted = [own, ...shared].filter((one) => one !== undefined);
      requireUnblocked(Math.max(...counted.map(([limit, key]) => limit.blockedFor(key))));
      // Counted before the comparison, so that parallel guesses count as well.
      for (const [limit, key] of counted) limit.addFailure(key);
      const matches = (await passwordMatches(hash ?? (await (decoy ??= decoyHash())), password)) && hash !== null;
      if (matches) {
        own?.[0].clear(own[1]);
        // Only this attempt is forgiven: someone who knows one password must not be able to try others without limit.
        for (const [limit, key] of shared) limit.removeLastFailure(key);
      }
      return matches;
    },
  };
}

function requireUnblocked(blockedMs: number): void {
  if (blockedMs <= 0) return;
  throw new Failure('auth.rate_limited', {
    params: { minutes: Math.ceil(blockedMs / 60_000) },
    retryAfter: Math.ceil(blockedMs / 1000),
  });
}
