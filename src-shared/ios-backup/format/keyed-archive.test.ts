import { describe, expect, it } from 'vitest';
import { isKeyedArchive, unarchive } from './keyed-archive.ts';
import { MAX_DEPTH, Uid, type PlistDictionary, type PlistValue } from './plist-value.ts';

const uid = (index: number): Uid => new Uid(index);
const damagedBy = (reason: string): object => ({ code: 'damaged_plist', params: { reason } });

/** An archive whose root is the object with index 1. */
const archiveOf = (...objects: PlistValue[]): PlistDictionary => ({
  $archiver: 'NSKeyedArchiver',
  $top: { root: uid(1) },
  $objects: ['$null', ...objects],
});

/** Resolves an instance of a class; further objects start at index 3. */
const instanceOf = (name: string, fields: PlistDictionary, ...objects: PlistValue[]): PlistValue =>
  unarchive(archiveOf({ $class: uid(2), ...fields }, { $classname: name }, ...objects));

/** Returns the error of a call, so that its code and parameters can be compared. */
function errorOf(call: () => unknown): unknown {
  try {
    return { returned: call() };
  } catch (error) {
    return error;
  }
}

describe('isKeyedArchive', () => {
  it('accepts a dictionary of NSKeyedArchiver with objects', () => {
    expect(isKeyedArchive({ $archiver: 'NSKeyedArchiver', $objects: [] })).toBe(true);
  });

  it.each<[string, PlistValue]>([
    ['null', null],
    ['text', 'NSKeyedArchiver'],
    ['an array', []],
    ['a dictionary without an archiver', { $objects: [] }],
    ['another archiver', { $archiver: 'NSArchiver', $objects: [] }],
    ['an archive without objects', { $archiver: 'NSKeyedArchiver' }],
    ['an archive whose objects are a dictionary', { $archiver: 'NSKeyedArchiver', $objects: {} }],
  ])('rejects %s', (_, value) => {
    expect(isKeyedArchive(value)).toBe(false);
  });
});

describe('the root of a keyed archive', () => {
  it('is selected by its key', () => {
    const archive = { $top: { root: uid(0), other: uid(1), plain: 5 }, $objects: ['first', 'second'] };
    expect(unarchive(archive)).toBe('first');
    expect(unarchive(archive, 'other')).toBe('second');
    expect(unarchive(archive, 'plain')).toBe(5);
  });

  it('is null if the archive does not name it', () => {
    expect(unarchive({ $top: {}, $objects: ['first'] })).toBeNull();
    expect(unarchive({ $top: 'root', $objects: ['first'] })).toBeNull();
    expect(unarchive({ $objects: ['first'] })).toBeNull();
  });

  it.each<[string, PlistValue]>([
    ['null', null],
    ['an array', [{ $objects: [] }]],
    ['a dictionary without objects', { $top: { root: uid(0) } }],
    ['objects in a dictionary', { $top: { root: uid(0) }, $objects: { 0: 'a' } }],
  ])('is not found in %s', (_, value) => {
    expect(errorOf(() => unarchive(value))).toMatchObject(damagedBy('not a keyed archive'));
  });
});

describe('an object of a keyed archive', () => {
  it('may be a plain value', () => {
    for (const value of ['text', 5, true, 2n ** 60n]) expect(unarchive(archiveOf(value))).toBe(value);
    expect(unarchive(archiveOf(new Uint8Array([1])))).toStrictEqual(new Uint8Array([1]));
  });

  it('is null if it is the string $null', () => {
    expect(unarchive({ $top: { root: uid(0) }, $objects: ['$null'] })).toBeNull();
  });

  it('is rejected if a reference exceeds the objects', () => {
    for (const index of [2, 3, 500])
      expect(errorOf(() => unarchive(archiveOf([uid(index)])))).toMatchObject(
        damagedBy('a reference to a missing object'),
      );
  });

  it('is null where it contains itself, and whole where it is only used twice', () => {
    expect(unarchive(archiveOf([uid(1), uid(2), uid(2)], 'text'))).toEqual([null, 'text', 'text']);
    const value = unarchive(archiveOf([uid(2), uid(2)], [uid(3)], 'leaf')) as PlistValue[];
    expect(value).toEqual([['leaf'], ['leaf']]);
    expect(value[0]).toBe(value[1]);
  });

  it('becomes its fields, with its class if that is known', () => {
    expect(instanceOf('Person', { name: uid(3), age: 40 }, 'Ada')).toEqual({ $class: 'Person', name: 'Ada', age: 40 });
    const fields = { age: 40 };
    for (const $class of [uid(0), uid(99), 'Person', 7])
      expect(unarchive(archiveOf({ $class, ...fields }, 'text'))).toEqual(fields);
    expect(unarchive(archiveOf({ $class: uid(2), ...fields }, { $classname: 5 }))).toEqual(fields);
    expect(unarchive(archiveOf(fields))).toEqual(fields);
    expect(unarchive(archiveOf(fields))).not.toHaveProperty('$class');
  });

  it('has a class of its own if its name only resembles one of Foundation', () => {
    expect(instanceOf('NSStringOther', { 'NS.string': 'a' })).toEqual({ $class: 'NSStringOther', 'NS.string': 'a' });
  });
});

