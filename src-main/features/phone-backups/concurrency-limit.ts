export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most `limit` tasks at the same time; the others wait in order. */
export function createLimiter(limit: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running += 1;
    else
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    try {
      return await work();
    } finally {
      // The next waiting task takes over this slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
