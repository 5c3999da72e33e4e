import type { vaultLock as contract } from '../../../src-shared/contract/vault-lock.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { isCallerHere } from '../../platform/http/origin.ts';
import { createFailureLimit } from '../../platform/http/rate-limit.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail, Failure } from '../../platform/kernel/errors.ts';

/** Guesses in a window of time. Each costs the memory of one argon2id, so they also wait for each other. */
const LIMIT = { failures: 5, windowMs: 60_000 };
/** There is one password, so whoever guesses shares the limit with everybody else. */
const EVERYBODY = 'vault';

/** Handlers of a vault that is open. */
export const openVaultLockRoutes = (): Handlers<typeof contract> => ({
  unlock: () => ({ is_locked: false }),
});

/** Handlers of a vault that waits for its password. `unlock` returns whether it was right. */
export function lockedVaultRoutes({
  clock,
  unlock,
}: {
  clock: Pick<Clock, 'now'>;
  unlock(secret: string): Promise<boolean>;
}): Handlers<typeof contract> {
  const limit = createFailureLimit({ clock, ...LIMIT });
  let turn: Promise<unknown> = Promise.resolve();
  let isOpen = false;
  const attempt = async (secret: string): Promise<boolean> => (isOpen ||= await unlock(secret));
  return {
    async unlock({ body: { secret } }, call) {
      if (!isCallerHere(call)) throw fail('vault.unlock_here_only');
      requireUnblocked(limit.blockedFor(EVERYBODY));
      // Counted before the comparison, so that parallel guesses count as well.
      limit.addFailure(EVERYBODY);
      const mine = turn.then(() => attempt(secret));
      turn = mine.catch(() => undefined);
      if (!(await mine)) throw fail('vault.wrong_password');
      limit.clear(EVERYBODY);
      return { is_locked: false };
    },
  };
}

function requireUnblocked(blockedMs: number): void {
  if (blockedMs <= 0) return;
  throw new Failure('vault.unlock_limited', {
    params: { minutes: Math.ceil(blockedMs / 60_000) },
    retryAfter: Math.ceil(blockedMs / 1000),
  });
}
