import type { Clock } from '../kernel/clock.ts';

/** Counts failures by key in a sliding window. Memory is bounded: the oldest keys are dropped. */
export interface FailureLimit {
  /** Milliseconds until the key may try again; 0 when it may now. */
  blockedFor(key: string): number;
  addFailure(key: string): void;
  clear(key: string): void;
  /** When the failures were that still count, in milliseconds. */
  timesOf(key: string): number[];
  /**
   * Takes the failures that a file or another program counted, if they are not fewer than those known here. Those in
   * the future don't count.
   */
  useLonger(key: string, times: readonly number[]): void;
  /** Removes the last failure, which turned out not to be one. */
  removeLastFailure(key: string): void;
}

const MAX_KEYS = 50_000;

export function createFailureLimit({
  clock,
  failures,
  windowMs,
}: {
  clock: Pick<Clock, 'now'>;
  failures: number;
  windowMs: number;
}): FailureLimit {
  const seen = new Map<string, number[]>();
  // Times in the future are from before the clock was set back.
  const counts = (at: number): boolean => at > clock.now() - windowMs && at <= clock.now();
  const recent = (key: string) => (seen.get(key) ?? []).filter(counts);
  return {
    blockedFor(key) {
      const times = recent(key);
      const oldest = times[times.length - failures];
      return oldest === undefined ? 0 : oldest + windowMs - clock.now();
    },
    addFailure(key) {
      const times = [...recent(key), clock.now()];
      seen.delete(key);
      seen.set(key, times.slice(-failures));
      const eldest = seen.keys().next().value;
      if (seen.size > MAX_KEYS && eldest !== undefined) seen.delete(eldest);
    },
    clear: (key) => void seen.delete(key),
    timesOf: recent,
    useLonger(key, times) {
      const given = times.filter(counts);
      if (given.length > 0 && given.length >= recent(key).length) seen.set(key, given.slice(-failures));
    },
    removeLastFailure(key) {
      const times = seen.get(key)?.slice(0, -1) ?? [];
      if (times.length > 0) seen.set(key, times);
      else seen.delete(key);
    },
  };
}
