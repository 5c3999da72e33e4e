import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** Work that the test ends, and the order in which it began. */
function createWork() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    of: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.push(() => resolve(name));
      }),
    /** Ends what runs, one after the other, until nothing begins any more. */
    async endAll(): Promise<void> {
      while (ends.length > 0) {
        ends.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test('a line with one request waits for one request of each other line', async () => {
  const [turns, work] = [createFairQueue(), createWork()];
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => turns.run(name[0]!, work.of(name)));
  await work.endAll();
  expect(work.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
});

test('whoever gives up while waiting leaves the line and costs no turn', async () => {
  const [turns, work, left] = [createFairQueue(), createWork(), new AbortController()];
  const kept = turns.run('a', work.of('a1'));
  const given = turns.run('b', work.of('b1'), left.signal);
  const after = turns.run('b', work.of('b2'));
  expect(turns.waiting()).toBe(2);
  left.abort(new Error('left'));
  await expect(given).rejects.toThrow('left');
  expect(turns.waiting()).toBe(1);
  await work.endAll();
  expect(await Promise.all([kept, after])).toEqual(['a1', 'b2']);
  expect(work.begun).toEqual(['a1', 'b2']);
});

test('work that fails does not hold up the next one, and everything ends at last', async () => {
  const turns = createFairQueue();
  await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await turns.run('a', () => Promise.resolve(7))).toBe(7);
  await turns.settled();
  expect(turns.waiting()).toBe(0);
});
