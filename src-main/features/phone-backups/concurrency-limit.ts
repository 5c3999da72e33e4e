export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets no more than `most` pieces of work run at a time; the others wait in order. */
export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running += 1;
    else
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    try {
      return await work();
    } finally {
      // Whoever comes next takes this turn over.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
