import { describe, expect, it } from 'vitest';
import { createLimiter } from './concurrency-limit.ts';

describe('a concurrency limiter', () => {
  it('starts work in order within its limit, and continues after a failure', async () => {
    const limit = createLimiter(2),
      order: number[] = [];
    let running = 0,
      peak = 0;
    const work = (i: number) =>
      limit(async () => {
        peak = Math.max(peak, (running += 1));
        order.push(i);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (i % 3 === 0) throw new Error(`${i}`);
        return i;
      });
    const ended = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(work));
    expect(ended.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect([peak, running, order]).toEqual([2, 0, [0, 1, 2, 3, 4, 5, 6]]);
    expect(await limit(() => Promise.resolve('after'))).toBe('after');
  });
});
