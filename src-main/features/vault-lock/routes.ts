import type { vaultLock as contract, VaultLockState } from '../../../src-shared/contract/vault-lock.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { limitGuesses, type GuessTimes } from '../../platform/http/guess-limit.ts';
import { isCallerHere } from '../../platform/http/origin.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';

/** Handlers of a vault that is open. */
export const openVaultLockRoutes = (): Handlers<typeof contract> => ({
  state: () => ({ is_open: true, switching: null, unfinished: null, failed: null }),
  unlock: () => ({ is_locked: false }),
});

/** Handlers of a vault that is closed. `unlock` returns whether the password was right. */
export function lockedVaultRoutes({
  clock,
  state,
  unlock,
  guesses,
}: {
  clock: Pick<Clock, 'now'>;
  state(): VaultLockState;
  unlock(secret: string): Promise<boolean>;
  guesses: GuessTimes;
}): Handlers<typeof contract> {
  const prove = limitGuesses(clock, guesses);
  return {
    state,
    async unlock({ body: { secret } }, call) {
      if (!isCallerHere(call)) throw fail('vault.unlock_here_only');
      await prove(async () => (await unlock(secret)) || null);
      return { is_locked: false };
    },
  };
}
