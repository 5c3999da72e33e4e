import { createFailureLimit } from '../../platform/http/rate-limit.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Failure } from '../../platform/kernel/errors.ts';
import { decoyHash, passwordMatches } from './passwords.ts';

/** Five failures in five minutes for each pair of address and user name. */
const LOGIN_LIMIT = { failures: 5, windowMs: 300_000 };
/**
 * The limit for one address across all user names: a household shares one address, but an attacker tries more names.
 */
const ADDRESS_LIMIT = { failures: 30, windowMs: 300_000 };

interface Attempt {
  ip: string;
  name: string;
  /** Null for an unknown user or an account without a password; the comparison takes as long. */
  hash: string | null;
  password: string;
}

/** Compares passwords and limits failed attempts. */
export interface LoginGuard {
  /** Throws `auth.rate_limited` after too many failures. */
  passwordMatches(attempt: Attempt): Promise<boolean>;
}

export function createLoginGuard(clock: Clock): LoginGuard {
  const pairLimit = createFailureLimit({ clock, ...LOGIN_LIMIT });
  const addressLimit = createFailureLimit({ clock, ...ADDRESS_LIMIT });
  let decoy: Promise<string> | undefined;
  return {
    async passwordMatches({ ip, name, hash, password }) {
      const key = `${ip}\n${name}`;
      requireUnblocked(Math.max(pairLimit.blockedFor(key), addressLimit.blockedFor(ip)));
      // Counted before the comparison, so that parallel guesses count as well.
      pairLimit.addFailure(key);
      addressLimit.addFailure(ip);
      const matches = (await passwordMatches(hash ?? (await (decoy ??= decoyHash())), password)) && hash !== null;
      if (matches) {
        pairLimit.clear(key);
        // Only this attempt is forgiven: someone who knows one password must not be able to try others without limit.
        addressLimit.removeLastFailure(ip);
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
