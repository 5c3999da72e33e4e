import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../ports.ts';
import { cachedSource } from './cached-source.ts';

const WINDOW = 64 * 1024;
/** As many windows as the cache keeps. */
const CACHED_WINDOWS = 64;
const CONTENT = Uint8Array.from({ length: 4 * WINDOW }, (_, i) => 1 + (i % 251));

/** The bytes of a source at [start, end), where a long one repeats its first windows. */
function expected(start: number, end: number): Uint8Array {
  const from = start % CONTENT.length;
  return CONTENT.slice(from, from + end - start);
}

/** A source that records its reads and the arrays that it returned. */
function recording(size: number): { source: ByteSource; ranges: [number, number][]; handedOut: Uint8Array[] } {
  const ranges: [number, number][] = [];
  const handedOut: Uint8Array[] = [];
  const source: ByteSource = {
    size,
    async read(start, end) {
      ranges.push([start, end]);
      const bytes = expected(start, end);
      handedOut.push(bytes);
      return bytes;
    },
  };
  return { source, ranges, handedOut };
}

const isZero = (bytes: Uint8Array): boolean => Buffer.alloc(bytes.length).equals(bytes);

/** Compares bytes; `toEqual` is slow for long arrays. */
function expectBytes(bytes: Uint8Array, start: number, end: number): void {
  expect(Buffer.from(bytes).equals(expected(start, end))).toBe(true);
}

