import { createFailureLimit } from './rate-limit.ts';
import type { Clock } from '../kernel/clock.ts';
import { fail, Failure } from '../kernel/errors.ts';

/** Guesses in a window of time. Each costs the memory of one argon2id, so they also wait for each other. */
const LIMIT = { failures: 5, windowMs: 60_000 };
/** There is one password, so whoever guesses shares the limit with everybody else. */
const EVERYBODY = 'vault';

/** Tries secrets one after the other; an attempt returns null for a wrong one. */
export type Prove = <T>(attempt: () => Promise<T | null>) => Promise<T>;

/** Where the times of wrong guesses are kept, in milliseconds, for the next lock and the next start of the program. */
export interface GuessTimes {
  read(): number[];
  write(times: readonly number[]): void;
}

/** Limits guesses of the password. The result throws `vault.wrong_password` and `vault.unlock_limited`. */
export function limitGuesses(clock: Pick<Clock, 'now'>, kept: GuessTimes): Prove {
  const limit = createFailureLimit({ clock, ...LIMIT });
  let turn: Promise<unknown> = Promise.resolve();
  return async (attempt) => {
    limit.useLonger(EVERYBODY, kept.read());
    requireUnblocked(limit.blockedFor(EVERYBODY));
    // Counted before the comparison, so that parallel guesses count as well.
    limit.addFailure(EVERYBODY);
    kept.write(limit.timesOf(EVERYBODY));
    const mine = turn.then(attempt);
    turn = mine.catch(() => undefined);
    const proven = await mine.catch((error: unknown) => {
      // Nothing was guessed: the disk is not connected, for example.
      limit.removeLastFailure(EVERYBODY);
      kept.write(limit.timesOf(EVERYBODY));
      throw error;
    });
    if (proven === null) throw fail('vault.wrong_password');
    limit.clear(EVERYBODY);
    kept.write([]);
    return proven;
  };
}

function requireUnblocked(blockedMs: number): void {
  if (blockedMs <= 0) return;
  throw new Failure('vault.unlock_limited', {
    params: { minutes: Math.ceil(blockedMs / 60_000) },
    retryAfter: Math.ceil(blockedMs / 1000),
  });
}
