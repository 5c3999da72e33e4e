import { expect, test } from 'vitest';
import { createLargeWork } from './large-work.ts';

/** Work that ends on request, and notes what it does. */
function createSteps() {
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    seen.push(`${name} starts`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    seen.push(`${name} ends`);
    return name;
  };
  return { seen, work, end: (name: string) => ends.get(name)?.() };
}

test('work that needs much memory waits for its turn', async () => {
  const { seen, work, end } = createSteps();
  const large = createLargeWork();
  const results = [large.run(work('a')), large.run(work('b'))];
  await expect.poll(() => seen).toEqual(['a starts']);
  end('a');
  await expect.poll(() => seen).toEqual(['a starts', 'a ends', 'b starts']);
  end('b');
  expect(await Promise.all(results)).toEqual(['a', 'b']);
});

test('work that fails does not delay the next', async () => {
  const large = createLargeWork();
  await expect(large.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await large.run(() => Promise.resolve(1))).toBe(1);
});

test('an abort ends the waiting, and the work does not start', async () => {
  const { seen, work, end } = createSteps();
  const large = createLargeWork();
  const first = large.run(work('a'));
  const stop = new AbortController();
  const second = large.run(work('b'), stop.signal);
  stop.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  end('a');
  expect(await first).toBe('a');
  expect(await large.run(() => Promise.resolve('c'))).toBe('c');
  expect(seen).toEqual(['a starts', 'a ends']);
});
