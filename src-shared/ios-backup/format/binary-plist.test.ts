import { describe, expect, it } from 'vitest';
import { ascii, bigEndian, rawPlist, type PlistLayout } from '../../../test/fixtures/ios-backup/raw-plist.ts';
import { BinaryPlist, isBinaryPlist } from './binary-plist.ts';
import { MAX_DEPTH, Uid } from './plist-value.ts';

const open = (objects: readonly (readonly number[])[], layout?: PlistLayout): BinaryPlist =>
  new BinaryPlist(rawPlist(objects, layout));
const valueOf = (objects: readonly (readonly number[])[], layout?: PlistLayout): unknown =>
  open(objects, layout).value();
const repeat = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const damagedBy = (reason: string): object => ({ code: 'damaged_plist', params: { reason } });

/** Returns the error of a call, so that its code and parameters can be compared. */
function errorOf(call: () => unknown): unknown {
  try {
    return { returned: call() };
  } catch (error) {
    return error;
  }
}

describe('isBinaryPlist', () => {
  it('accepts the magic of every version with one more byte, and nothing shorter', () => {
    expect(isBinaryPlist(Uint8Array.from(ascii('bplist00')))).toBe(true);
    expect(isBinaryPlist(Uint8Array.from(ascii('bplist0?')))).toBe(true);
    expect(isBinaryPlist(Uint8Array.from(ascii('bplist0')))).toBe(false);
  });

  it('rejects a magic that differs in any byte', () => {
    for (let i = 0; i < 7; i += 1) {
      const bytes = Uint8Array.from(ascii('bplist00'));
      bytes[i]! += 1;
      expect(isBinaryPlist(bytes)).toBe(false);
    }
  });
});

