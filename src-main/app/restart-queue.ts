import { fail } from '../platform/kernel/errors.ts';

/** Why the core is closed: to lock the vault, or for something after which a vault opens again. */
type Closing = 'lock' | 'other';

/** What starts and stops the core, one after the other. */
export interface RestartQueue {
  add(work: () => Promise<void>): void;
  /**
   * Adds what closes the core. Calls `otherwise` in its place if what was asked for just before locked the vault or is
   * switching it.
   */
  addClosing(work: () => Promise<void>, more?: { closing?: Closing; otherwise?: () => void }): void;
  /** What closes the core just now, or is going to. */
  closing(): Closing | null;
  /** Throws `vault.closing` where the answer would promise what is not done. */
  requireNotClosing(): void;
  ended(): Promise<void>;
}

/** A queue for one core. `hasCore` says whether it is open. */
export function createRestartQueue(hasCore: () => boolean, onError: (error: unknown) => void): RestartQueue {
  let pending = Promise.resolve();
  const closings: Closing[] = [];
  const add = (work: () => Promise<void>): void => {
    pending = pending.then(work).catch(onError);
  };
  // What puts a vault in the place of this one counts more than a lock before it.
  const closing = (): Closing | null => closings.find((one) => one === 'other') ?? closings[0] ?? null;
  return {
    add,
    addClosing(work, { closing: why = 'other', otherwise = () => undefined } = {}) {
      closings.push(why);
      add(async () => {
        try {
          if (hasCore()) await work();
          else otherwise();
        } finally {
          closings.shift();
        }
      });
    },
    closing,
    requireNotClosing() {
      if (closing() !== null) throw fail('vault.closing');
    },
    ended: () => pending,
  };
}
