import { describe, expect, it } from 'vitest';
import { hostilePlists } from '../../../test/fixtures/ios-backup/hostile-plists.ts';
import {
  Archive,
  binaryPlist,
  Reference,
  xmlPlist,
  type Plist,
} from '../../../test/fixtures/ios-backup/plist-writer.ts';
import { BackupError } from '../errors.ts';
import { isKeyedArchive, unarchive } from './keyed-archive.ts';
import { readPlist, readPlistDictionary } from './plist.ts';

const xml = (body: string): Uint8Array => new TextEncoder().encode(`<plist version="1.0">${body}</plist>`);
const errorOf = (bytes: Uint8Array): unknown => {
  try {
    return readPlist(bytes);
  } catch (error) {
    return error instanceof BackupError ? error.code : error;
  }
};

describe.each([
  ['binary', binaryPlist],
  ['XML', xmlPlist],
])('a %s plist', (_, write) => {
  const back = (value: Plist): unknown => readPlist(write(value));

  it('keeps integers exact to 64 bits', () => {
    for (const value of [0, 1, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -1, -(2 ** 53 - 1)])
      expect(back(value)).toBe(value);
    for (const value of [2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n)]) expect(back(value)).toBe(value);
  });

  it('keeps text of every Unicode plane, long text, and keys that name object members', () => {
    for (const text of ['', 'a', 'ä', '🔑', 'e\u0301', '<&>]]>', 'x'.repeat(100_000), '\u2028'])
      expect(back(text)).toBe(text);
    const keys = readPlist(write({ __proto__x: 1, constructor: 2, toString: 3 }));
    expect(keys).toEqual({ __proto__x: 1, constructor: 2, toString: 3 });
    expect(Object.getPrototypeOf(keys)).toBeNull();
  });

  it('keeps dates, data and nesting', () => {
    const value = {
      when: new Date('2024-02-29T10:00:00Z'),
      old: new Date('1969-12-31T23:59:59Z'),
      data: new Uint8Array([0, 255]),
      deep: [[{ list: [true, false, []] }]],
    };
    expect(back(value)).toEqual(value);
  });
});

describe('readPlist of XML', () => {
  it('reads comments, CDATA, references, a doctype, attributes and unusual spaces', () => {
    expect(
      readPlist(
        new TextEncoder().encode(
          '\uFEFF<?xml version="1.0"?>\n<!-- c --><!DOCTYPE plist [<!ELEMENT a (b)>]>\n' +
            '<plist version="1.0"><!-- <array> --><dict ><key>a</key >' +
            '<string>x<![CDATA[<&y>]]>&#x7a;&#33;&amp;&lt;&unknown;</string>' +
            '<key>b</key><true></true></dict></plist>',
        ),
      ),
    ).toEqual({ a: 'x<&y>z!&<&unknown;', b: true });
  });

  it('reads UTF-16 with a byte order mark', () => {
    expect(
      readPlist(Uint8Array.from([0xff, 0xfe, ...Buffer.from('<plist><string>ä</string></plist>', 'utf16le')])),
    ).toBe('ä');
  });

  it('reads numbers in every notation', () => {
    expect(
      readPlist(
        xml(
          '<array><integer> 42 </integer><integer>+7</integer><integer>-0x10</integer>' +
            '<integer>18446744073709551615</integer><real>1e3</real><real>-inf</real></array>',
        ),
      ),
    ).toEqual([42, 7, -16, 2n ** 64n - 1n, 1000, -Infinity]);
  });

  it.each([
    '<dict><string>no key</string></dict>',
    '<dict><key>a</key></dict>',
    '<array><string>a</array>',
    '<integer>ten</integer>',
    '<integer></integer>',
    '<real>one</real>',
    '<date>yesterday</date>',
    '<data>!</data>',
    '<table/>',
    'text',
    '',
    '<string>',
  ])('rejects %s', (body) => {
    expect(errorOf(xml(body))).toBe('damaged_plist');
  });
});

it.each(hostilePlists().map(({ name, bytes }) => [name, bytes] as const))('rejects %s', (_, bytes) => {
  expect(errorOf(bytes)).toBe('damaged_plist');
});