describe('the trailer of a binary plist', () => {
  it('needs a header and 32 bytes', () => {
    const whole = rawPlist([[0x09]]);
    expect(errorOf(() => new BinaryPlist(whole.subarray(0, 39)))).toMatchObject(damagedBy('not a binary plist'));
    expect(errorOf(() => new BinaryPlist(Uint8Array.from([...ascii('bplist00'), ...repeat(32, 0)])))).toMatchObject(
      damagedBy('the trailer does not fit the file'),
    );
    whole[0] = 0x42;
    expect(errorOf(() => new BinaryPlist(whole))).toMatchObject(damagedBy('not a binary plist'));
  });

  it.each<[string, PlistLayout]>([
    ['offsets of no bytes', { offsetSize: 0 }],
    ['offsets of nine bytes', { offsetSize: 9 }],
    ['references of no bytes', { refSize: 0 }],
    ['references of nine bytes', { refSize: 9 }],
    ['no objects', { count: 0 }],
    ['a table within the header', { tableAt: 7, gap: 8 }],
    ['a table that reaches into the trailer', { count: 2 }],
    ['a table of wide offsets that reaches into the trailer', { offsetSize: 2, count: 2 }],
    ['a root after the last object', { top: 1 }],
  ])('is rejected with %s', (_, layout) => {
    expect(errorOf(() => open([[0x09]], layout))).toMatchObject(damagedBy('the trailer does not fit the file'));
  });

  it('may place the table directly after the header, but then it has no objects', () => {
    expect(errorOf(() => open([], { count: 1, offsets: [8] }).value())).toMatchObject(
      damagedBy('an object is outside the file'),
    );
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('may use offsets and references of %i bytes', (size) => {
    const list = [0xa2, ...bigEndian(1, size), ...bigEndian(2, size)];
    expect(valueOf([list, [0x09], [0x08]], { offsetSize: size, refSize: size })).toEqual([true, false]);
  });

  it('selects the root and counts the objects', () => {
    const plist = open([[0x09], [0x10, 7]], { top: 1 });
    expect([plist.top, plist.objectCount, plist.value()]).toEqual([1, 2, 7]);
  });

  it('is found in a plist that is a part of a larger array', () => {
    const plist = rawPlist([[0x10, 42]]);
    const larger = Uint8Array.from([1, 2, 3, ...plist, 4, 5]);
    expect(new BinaryPlist(larger.subarray(3, 3 + plist.length)).value()).toBe(42);
  });
});

describe('a single object of a binary plist', () => {
  it.each<[string, number[], unknown]>([
    ['null', [0x00], null],
    ['false', [0x08], false],
    ['true', [0x09], true],
    ['a fill byte', [0x0f], null],
    ['an integer of one byte', [0x10, 0xff], 255],
    ['an integer of two bytes', [0x11, 0xff, 0xfe], 65_534],
    ['an integer of four bytes', [0x12, 0xff, 0xff, 0xff, 0xfe], 2 ** 32 - 2],
    ['an integer of eight bytes', [0x13, 0, 0x20, 0, 0, 0, 0, 0, 0], 2n ** 53n],
    ['a negative integer of eight bytes', [0x13, ...repeat(7, 0xff), 0xfe], -2],
    ['an integer of sixteen bytes', [0x14, ...bigEndian(2n ** 64n - 1n, 16)], 2n ** 64n - 1n],
    ['a negative integer of sixteen bytes', [0x14, ...repeat(16, 0xff)], -1],
    ['a small integer of sixteen bytes', [0x14, ...bigEndian(258, 16)], 258],
    ['a real of four bytes', [0x22, 0x3f, 0xc0, 0, 0], 1.5],
    ['a real of eight bytes', [0x23, 0xbf, 0xf8, 0, 0, 0, 0, 0, 0], -1.5],
    ['the start of the Apple clock', [0x33, ...repeat(8, 0)], new Date('2001-01-01T00:00:00Z')],
    ['a date', [0x33, 0x40, 0x4e, 0, 0, 0, 0, 0, 0], new Date('2001-01-01T00:01:00Z')],
    ['a date outside the calendar', [0x33, 0x7f, 0xef, ...repeat(6, 0xff)], null],
    ['no data', [0x40], new Uint8Array()],
    ['data', [0x43, 1, 2, 3], new Uint8Array([1, 2, 3])],
    ['an empty string', [0x50], ''],
    ['a string', [0x53, ...ascii('abc')], 'abc'],
    ['a string with a byte above ASCII', [0x51, 0xe9], 'é'],
    ['a string of UTF-16', [0x62, 0x00, 0xfc, 0x20, 0xac], 'ü€'],
    ['a string of UTF-8', [0x72, 0xc3, 0xbc], 'ü'],
    ['a reference of one byte', [0x80, 0xc8], new Uid(200)],
    ['a reference of two bytes', [0x81, 0x01, 0x02], new Uid(258)],
    ['a reference of eight bytes', [0x87, ...bigEndian(2 ** 53 - 1, 8)], new Uid(2 ** 53 - 1)],
    ['a reference of sixteen bytes', [0x8f, ...bigEndian(5, 16)], new Uid(5)],
  ])('is read if it is %s', (_, object, expected) => {
    const plist = open([object]);
    expect(plist.value()).toStrictEqual(expected);
    expect(plist.leaf(0)).toStrictEqual(expected);
  });

  it.each([
    ['one byte', [0x10, 16]],
    ['two bytes', [0x11, 0, 16]],
    ['four bytes', [0x12, 0, 0, 0, 16]],
    ['eight bytes', [0x13, 0, 0, 0, 0, 0, 0, 0, 16]],
  ])('may have its length in %s', (_, length) => {
    const body = Array.from({ length: 16 }, (__, i) => 0x61 + i);
    expect(valueOf([[0x4f, ...length, ...body]])).toStrictEqual(new Uint8Array(body));
    expect(valueOf([[0x5f, ...length, ...body]])).toBe('abcdefghijklmnop');
    expect(valueOf([[0x6f, ...length, ...body.flatMap((byte) => [0, byte])]])).toBe('abcdefghijklmnop');
    expect(valueOf([[0x7f, ...length, ...body]])).toBe('abcdefghijklmnop');
    expect(valueOf([[0xaf, ...length, ...repeat(16, 1)], [0x09]])).toEqual(repeat(16, true));
  });

  it('is not shared with the bytes of the file', () => {
    const bytes = Buffer.from(rawPlist([[0x42, 1, 2]]));
    const data = new BinaryPlist(bytes).value();
    bytes.fill(0);
    expect(data).toStrictEqual(new Uint8Array([1, 2]));
  });

  it.each([0x9, 0xe, 0xf])('is rejected if its kind is %i', (kind) => {
    expect(errorOf(() => open([[kind << 4]]).leaf(0))).toMatchObject(damagedBy(`object of unknown kind ${kind}`));
  });

  it.each([
    ['an integer of 32 bytes', 0x15],
    ['an integer of 2^15 bytes', 0x1f],
    ['a real of two bytes', 0x21],
    ['a real of sixteen bytes', 0x24],
    ['a date of four bytes', 0x32],
    ['a date of sixteen bytes', 0x34],
  ])('is rejected if it is %s', (_, marker) => {
    expect(errorOf(() => valueOf([[marker, ...repeat(40, 0)]]))).toMatchObject(
      damagedBy('a number has an invalid width'),
    );
  });

  it.each<[string, number[]]>([
    ['a string', [0x4f, 0x50, 16]],
    ['a real', [0x4f, 0x22, 0, 0, 0, 16]],
    ['an integer of sixteen bytes', [0x4f, 0x14, ...repeat(15, 0), 16]],
  ])('is rejected if its length is %s', (_, start) => {
    expect(errorOf(() => valueOf([[...start, ...repeat(16, 1)]]))).toMatchObject(
      damagedBy('a length is not an integer'),
    );
  });

  it('is rejected if its length would be in the offset table', () => {
    // The first byte of the table is 0x10, the marker of an integer.
    expect(errorOf(() => valueOf([[0x4f]], { gap: 8 }))).toMatchObject(damagedBy('a length is not an integer'));
  });

  it.each([
    ['a length', [0x4f, 0x13, ...bigEndian(2 ** 53, 8)]],
    ['a reference', [0x87, ...bigEndian(2 ** 53, 8)]],
  ])('is rejected if %s exceeds 2^53', (_, object) => {
    expect(errorOf(() => valueOf([object]))).toMatchObject(damagedBy('a length is too large'));
  });

  it('accepts the largest exact length, which no file has', () => {
    expect(errorOf(() => valueOf([[0x4f, 0x13, ...bigEndian(2 ** 53 - 1, 8)]]))).toMatchObject(
      damagedBy('an object is longer than the file'),
    );
  });

  it.each<[string, number[]]>([
    ['an integer', [0x11, 1]],
    ['a real', [0x23, 1, 2, 3, 4, 5, 6, 7]],
    ['a date', [0x33, 1, 2, 3, 4, 5, 6, 7]],
    ['data', [0x42, 1]],
    ['a string', [0x52, 0x61]],
    ['a string of UTF-16', [0x62, 0, 0x61, 0]],
    ['a reference', [0x81, 1]],
    ['an array', [0xa2, 0, 0, 0]],
    ['an ordered set', [0xb2, 0, 0, 0]],
    ['a set', [0xc2, 0, 0, 0]],
    ['a dictionary', [0xd1, 0, 0, 0]],
  ])('is rejected if it is %s that lacks its last byte', (_, object) => {
    expect(errorOf(() => valueOf([object], { refSize: 2 }))).toMatchObject(
      damagedBy('an object is longer than the file'),
    );
  });

  it.each<[string, number[]]>([
    ['data', [0x42, 1, 2]],
    ['a string', [0x52, 0x61, 0x62]],
    ['a string of UTF-16', [0x61, 0, 0x61]],
    ['an array', [0xa1, 0, 1]],
    ['an ordered set', [0xb1, 0, 1]],
    ['a set', [0xc1, 0, 1]],
    ['a dictionary', [0xd1, 0, 0, 0, 1]],
  ])('may end directly before the offset table if it is %s', (_, last) => {
    const plist = open([[0x51, 0x6b], [0x09], last], { top: 2, refSize: 2 });
    expect(errorOf(() => plist.value())).not.toBeInstanceOf(Error);
  });
});

describe('the objects of a binary plist', () => {
  it('are rejected where their offset is before the first object or in the table', () => {
    for (const offset of [0, 7, 9, 200])
      expect(errorOf(() => valueOf([[0x09]], { offsets: [offset] }))).toMatchObject(
        damagedBy('an object is outside the file'),
      );
    expect(valueOf([[0x09]], { offsets: [8] })).toBe(true);
  });

  it('are rejected where a reference exceeds them', () => {
    const call = (index: number): unknown => valueOf([[0xa1, index], [0x09]]);
    expect(call(1)).toEqual([true]);
    for (const index of [2, 3, 255])
      expect(errorOf(() => call(index))).toMatchObject(damagedBy('a reference to a missing object'));
  });

  it('form arrays, sets and dictionaries', () => {
    const items = [[0x51, 0x61], [0x51, 0x62], [0x10, 1], [0x09]];
    expect(valueOf([[0xa4, 1, 2, 3, 4], ...items])).toEqual(['a', 'b', 1, true]);
    expect(valueOf([[0xb2, 1, 2], ...items])).toEqual(['a', 'b']);
    expect(valueOf([[0xc2, 2, 1], ...items])).toEqual(['b', 'a']);
    expect(valueOf([[0xd2, 1, 2, 3, 4], ...items])).toEqual({ a: 1, b: true });
    expect([valueOf([[0xa0]]), valueOf([[0xd0]])]).toEqual([[], {}]);
  });

  it('may be referenced more than once and are then read once', () => {
    const list = valueOf([[0xa2, 1, 1], [0xa1, 2], [0x09]]) as unknown[];
    expect(list).toEqual([[true], [true]]);
    expect(list[0]).toBe(list[1]);
  });

  it('are rejected where one contains itself', () => {
    expect(
      errorOf(() =>
        valueOf([
          [0xa1, 1],
          [0xa1, 0],
        ]),
      ),
    ).toMatchObject(damagedBy('an object contains itself'));
    expect(
      errorOf(() =>
        valueOf([
          [0xd1, 1, 0],
          [0x51, 0x61],
        ]),
      ),
    ).toMatchObject(damagedBy('an object contains itself'));
  });

  it('are rejected where a key is not a string', () => {
    expect(errorOf(() => valueOf([[0xd1, 1, 1], [0x09]]))).toMatchObject(damagedBy('a key is not a string'));
  });

  it('are rejected where they overlap', () => {
    // Objects 1 and 2 are the same ten bytes of data; the second is one more than the file has room for.
    const data = [0x49, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const list = [0xa3, 1, 2, 3];
    const offsets = [8, 12, 12, 12];
    expect(errorOf(() => valueOf([list, data], { count: 4, offsets }))).toMatchObject(damagedBy('objects overlap'));
    expect(valueOf([list, data, data, data])).toHaveLength(3);
  });

  it('may together be as long as everything before the table', () => {
    // The eight bytes of the header leave room for an object of eight bytes that is referenced twice.
    const data = [0x47, 1, 2, 3, 4, 5, 6, 7];
    expect(valueOf([[0xa2, 1, 2], data], { count: 3, offsets: [8, 11, 11] })).toHaveLength(2);
  });

  const nested = (kind: 'array' | 'dictionary', levels: number): Uint8Array => {
    const inner = (level: number): number[] => bigEndian(level + 1, 2);
    const outer = Array.from({ length: levels - 1 }, (_, level) =>
      kind === 'array' ? [0xa1, ...inner(level)] : [0xd1, ...bigEndian(levels, 2), ...inner(level)],
    );
    return rawPlist([...outer, [kind === 'array' ? 0xa0 : 0xd0], [0x51, 0x61]], { refSize: 2, offsetSize: 2 });
  };

  it.each(['array', 'dictionary'] as const)('may be nested as deeply as the limit and no deeper: %s', (kind) => {
    expect(errorOf(() => new BinaryPlist(nested(kind, MAX_DEPTH + 1)).value())).not.toBeInstanceOf(Error);
    expect(errorOf(() => new BinaryPlist(nested(kind, MAX_DEPTH + 2)).value())).toMatchObject(
      damagedBy('nested too deeply'),
    );
  });
});

describe('a binary plist that is read object by object', () => {
  /** Objects: 0 the dictionary, 1 to 3 its keys, 4 to 6 its values. */
  const record = open([
    [0xd3, 1, 2, 3, 4, 5, 6],
    [0x51, 0x61],
    [0x52, 0x61, 0x62],
    [0x53, 0x61, 0x62, 0x63],
    [0x10, 10],
    [0xa2, 4, 6],
    [0x51, 0x7a],
  ]);

  it('finds a key of a dictionary', () => {
    expect([record.member(0, 'a'), record.member(0, 'ab'), record.member(0, 'abc')]).toEqual([4, 5, 6]);
    for (const key of ['', 'b', 'ac', 'abd', 'xbc', 'abcd']) expect(record.member(0, key)).toBeUndefined();
  });

  it('finds several keys in one pass, in the order in which they are requested', () => {
    expect(record.members(0, ['abc', 'missing', 'a'])).toEqual([6, undefined, 4]);
    expect(record.members(0, ['ab'])).toEqual([5]);
    expect(record.members(0, ['a', 'ab', 'abc'])).toEqual([4, 5, 6]);
    expect(record.members(0, [])).toEqual([]);
  });

  it('finds the first of two equal keys', () => {
    const two = open([[0xd2, 1, 1, 2, 3], [0x51, 0x61], [0x09], [0x08]]);
    expect([two.value(), two.member(0, 'a'), two.members(0, ['a', 'b'])]).toEqual([{ a: true }, 2, [2, undefined]]);
  });

  it('finds no keys in an object that is not a dictionary', () => {
    for (const index of [1, 4, 5]) {
      expect(record.member(index, 'a')).toBeUndefined();
      expect(record.members(index, ['a', 'z'])).toEqual([undefined, undefined]);
    }
  });

  it('takes no value for a key', () => {
    const plist = open([
      [0xd1, 1, 2],
      [0x51, 0x61],
      [0x51, 0x62],
    ]);
    expect([plist.member(0, 'b'), plist.members(0, ['b'])]).toEqual([undefined, [undefined]]);
  });

  it('takes only strings for keys', () => {
    const odd = open([[0xd3, 1, 2, 3, 4, 4, 4], [0x41, 0x61], [0x61, 0x00, 0x62], [0x71, 0x63], [0x09]]);
    for (const key of ['a', 'b', 'c', '\0']) expect(odd.member(0, key)).toBeUndefined();
    expect(odd.members(0, ['a', 'b', 'c', '\0'])).toEqual(repeat(4, undefined));
  });

  it('reads no further than the keys that are requested', () => {
    const damaged = open([[0xd2, 1, 99, 2, 99], [0x51, 0x61], [0x09]]);
    expect([damaged.member(0, 'a'), damaged.members(0, ['a'])]).toEqual([2, [2]]);
    for (const call of [() => damaged.member(0, 'b'), () => damaged.members(0, ['a', 'b'])])
      expect(errorOf(call)).toMatchObject(damagedBy('a reference to a missing object'));
  });

  it('returns an element of an array', () => {
    expect([record.element(5, 0), record.element(5, 1), record.element(5, 2)]).toEqual([4, 6, undefined]);
    for (const index of [0, 1, 4]) expect(record.element(index, 0)).toBeUndefined();
  });

  it('returns the value of a single object, and none of a collection', () => {
    expect([record.leaf(1), record.leaf(4)]).toEqual(['a', 10]);
    for (const kind of [0xa0, 0xb0, 0xc0, 0xd0]) expect(open([[kind]]).leaf(0)).toBeUndefined();
    expect(errorOf(() => record.leaf(7))).toMatchObject(damagedBy('a reference to a missing object'));
  });
});

/** Written by Python's `plistlib`, which shares no code with this reader or with the writer of the fixtures. */
const BY_PLISTLIB =
  '62706c6973743030de0102030405060708090a0b0c0d0e0f101112131718191a1b1c1d1e1f53626967546461746154666f757253693634546c' +
  '697374536e6567526e6f536f6e65547265616c54746578745374776f53756964547768656e53796573140000000000000000ffffffffffffff' +
  'ff4f1014000102030405060708090a0b0c0d0e0f101112131200010004134000000000000000a214155161a116516213fffffffffffffffb08' +
  '1001233ff800000000000069005a00fc00720069006300680020d83ddd1111010281012c3341c5c84690000000090825292e33373c4043474c' +
  '5155595e62738a8f989b9d9fa1aaabadb6c9cccfd800000000000001010000000000000020000000000000000000000000000000d9';

it('a binary plist of another writer is read with every kind of object', () => {
  expect(new BinaryPlist(Buffer.from(BY_PLISTLIB, 'hex')).value()).toEqual({
    big: 2n ** 64n - 1n,
    neg: -5,
    i64: 2n ** 62n,
    one: 1,
    two: 258,
    four: 65_540,
    real: 1.5,
    yes: true,
    no: false,
    when: new Date('2024-02-29T10:00:00Z'),
    data: Uint8Array.from({ length: 20 }, (_, i) => i),
    text: 'Zürich 🔑',
    list: ['a', ['b']],
    uid: new Uid(300),
  });
});
