import { expect, test } from 'vitest';
import { createFrameLines } from './frame-lines.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Work that ends when a test says so. */
function heldWork() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async (): Promise<string> => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  return { begun, work, endAll: () => ends.splice(0).forEach((end) => end()) };
}

test('the first frame of a person begins at once, whatever another one has asked for', async () => {
  const lines = createFrameLines();
  const { begun, work, endAll } = heldWork();
  const { signal } = new AbortController();
  const storm = Array.from({ length: 100 }, (_, at) => lines.run(1, work(`storm ${at}`), signal));
  const other = lines.run(2, work('other'), signal);
  await settle();
  expect(begun).toEqual(['storm 0', 'storm 1', 'storm 2', 'storm 3', 'other']);
  endAll();
  expect(await other).toBe('other');
  const rest = Promise.all(storm);
  while (begun.length < 101) {
    endAll();
    await settle();
  }
  endAll();
  expect(await rest).toHaveLength(100);
});

test('work of a client that has gone never begins', async () => {
  const lines = createFrameLines();
  const { begun, work, endAll } = heldWork();
  const client = new AbortController();
  const asked = Array.from({ length: 50 }, (_, at) => lines.run(1, work(`${at}`), client.signal));
  const settled = Promise.allSettled(asked);
  await settle();
  client.abort(new Error('gone'));
  endAll();
  const results = await settled;
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(46);
  expect(begun).toHaveLength(4);
});
