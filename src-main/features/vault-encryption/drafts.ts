import type { Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { KeyFile } from '../../platform/sealed/key-file.ts';
import { parseRecoveryKey } from '../../platform/sealed/recovery-key.ts';

/** How long a recovery key that was shown waits to be typed back. */
const KEEP_MS = 30 * 60_000;

/** A recovery key that was shown to somebody, and the key file that it would belong to. */
interface Draft {
  userId: number;
  file: KeyFile;
  recoveryKey: string;
  madeAt: number;
}

/** One recovery key that was shown and not yet confirmed; it is kept in memory only. */
export interface RecoveryDrafts {
  put(draft: Omit<Draft, 'madeAt'>): void;
  /** The draft. Throws `vault.recovery_key_expired`, `vault.recovery_key_differs`. */
  find(userId: number, typed: string): { file: KeyFile; recoveryKey: string };
  clear(): void;
}

export function createDrafts(clock: Pick<Clock, 'now'>): RecoveryDrafts {
  let draft: Draft | null = null;
  return {
    put(made) {
      draft = { ...made, madeAt: clock.now() };
    },
    find(userId, typed) {
      const key = parseRecoveryKey(typed);
      // A slip of the pen is found by the check characters, whatever was shown.
      if (key === null) throw fail('vault.recovery_key_differs');
      if (draft === null || draft.userId !== userId || clock.now() - draft.madeAt > KEEP_MS)
        throw fail('vault.recovery_key_expired');
      const shown = parseRecoveryKey(draft.recoveryKey);
      if (shown === null || !key.equals(shown)) throw fail('vault.recovery_key_differs');
      return draft;
    },
    clear() {
      draft = null;
    },
  };
}