describe('a Foundation object of a keyed archive', () => {
  it.each(['NSString', 'NSMutableString'])('is text if it is an %s', (name) => {
    expect(instanceOf(name, { 'NS.string': 'some text' })).toBe('some text');
    expect(instanceOf(name, { 'NS.bytes': new TextEncoder().encode('bytes ü') })).toBe('bytes ü');
    expect(instanceOf(name, { 'NS.bytes': 'no bytes' })).toBe('');
    expect(instanceOf(name, {})).toBe('');
  });

  it.each(['NSData', 'NSMutableData'])('is data if it is an %s', (name) => {
    expect(instanceOf(name, { 'NS.data': uid(3) }, new Uint8Array([1, 2]))).toStrictEqual(new Uint8Array([1, 2]));
    expect(instanceOf(name, { 'NS.bytes': new Uint8Array([3]) })).toStrictEqual(new Uint8Array([3]));
    expect(instanceOf(name, {})).toStrictEqual(new Uint8Array());
  });

  it.each(['NSArray', 'NSMutableArray', 'NSSet', 'NSMutableSet', 'NSOrderedSet', 'NSMutableOrderedSet'])(
    'is a list if it is an %s',
    (name) => {
      expect(instanceOf(name, { 'NS.objects': [uid(3), uid(0), uid(4)] }, 'a', 'b')).toEqual(['a', null, 'b']);
      expect(instanceOf(name, {})).toEqual([]);
    },
  );

  it.each(['NSDictionary', 'NSMutableDictionary'])('is a dictionary if it is an %s', (name) => {
    expect(instanceOf(name, { 'NS.keys': [uid(3), 5, 2n ** 60n], 'NS.objects': [uid(4), true] }, 'a', 'b')).toEqual({
      a: 'b',
      5: true,
      [String(2n ** 60n)]: null,
    });
    expect(instanceOf(name, { 'NS.keys': [true, uid(0), [], 'a'], 'NS.objects': [1, 2, 3, 4] })).toEqual({ a: 4 });
    expect(instanceOf(name, { 'NS.keys': ['a'] })).toEqual({});
    expect(instanceOf(name, { 'NS.keys': ['a'], 'NS.objects': 'text' })).toEqual({});
    expect(instanceOf(name, { 'NS.keys': 'text', 'NS.objects': [1] })).toEqual({});
  });

  it('is a date if it is an NSDate with a time', () => {
    expect(instanceOf('NSDate', { 'NS.time': 60 })).toEqual(new Date('2001-01-01T00:01:00Z'));
    for (const time of ['60', null, 60n, 1e300]) expect(instanceOf('NSDate', { 'NS.time': time })).toBeNull();
  });

  it('is an address if it is an NSURL', () => {
    const base = 'https://example.org/';
    expect(instanceOf('NSURL', { 'NS.base': base, 'NS.relative': 'a/b' })).toBe('https://example.org/a/b');
    expect(instanceOf('NSURL', { 'NS.base': uid(0), 'NS.relative': 'file:///a' })).toBe('file:///a');
    expect(instanceOf('NSURL', { 'NS.base': base, 'NS.relative': 7 })).toBe(base);
    expect(instanceOf('NSURL', { 'NS.base': 7 })).toBe('');
  });

  it('is an identifier if it is an NSUUID of sixteen bytes', () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i * 16 + 1);
    expect(instanceOf('NSUUID', { 'NS.uuidbytes': bytes })).toBe('01112131-4151-6171-8191-A1B1C1D1E1F1');
    for (const other of [bytes.subarray(1), new Uint8Array(17), 'a'.repeat(16), null])
      expect(instanceOf('NSUUID', { 'NS.uuidbytes': other })).toBeNull();
  });

  it('is null if it is NSNull', () => {
    expect(instanceOf('NSNull', { 'NS.string': 'text' })).toBeNull();
  });
});

describe('the nesting of a keyed archive', () => {
  const nestedArrays = (levels: number): PlistValue => {
    let value: PlistValue = [];
    for (let i = 1; i < levels; i += 1) value = [value];
    return value;
  };

  it('has a limit for values in the root', () => {
    const archive = (levels: number): PlistValue => ({ $top: { root: nestedArrays(levels) }, $objects: [] });
    expect(errorOf(() => unarchive(archive(MAX_DEPTH + 1)))).not.toBeInstanceOf(Error);
    expect(errorOf(() => unarchive(archive(MAX_DEPTH + 2)))).toMatchObject(damagedBy('nested too deeply'));
  });

  it.each<[string, (next: Uid) => PlistValue]>([
    ['arrays', (next) => [next]],
    ['references', (next) => next],
    ['dictionaries', (next) => ({ next })],
    ['instances of a class', (next) => ({ $class: uid(0), next })],
    ['instances of NSArray', (next) => ({ $class: uid(1), 'NS.objects': [next] })],
    ['instances of NSDictionary', (next) => ({ $class: uid(2), 'NS.keys': ['next'], 'NS.objects': [next] })],
  ])('has a limit for %s', (_, wrap) => {
    const classes = ['Node', 'NSArray', 'NSDictionary'].map((name) => ({ $classname: name }));
    const links = Array.from({ length: 1000 }, (__, i) => wrap(uid(i + 4)));
    const archive = { $top: { root: uid(3) }, $objects: [...classes, ...links, 'end'] };
    expect(errorOf(() => unarchive(archive))).toMatchObject(damagedBy('nested too deeply'));
  });

  it('has a limit for the values that it expands to', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => [uid(i + 2), uid(i + 2)]);
    expect(errorOf(() => unarchive(archiveOf(...doubling, 'end')))).toMatchObject(
      damagedBy('the property list has too many values'),
    );
  });
});
