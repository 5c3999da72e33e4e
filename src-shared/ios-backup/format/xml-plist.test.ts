import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, Uid } from './plist-value.ts';
import { readXmlPlist } from './xml-plist.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (body: string): unknown => readXmlPlist(encode(`<plist version="1.0">${body}</plist>`));
const damagedBy = (reason: string): object => ({ code: 'damaged_plist', params: { reason } });

/** Returns the error of reading these bytes, so that its code and parameters can be compared. */
function errorOf(document: string | Uint8Array): unknown {
  try {
    return { returned: readXmlPlist(typeof document === 'string' ? encode(document) : document) };
  } catch (error) {
    return error;
  }
}

const errorIn = (body: string): unknown => errorOf(`<plist>${body}</plist>`);

describe('the encoding of an XML plist', () => {
  const text = '<plist><string>Zürich 🔑</string></plist>';
  const utf16le = Buffer.from(text, 'utf16le');

  it('is UTF-8, with or without a byte order mark', () => {
    expect(readXmlPlist(encode(text))).toBe('Zürich 🔑');
    expect(readXmlPlist(encode(`\uFEFF${text}`))).toBe('Zürich 🔑');
  });

  it('is UTF-16 of either byte order after its mark', () => {
    expect(readXmlPlist(Uint8Array.from([0xff, 0xfe, ...utf16le]))).toBe('Zürich 🔑');
    expect(readXmlPlist(Uint8Array.from([0xfe, 0xff, ...Buffer.from(utf16le).swap16()]))).toBe('Zürich 🔑');
  });

  it('is not UTF-16 after half a byte order mark', () => {
    for (const first of [0xfe, 0xff])
      expect(errorOf(Uint8Array.from([first, ...encode(text)]))).toMatchObject(damagedBy('text between elements'));
    for (const second of [0xfe, 0xff])
      expect(errorOf(Uint8Array.from([0x3c, second, ...encode(text)]))).toMatchObject(
        damagedBy('a tag without a name'),
      );
  });
});

describe('the root of an XML plist', () => {
  it.each(['<dict></dict>', '</plist>', '<plist/>', '<plist version="1.0"/>'])('is missing in %s', (document) => {
    expect(errorOf(document)).toMatchObject(damagedBy('<plist> is missing'));
  });

  it.each(['<plist><true/><plist>', '<plist><true/></dict>', '<plist><true/><true/></plist>'])(
    'is not closed in %s',
    (document) => {
      expect(errorOf(document)).toMatchObject(damagedBy('</plist> is missing'));
    },
  );

  it.each(['', ' \n', '<plist>', '<plist><true/>', '<plist><array>', '<plist><string>text'])(
    'is cut in %j',
    (document) => {
      expect(errorOf(document)).toMatchObject(damagedBy('the file ends too early'));
    },
  );

  it('contains exactly one value', () => {
    expect(errorIn('')).toMatchObject(damagedBy('</plist> instead of a value'));
    expect(errorIn('text<true/>')).toMatchObject(damagedBy('text between elements'));
    expect(errorIn('<true/>text')).toMatchObject(damagedBy('text between elements'));
  });
});

describe('the tags of an XML plist', () => {
  it('may have attributes and white space', () => {
    expect(read('<array ><string\n>a</string ><true />\t<data\r\nid="x"/></array\n>')).toEqual([
      'a',
      true,
      new Uint8Array(),
    ]);
  });

  it.each(['<>', '</>', '<1/>', '<=dict>', '<?></?><-x/>'])('need a name, unlike in %s', (body) => {
    expect(errorIn(body)).toMatchObject(damagedBy('a tag without a name'));
  });

  it('are those of property lists only', () => {
    expect(errorIn('<table/>')).toMatchObject(damagedBy('<table> is not an element of a property list'));
    expect(errorIn(`<${'x'.repeat(500)}>`)).toMatchObject(
      damagedBy(`<${'x'.repeat(20)}> is not an element of a property list`),
    );
    expect(errorIn('<key>a</key>')).toMatchObject(damagedBy('<key> is not an element of a property list'));
  });

  it('are closed by their own name', () => {
    expect(errorIn('<string>a</integer>')).toMatchObject(damagedBy('</string> is missing'));
    expect(errorIn('<string>a<string>')).toMatchObject(damagedBy('</string> is missing'));
    expect(errorIn('<true><false/></true>')).toMatchObject(damagedBy('</true> is missing'));
    expect(errorIn('<false></true>')).toMatchObject(damagedBy('</false> is missing'));
    expect(read('<array><true></true><false></false><false/></array>')).toEqual([true, false, false]);
  });

  it('are rejected without their last character', () => {
    for (const document of ['<plist', '<plist><true/></plist', '<plist><string>a</string'])
      expect(errorOf(document)).toMatchObject(damagedBy('> is missing'));
  });
});

