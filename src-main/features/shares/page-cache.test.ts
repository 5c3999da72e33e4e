import { expect, test } from 'vitest';
import { systemClock } from '../../platform/kernel/clock.ts';
import { createPageCache } from './page-cache.ts';

const YES = (): boolean => true;
const page = (size: number, fill = 1): Uint8Array => new Uint8Array(size).fill(fill);

/** A clock whose sleepers wake when the test says so. */
function createTime() {
  const sleepers: (() => void)[] = [];
  let now = 1_000_000;
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const wake of sleepers.splice(0)) wake();
    await systemClock.sleep(0);
  };
  return {
    clock: { now: () => now, sleep: () => new Promise<boolean>((resolve) => sleepers.push(() => resolve(true))) },
    pass,
  };
}

test('a page is drawn once in a minute, also for those who ask while it is drawn', async () => {
  const { clock, pass } = createTime();
  const cache = createPageCache({ clock });
  let drawn = 0;
  const draw = (key: string): Promise<Uint8Array> =>
    cache.draw(key, YES, async () => {
      drawn += 1;
      await systemClock.sleep(0);
      return page(10, drawn);
    });
  const [first, second] = await Promise.all([draw('a'), draw('a')]);
  expect([drawn, first?.[0], second?.[0], (await draw('a'))[0]]).toEqual([1, 1, 1, 1]);
  expect((await draw('b'))[0]).toBe(2);
  await pass(60_000);
  expect(cache.size()).toBe(0);
  expect((await draw('a'))[0]).toBe(3);
});

test('pages are forgotten once nobody may read them, those of others stay', async () => {
  const { clock, pass } = createTime();
  const cache = createPageCache({ clock });
  let mayRead = true;
  await cache.draw(
    'revoked',
    () => mayRead,
    () => Promise.resolve(page(10)),
  );
  await cache.draw('open', YES, () => Promise.resolve(page(7)));
  await pass(1000);
  expect(cache.size()).toBe(17);
  mayRead = false;
  await pass(1000);
  expect(cache.size()).toBe(7);
});

test('what is kept is limited: those that were used last stay, and a huge page is not kept', async () => {
  const cache = createPageCache({ clock: createTime().clock });
  const mebibyte = 2 ** 20;
  const drawn: string[] = [];
  const draw = (key: string, size: number): Promise<Uint8Array> =>
    cache.draw(key, YES, () => {
      drawn.push(key);
      return Promise.resolve(page(size));
    });
  await draw('huge', 13 * mebibyte);
  expect(cache.size()).toBe(0);
  for (const key of ['a', 'b', 'c', 'd']) await draw(key, 12 * mebibyte);
  await draw('a', 12 * mebibyte);
  await draw('e', 12 * mebibyte);
  expect(cache.size()).toBe(48 * mebibyte);
  await draw('a', 1);
  await draw('b', 1);
  expect(drawn).toEqual(['huge', 'a', 'b', 'c', 'd', 'e', 'b']);
});

test('a page that could not be drawn for one is drawn for the next', async () => {
  const cache = createPageCache({ clock: createTime().clock });
  const failed = cache.draw('a', YES, () => systemClock.sleep(0).then(() => Promise.reject(new Error('left'))));
  const next = cache.draw('a', YES, () => Promise.resolve(page(3)));
  await expect(failed).rejects.toThrow('left');
  expect((await next).length).toBe(3);
});
