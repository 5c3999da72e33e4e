import { describe, expect, it } from 'vitest';
import {
  appleDate,
  damaged,
  emptyDictionary,
  exact,
  isDictionary,
  Uid,
  walkable,
  type PlistValue,
} from './plist-value.ts';

describe('walkable', () => {
  /** A tree of five million nodes, made of 4999 references to the same thousand nodes, and `more` nodes. */
  const treeWith = (more: number): PlistValue[] => {
    const thousand = Array.from({ length: 999 }, () => 1);
    return [...Array.from({ length: 4999 }, () => thousand), ...Array.from({ length: 999 + more }, () => 1)];
  };

  it('returns a value of as many nodes as the limit, and refuses one node more', () => {
    const largest = treeWith(0);
    expect(walkable(largest)).toBe(largest);
    expect(() => walkable(treeWith(1))).toThrow('damaged_plist: the property list has too many values');
  });

  it('counts the values of dictionaries', () => {
    let value: PlistValue = { a: 1, b: 2 };
    for (let i = 0; i < 25; i += 1) value = { a: value, b: value };
    expect(() => walkable(value)).toThrow('damaged_plist: the property list has too many values');
  });

  it('returns values that contain no others', () => {
    const data = new Uint8Array([1]);
    for (const value of [null, true, 1, 'text', data, new Uid(1)]) expect(walkable(value)).toBe(value);
  });
});

it('isDictionary accepts dictionaries and no other object', () => {
  expect([isDictionary({}), isDictionary(emptyDictionary())]).toEqual([true, true]);
  for (const value of [null, undefined, 1, 'text', [], new Uint8Array(), new Date(), new Uid(1)])
    expect(isDictionary(value)).toBe(false);
});

it('appleDate counts seconds from 2001', () => {
  expect(appleDate(0)).toEqual(new Date('2001-01-01T00:00:00Z'));
  expect(appleDate(-978_307_200)).toEqual(new Date(0));
  expect([appleDate(1e300), appleDate(Number.NaN), appleDate(Infinity)]).toEqual([null, null, null]);
});

it('exact converts an integer to a number within 53 bits', () => {
  expect([exact(2n ** 53n - 1n), exact(-(2n ** 53n) + 1n)]).toEqual([2 ** 53 - 1, -(2 ** 53) + 1]);
  expect([exact(2n ** 53n), exact(-(2n ** 53n))]).toEqual([2n ** 53n, -(2n ** 53n)]);
});

it('damaged states the reason', () => {
  expect(damaged('why')).toMatchObject({ code: 'damaged_plist', params: { reason: 'why' } });
});