describe('what an XML plist has beside its elements', () => {
  it('is skipped before, between and after them', () => {
    const document =
      '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a > b -->\n' +
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n' +
      '<plist><!-- <array> --><array><!----><true/><?target data?></array><!-- end --></plist>';
    expect(readXmlPlist(encode(document))).toEqual([true]);
  });

  it('ends at its own mark only', () => {
    expect(read('<!--> <array> --><true/>')).toBe(true);
    expect(read('<?> <array> ?><true/>')).toBe(true);
    expect(errorIn('<!-- <true/>')).toMatchObject(damagedBy('--> is missing'));
    expect(errorOf('<?xml <plist>')).toMatchObject(damagedBy('?> is missing'));
  });

  it('may be a doctype with declarations, which declare nothing', () => {
    const document = (body: string): string =>
      `<!-- ] --><!DOCTYPE plist [<!ENTITY a "b"><!ELEMENT c (d)>]><plist>${body}</plist>`;
    expect(readXmlPlist(encode(document('<string>&a;</string>')))).toBe('&a;');
    expect(errorOf('<!DOCTYPE plist [<!ENTITY a "b"><plist>')).toMatchObject(damagedBy('] is missing'));
    expect(errorOf('<!DOCTYPE plist')).toMatchObject(damagedBy('> is missing'));
  });
});

describe('a string of an XML plist', () => {
  it('may be empty', () => {
    expect([read('<string/>'), read('<string></string>')]).toEqual(['', '']);
  });

  it('keeps its white space', () => {
    expect(read('<string> a\n\tb </string>')).toBe(' a\n\tb ');
  });

  it('resolves the five entities of XML and no other', () => {
    expect(read('<string>&amp;&lt;&gt;&quot;&apos;&nbsp;&amp;lt;& ;&;</string>')).toBe('&<>"\'&nbsp;&lt;& ;&;');
  });

  it('resolves character references up to the last code point', () => {
    expect(read('<string>&#65;&#x42;&#X63;&#128273;&#x1F511;&#x10ffff;</string>')).toBe('ABc🔑🔑\u{10ffff}');
    expect(read('<string>&#x110000;&#1114112;&#x;&#;&#xg;</string>')).toBe('&#x110000;&#1114112;&#x;&#;&#xg;');
  });

  it('contains CDATA sections unchanged', () => {
    expect(read('<string>a<![CDATA[<b>&amp;]]>&lt;<![CDATA[]]><![CDATA[]]]]>c</string>')).toBe('a<b>&amp;<]]c');
    expect(errorIn('<string><![CDATA[a]]</string>')).toMatchObject(damagedBy(']]> is missing'));
  });

  it('contains no comments', () => {
    expect(read('<string>a<!-- <b> -->c<!--> d -->e</string>')).toBe('ace');
    expect(errorIn('<string>a<!-- b</string>')).toMatchObject(damagedBy('--> is missing'));
  });
});

describe('a number of an XML plist', () => {
  it.each<[string, number | bigint]>([
    ['0', 0],
    ['42', 42],
    ['-42', -42],
    ['+42', 42],
    ['007', 7],
    ['0x2A', 42],
    ['-0x2a', -42],
    ['+0xff', 255],
    [' \n42\t', 42],
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740992', 2n ** 53n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['0xffffffffffffffff', 2n ** 64n - 1n],
    ['99999999999999999999', 99_999_999_999_999_999_999n],
  ])('is the integer %j', (text, expected) => {
    expect(read(`<integer>${text}</integer>`)).toBe(expected);
  });

  it.each(['', ' ', '-', 'ten', 'a1', '1a', '1.5', '1 2', '--1', '1-2', '0x', '0xg', '0x1ffffffffffffffff', '1e3'])(
    'is not the integer %j',
    (text) => {
      expect(errorIn(`<integer>${text}</integer>`)).toMatchObject(damagedBy('an invalid integer'));
    },
  );

  it('has at most 20 digits as an integer', () => {
    expect(errorIn(`<integer>${'9'.repeat(21)}</integer>`)).toMatchObject(damagedBy('an invalid integer'));
  });

  it.each<[string, number]>([
    ['0', 0],
    [' 1.5 ', 1.5],
    ['-1.5e-3', -0.0015],
    ['+2', 2],
    ['nan', Number.NaN],
    ['-NaN', Number.NaN],
    ['inf', Infinity],
    ['+inf', Infinity],
    ['-inf', -Infinity],
    [' Infinity\n', Infinity],
    ['-infinity', -Infinity],
  ])('is the real %j', (text, expected) => {
    expect(read(`<real>${text}</real>`)).toBe(expected);
  });

  it.each(['', ' ', 'one', 'in-f', 'i+nf', '1,5', '1.5.2', '--1', '- 1', 'toString'])('is not the real %j', (text) => {
    expect(errorIn(`<real>${text}</real>`)).toMatchObject(damagedBy('an invalid number'));
  });

  it('is rejected if it is empty', () => {
    expect(errorIn('<integer/>')).toMatchObject(damagedBy('an invalid integer'));
    expect(errorIn('<real/>')).toMatchObject(damagedBy('an invalid number'));
  });
});

