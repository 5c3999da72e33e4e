import { describe, expect, it } from 'vitest';
import { createTurns } from './concurrency-limit.ts';

describe('turns', () => {
  it('are taken in order, no more than so many at once, and given on by who fails', async () => {
    const turns = createTurns(2),
      order: number[] = [];
    let running = 0,
      most = 0;
    const work = (i: number) =>
      turns(async () => {
        most = Math.max(most, (running += 1));
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
    expect([most, running, order]).toEqual([2, 0, [0, 1, 2, 3, 4, 5, 6]]);
    expect(await turns(() => Promise.resolve('after'))).toBe('after');
  });
});