it('rejects a binary plist cut at any byte', () => {
  const bytes = binaryPlist({ a: [1, 'two', new Uint8Array([3])], when: new Date(0) });
  for (let length = 0; length < bytes.length; length += 1)
    expect(errorOf(bytes.subarray(0, length))).toBe('damaged_plist');
});

it('rejects a plist of more than 256 MB, whatever it contains', () => {
  const bytes = new Uint8Array(256 * 1024 * 1024 + 1);
  bytes.set(new TextEncoder().encode('bplist00'));
  expect(() => readPlist(bytes)).toThrow('damaged_plist: larger than 256 MB');
  expect(() => readPlist(bytes.subarray(0, -1))).toThrow('damaged_plist: the trailer does not fit the file');
});

it('readPlistDictionary requires a dictionary as the root', () => {
  expect(readPlistDictionary(binaryPlist({ a: 1 }))).toEqual({ a: 1 });
  for (const bytes of [binaryPlist(['a']), binaryPlist('a'), xml('<data/>')])
    expect(() => readPlistDictionary(bytes)).toThrow('damaged_plist: the root is not a dictionary');
});

describe('a keyed archive', () => {
  const nsClass = (name: string): string[] => [name, 'NSObject'];

  it('becomes plain values, and objects of other classes keep their class', () => {
    const archive = new Archive();
    const list = archive.instance(nsClass('NSMutableArray'), {
      'NS.objects': [archive.add('one'), new Reference(0), archive.instance(nsClass('NSNull'), {})],
    });
    const date = archive.instance(nsClass('NSDate'), { 'NS.time': 721_692_800.5 }),
      data = archive.instance(nsClass('NSMutableData'), { 'NS.data': new Uint8Array([1]) });
    const words = archive.instance(nsClass('NSDictionary'), {
      'NS.keys': [archive.add('list'), archive.add('when'), archive.add('data'), archive.add(7)],
      'NS.objects': [list, date, data, archive.add(true)],
    });
    const root = archive.instance(nsClass('Thing'), {
      words,
      url: archive.instance(nsClass('NSURL'), {
        'NS.base': new Reference(0),
        'NS.relative': archive.add('https://example.org/'),
      }),
      id: archive.instance(nsClass('NSUUID'), { 'NS.uuidbytes': new Uint8Array(16).fill(0xab) }),
      text: archive.instance(nsClass('NSMutableString'), { 'NS.string': 'some text' }),
    });
    const plist = readPlist(archive.bytes(root));
    expect(isKeyedArchive(plist)).toBe(true);
    expect(unarchive(plist)).toEqual({
      $class: 'Thing',
      url: 'https://example.org/',
      id: 'ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB',
      text: 'some text',
      words: {
        list: ['one', null, null],
        when: new Date((721_692_800.5 + 978_307_200) * 1000),
        data: new Uint8Array([1]),
        7: true,
      },
    });
  });

  it('replaces a reference to a parent with null and shares objects that are shared', () => {
    const archive = new Archive(),
      fields: { [key: string]: Plist } = {},
      root = archive.instance(nsClass('Node'), fields);
    const child = archive.instance(nsClass('Node'), { parent: root });
    const raw = readPlist(archive.bytes(root)) as { $objects: { [key: string]: unknown }[] };
    const described = raw.$objects[root.index]!;
    const uid = (raw.$objects[child.index]! as { parent: object }).parent;
    Object.assign(described, {
      left: Object.assign(Object.create(Object.getPrototypeOf(uid)), { index: child.index }),
      right: Object.assign(Object.create(Object.getPrototypeOf(uid)), { index: child.index }),
    });
    const node = unarchive(raw as never) as { left: { parent: unknown }; right: object };
    expect(node.left.parent).toBeNull();
    expect(node.left).toBe(node.right);
  });

  it('is rejected if a reference is invalid or it is not an archive', () => {
    const archive = new Archive();
    for (const bytes of [archive.bytes(new Reference(99)), binaryPlist({ a: 1 })])
      expect(() => unarchive(readPlist(bytes))).toThrow(BackupError);
  });
});