describe('a date of an XML plist', () => {
  it('is in UTC with seconds', () => {
    expect(read('<date>2024-02-29T10:00:01Z</date>')).toEqual(new Date(Date.UTC(2024, 1, 29, 10, 0, 1)));
    expect(read('<date>\n  1969-12-31T23:59:59Z\n</date>')).toEqual(new Date(-1000));
    expect(read('<date>-000001-01-01T00:00:00Z</date>')).toEqual(new Date('-000001-01-01T00:00:00Z'));
  });

  it.each([
    '',
    'yesterday',
    '2024-02-29',
    '2024-02-29T10:00:00',
    '2024-02-29T10:00:00.5Z',
    '2024-02-29T10:00:00+01:00',
    '+002024-02-29T10:00:00Z',
    '2024-13-01T10:00:00Z',
    '2024-01-01T25:00:00Z',
    '12024-01-01T10:00:00Z',
  ])('is not %j', (text) => {
    expect(errorIn(`<date>${text}</date>`)).toMatchObject(damagedBy('an invalid date'));
  });

  it('is rejected if it is empty', () => {
    expect(errorIn('<date/>')).toMatchObject(damagedBy('an invalid date'));
  });
});

describe('data of an XML plist', () => {
  it('is Base64 with any white space', () => {
    expect(read('<data>\n\tAAEC\n\t/w==\r\n</data>')).toStrictEqual(new Uint8Array([0, 1, 2, 255]));
    expect(read('<data>AA E=</data>')).toStrictEqual(new Uint8Array([0, 1]));
  });

  it('may be empty', () => {
    for (const body of ['<data/>', '<data></data>', '<data> \n </data>'])
      expect(read(body)).toStrictEqual(new Uint8Array());
  });

  it.each(['!', 'A', 'AAEC=', 'AA-_'])('is not %j', (text) => {
    expect(errorIn(`<data>${text}</data>`)).toMatchObject(damagedBy('data that is not Base64'));
  });
});

describe('a dictionary of an XML plist', () => {
  it('has values under its keys, of which one may be empty', () => {
    expect(read('<dict><key>a</key><true/><key/><integer>1</integer><key>&lt;</key><dict/></dict>')).toEqual({
      a: true,
      '': 1,
      '<': {},
    });
    expect([read('<dict/>'), read('<dict></dict>')]).toEqual([{}, {}]);
  });

  it('has no inherited keys', () => {
    const value = read('<dict><key>__proto__</key><dict/></dict>') as object;
    expect([Object.getPrototypeOf(value), Object.keys(value)]).toEqual([null, ['__proto__']]);
  });

  it.each(['<dict><string>a</string></dict>', '<dict></key></dict>', '<dict></array>', '<dict><dict/></dict>'])(
    'needs a key for each value, unlike %s',
    (body) => {
      expect(errorIn(body)).toMatchObject(damagedBy('a value without a key'));
    },
  );

  it('needs a value for each key', () => {
    expect(errorIn('<dict><key>a</key></dict>')).toMatchObject(damagedBy('</dict> instead of a value'));
  });

  it('is a reference of a keyed archive if CF$UID is its only key and an integer', () => {
    const uid = '<key>CF$UID</key><integer>3</integer>';
    expect(read(`<dict>${uid}</dict>`)).toStrictEqual(new Uid(3));
    for (const body of [
      `<dict>${uid}<key>other</key><true/></dict>`,
      '<dict><key>CF$UID</key><string>3</string></dict>',
      '<dict><key>UID</key><integer>3</integer></dict>',
    ])
      expect(read(body)).not.toBeInstanceOf(Uid);
  });
});

describe('an array of an XML plist', () => {
  it('has values in their order', () => {
    expect(read('<array><integer>1</integer><array/><array><string>a</string></array></array>')).toEqual([
      1,
      [],
      ['a'],
    ]);
    expect(read('<array></array>')).toEqual([]);
  });

  it('is not closed by another element', () => {
    expect(errorIn('<array></dict></array>')).toMatchObject(damagedBy('</dict> in an array'));
    expect(errorIn(`<array></${'x'.repeat(500)}>`)).toMatchObject(damagedBy(`</${'x'.repeat(20)}> in an array`));
    expect(errorIn('<array><true/></dict>')).toMatchObject(damagedBy('</dict> in an array'));
  });
});

it.each([
  ['arrays', '<array>', '</array>'],
  ['dictionaries', '<dict><key>a</key>', '</dict>'],
])('an XML plist may nest %s as deeply as the limit, and no deeper', (_, start, end) => {
  const nested = (levels: number): string => `${start.repeat(levels)}<true/>${end.repeat(levels)}`;
  expect(errorIn(nested(MAX_DEPTH))).not.toBeInstanceOf(Error);
  expect(errorIn(nested(MAX_DEPTH + 1))).toMatchObject(damagedBy('nested too deeply'));
});
