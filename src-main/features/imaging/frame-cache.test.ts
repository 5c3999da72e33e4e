import { expect, test } from 'vitest';
import { createFrameCache } from './frame-cache.ts';

function counted() {
  const made: string[] = [];
  const cache = createFrameCache(100);
  const get = (key: string, size = 20): Promise<Buffer> =>
    cache.get(key, () => {
      made.push(key);
      return Promise.resolve(Buffer.alloc(size, key));
    });
  return { made, get, cache };
}

test('a picture is made once, and those that were not asked for the longest time are dropped', async () => {
  const { made, get } = counted();
  for (const key of ['a', 'b', 'c', 'd', 'e', 'a', 'f']) expect(await get(key)).toEqual(Buffer.alloc(20, key));
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  await get('a');
  expect(made).toHaveLength(6);
  await get('b');
  expect(made.slice(6)).toEqual(['b']);
});

test('a picture that would drop all others is not kept', async () => {
  const { made, get } = counted();
  await get('large', 90);
  await get('large', 90);
  expect(made).toEqual(['large', 'large']);
});

test('one that two asked for at the same time is counted once', async () => {
  const { made, get } = counted();
  await Promise.all([get('a'), get('a'), get('a'), get('a'), get('a')]);
  for (const key of ['b', 'c', 'd', 'e']) await get(key);
  made.length = 0;
  for (const key of ['a', 'b', 'c', 'd', 'e']) await get(key);
  expect(made).toEqual([]);
});

test('a failure is not kept', async () => {
  const { cache, get } = counted();
  await expect(cache.get('a', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(await get('a')).toHaveLength(20);
});

test('one that several ask for is made once, and given up when the last of them has gone', async () => {
  const cache = createFrameCache(100);
  const signals: AbortSignal[] = [];
  const make = (signal: AbortSignal): Promise<Buffer> => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = Promise.allSettled([cache.get('a', make, first.signal), cache.get('a', make, second.signal)]);
  first.abort(new Error('gone'));
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  second.abort(new Error('gone too'));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(await asked).toMatchObject([{ reason: { message: 'gone' } }, { reason: { message: 'gone too' } }]);
  expect(await cache.get('a', () => Promise.resolve(Buffer.from('again')))).toEqual(Buffer.from('again'));
});
