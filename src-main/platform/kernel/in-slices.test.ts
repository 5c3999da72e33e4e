import { expect, it } from 'vitest';
import { atOnce, inSlices, type Steps } from './in-slices.ts';

function* counting(to: number, onCount: (n: number) => void): Steps<string> {
  for (let n = 1; n <= to; n += 1) {
    onCount(n);
    yield;
  }
  return `counted to ${to}`;
}

it('runs to the end at once, or yields to other work at each pause', async () => {
  const order: string[] = [];
  expect(atOnce(counting(3, (n) => order.push(`a${n}`)))).toBe('counted to 3');
  const slow = inSlices(counting(3, (n) => order.push(`b${n}`)));
  setImmediate(() => order.push('somebody else'));
  expect(await slow).toBe('counted to 3');
  expect(order.slice(0, 4)).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect(order.indexOf('somebody else')).toBeLessThan(order.indexOf('b3'));
});

it('ends with the computation that fails', async () => {
  // oxlint-disable-next-line require-yield
  const failing = function* (): Steps<void> {
    throw new Error('broken');
  };
  await expect(inSlices(failing())).rejects.toThrow('broken');
});
