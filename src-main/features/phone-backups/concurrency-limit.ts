export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets no more than `limit` pieces of work run at a time; the rest wait in order. */
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
      // The next in line takes over this slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