/** Waits until every promise callback that is due has run. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe('cachedSource', () => {
  it('reads whole windows, once each', async () => {
    const { source, ranges } = recording(3 * WINDOW);
    const cache = cachedSource(source);
    expect(cache.size).toBe(3 * WINDOW);
    expect(await cache.read(10, 20)).toEqual(expected(10, 20));
    expect(await cache.read(WINDOW - 1, WINDOW)).toEqual(expected(WINDOW - 1, WINDOW));
    expect(await cache.read(WINDOW, WINDOW + 1)).toEqual(expected(WINDOW, WINDOW + 1));
    expect(await cache.read(5, 15)).toEqual(expected(5, 15));
    expect(ranges).toEqual([
      [0, WINDOW],
      [WINDOW, 2 * WINDOW],
    ]);
  });

  it('reads the last window up to the end of the source', async () => {
    const size = 2 * WINDOW + 100;
    const { source, ranges } = recording(size);
    expect(await cachedSource(source).read(size - 10, size)).toEqual(expected(size - 10, size));
    expect(ranges).toEqual([[2 * WINDOW, size]]);
  });

  it('joins the parts of a range over two and three windows', async () => {
    const { source, ranges } = recording(4 * WINDOW);
    const cache = cachedSource(source);
    expect(await cache.read(WINDOW - 3, WINDOW + 5)).toEqual(expected(WINDOW - 3, WINDOW + 5));
    const [start, end] = [WINDOW - 3, 3 * WINDOW - 4];
    expectBytes(await cache.read(start, end), start, end);
    expect(ranges.map(([from]) => from / WINDOW)).toEqual([0, 1, 2]);
  });

  it('reads a range of two windows or more past the cache', async () => {
    const { source, ranges } = recording(4 * WINDOW);
    const cache = cachedSource(source);
    expectBytes(await cache.read(7, 7 + 2 * WINDOW), 7, 7 + 2 * WINDOW);
    expect(ranges).toEqual([[7, 7 + 2 * WINDOW]]);
    await cache.read(7, 6 + 2 * WINDOW);
    expect(ranges.slice(1)).toEqual([
      [0, WINDOW],
      [WINDOW, 2 * WINDOW],
      [2 * WINDOW, 3 * WINDOW],
    ]);
  });

  it('returns no bytes of an empty range, and reads none', async () => {
    const { source, ranges } = recording(WINDOW);
    expect(await cachedSource(source).read(5, 5)).toEqual(new Uint8Array());
    expect(ranges).toEqual([]);
  });

  it('rejects a range that exceeds the source', async () => {
    const cache = cachedSource(recording(100).source);
    await expect(cache.read(90, 101)).rejects.toThrow(new RangeError('read past the end'));
    await expect(cache.read(100, 101)).rejects.toThrow(new RangeError('read past the end'));
  });

  it('returns arrays of the caller, not those of the cache', async () => {
    const cache = cachedSource(recording(WINDOW).source);
    (await cache.read(0, 10)).fill(0);
    expect(await cache.read(0, 10)).toEqual(expected(0, 10));
  });

  it('reads a window once for reads at the same time', async () => {
    const { source, ranges } = recording(WINDOW);
    const cache = cachedSource(source);
    const parts = await Promise.all([cache.read(0, 5), cache.read(3, 9), cache.read(4, 8)]);
    expect(parts).toEqual([expected(0, 5), expected(3, 9), expected(4, 8)]);
    expect(ranges).toHaveLength(1);
  });

  it('reads a window again after a failure', async () => {
    const { source } = recording(WINDOW);
    let failures = 1;
    const cache = cachedSource({
      size: WINDOW,
      async read(start, end) {
        if (failures-- > 0) throw new Error('the disk is busy');
        return source.read(start, end);
      },
    });
    await expect(cache.read(0, 5)).rejects.toThrow('the disk is busy');
    expect(await cache.read(0, 5)).toEqual(expected(0, 5));
  });
});

describe('the windows of a cachedSource', () => {
  const touch = async (cache: ByteSource, numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) await cache.read(number * WINDOW, number * WINDOW + 1);
  };
  const first = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const numbersOf = (ranges: readonly [number, number][]): number[] => ranges.map(([start]) => start / WINDOW);

  it('stay until there are more than the cache keeps', async () => {
    const { source, ranges } = recording(70 * WINDOW);
    const cache = cachedSource(source);
    await touch(cache, [...first(CACHED_WINDOWS), ...first(CACHED_WINDOWS)]);
    expect(numbersOf(ranges)).toEqual(first(CACHED_WINDOWS));
  });

  it('are evicted and overwritten in the order of their last use', async () => {
    const { source, ranges, handedOut } = recording(70 * WINDOW);
    const cache = cachedSource(source);
    await touch(cache, first(CACHED_WINDOWS));
    await touch(cache, [0, CACHED_WINDOWS]);
    await settle();
    expect(handedOut.map(isZero)).toEqual(first(CACHED_WINDOWS + 1).map((number) => number === 1));
    await touch(cache, [0, 2, 1]);
    expect(numbersOf(ranges)).toEqual([...first(CACHED_WINDOWS + 1), 1]);
  });

  it('are overwritten by wipe, also those that are still loading', async () => {
    const { source, handedOut } = recording(3 * WINDOW);
    const cache = cachedSource(source);
    await touch(cache, [0, 1]);
    const loading = cache.read(2 * WINDOW, 2 * WINDOW + 5);
    cache.wipe();
    expect(await loading).toEqual(expected(2 * WINDOW, 2 * WINDOW + 5));
    await settle();
    expect(handedOut.map(isZero)).toEqual([true, true, true]);
  });

  it('are no longer loaded after wipe, not even by a read that began before it', async () => {
    const { source, ranges } = recording(3 * WINDOW);
    const cache = cachedSource(source);
    const reading = cache.read(10, WINDOW + 10);
    cache.wipe();
    expectBytes(await reading, 10, WINDOW + 10);
    expect(await cache.read(20, 30)).toEqual(expected(20, 30));
    expect(await cache.read(20, 30)).toEqual(expected(20, 30));
    expect(ranges).toEqual([
      [0, WINDOW],
      [WINDOW, WINDOW + 10],
      [20, 30],
      [20, 30],
    ]);
  });

  it('may fail to load while they are wiped', async () => {
    const cache = cachedSource({ size: WINDOW, read: () => Promise.reject(new Error('the disk is gone')) });
    const reading = cache.read(0, 5);
    cache.wipe();
    await expect(reading).rejects.toThrow('the disk is gone');
    await settle();
  });
});
