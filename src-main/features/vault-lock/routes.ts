import type { vaultLock as contract, VaultLockState } from '../../../src-shared/contract/vault-lock.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { limitGuesses, type GuessTimes } from '../../platform/http/guess-limit.ts';
import { isCallerHere } from '../../platform/http/origin.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';

/** Handlers of a vault that is open. */
export const openVaultLockRoutes = (): Handlers<typeof contract> => ({
  state: () => ({ is_open: true, switching: null, unfinished: null, failed: null, can_go_back: false }),
  unlock: () => ({ is_locked: false }),
  cancel: () => {
    throw fail('vault.not_being_switched');
  },
  leave: () => undefined,
});

/** Handlers of a vault that is closed. `unlock` and `cancel` return whether the password was right. */
export function lockedVaultRoutes({
  clock,
  state,
  unlock,
  cancel,
  guesses,
  canGoBack,
  goBack,
}: {
  clock: Pick<Clock, 'now'>;
  state(): Omit<VaultLockState, 'can_go_back'>;
  unlock(secret: string): Promise<boolean>;
  /** Throws `vault.not_being_switched`. */
  cancel(secret: string): Promise<boolean>;
  guesses: GuessTimes;
  canGoBack(): boolean;
  /** Returns whether there is a vault that was open before, and is opened now. */
  goBack(): boolean;
}): Handlers<typeof contract> {
  const prove = limitGuesses(clock, guesses);
  return {
    state: () => ({ ...state(), can_go_back: canGoBack() }),
    async unlock({ body: { secret } }, call) {
      if (!isCallerHere(call)) throw fail('vault.unlock_here_only');
      await prove(async () => (await unlock(secret)) || null);
      return { is_locked: false };
    },
    async cancel({ body: { secret } }, call) {
      if (!isCallerHere(call)) throw fail('vault.unlock_here_only');
      await prove(async () => (await cancel(secret)) || null);
    },
    leave(_input, call) {
      if (!isCallerHere(call)) throw fail('vault.unlock_here_only');
      if (!goBack()) throw fail('vault.none_before');
    },
  };
}
