/** @module-tag long */
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { png, resizedHeader, tiff, zip, type ZipEntry } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';
import { expectCleanVault, READ, REFUSED, SMALL_LIMITS, uploadOutcome } from '../support/upload-outcome.ts';

let served: Served, person: Client, report: Buffer;
const outcome = (bytes: Uint8Array, name: string): Promise<string> => uploadOutcome(person, bytes, name);

beforeAll(async () => {
  served = await serve({ env: SMALL_LIMITS });
  person = new Client(served.url);
  await person.setup();
  report = Buffer.from(await labReport());
});

afterAll(() => served.remove());

// Rejected or processed, an upload leaves the vault clean and the core running.
afterEach(() => expectCleanVault(served, person));

describe('archives', () => {
  const entry = (name: string | Buffer, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, content: report, ...more });

  it.each<[string, () => ZipEntry[], RegExp]>([
    ['a name that climbs out behind a folder', () => [entry('a/b/../../../out.pdf')], /^400 archive\.unsafe$/],
    ['an absolute name', () => [entry('/root/out.pdf')], /^400 archive\.unsafe$/],
    ['a drive', () => [entry('D:/out.pdf')], /^400 archive\.unsafe$/],
    ['a share of Windows', () => [entry('\\\\server\\share\\out.pdf')], /^400 archive\.unsafe$/],
    ['a NUL in a name', () => [entry('a.pdf\u0000.txt')], /^(extracted 1|400 archive\.(unsafe|damaged|empty))$/],
    ['an empty name', () => [entry('')], /^(extracted 1|400 archive\.(unsafe|damaged|empty))$/],
    ['names that are dots', () => [entry('.'), entry('..')], /^extracted 1$/],
    [
      'another name inside than in the directory',
      () => [entry('good.pdf', { localName: '../../evil.pdf' })],
      /^(extracted 1|400 archive\.\w+)$/,
    ],
    [
      'a symbolic link',
      () => [entry('link.pdf', { content: Buffer.from('/etc/passwd'), attributes: 0o120777 * 65536, method: 0 })],
      /^400 archive\.unsafe$/,
    ],
    [
      'a link to a folder, and a file in it',
      () => [
        entry('d', { content: Buffer.from('/etc'), attributes: 0o120777 * 65536, method: 0 }),
        entry('d/cron.pdf'),
      ],
      /^extracted 1$/,
    ],
    ['a device', () => [entry('null.pdf', { attributes: 0o020666 * 65536 })], /^(extracted 1|400 archive\.\w+)$/],
    [
      'entries that share their bytes',
      () => [
        entry('0.pdf', { content: Buffer.alloc(1_000_000) }),
        ...Array.from({ length: 100 }, (_, i) =>
          entry(`${i + 1}.pdf`, { content: Buffer.alloc(1_000_000), sameAs: 0 }),
        ),
      ],
      /^4(00|13) archive\.\w+$/,
    ],
    [
      'more entries than may be',
      () => Array.from({ length: 501 }, (_, i) => entry(`${i}.txt`, { content: Buffer.from('x') })),
      /^413 archive\.too_many_files$/,
    ],
    ['a size that is a lie', () => [entry('a.pdf', { claimed: 100 })], /^400 archive\.damaged$/],
    ['a checksum that is a lie', () => [entry('a.pdf', { crc: 1 })], /^400 archive\.damaged$/],
    ['a method that nobody knows', () => [entry('a.pdf', { method: 99 })], /^400 archive\.\w+$/],
    ['a password', () => [entry('a.pdf', { flags: 1 })], /^400 archive\.encrypted$/],
    [
      'only folders',
      () => [entry('a/', { content: Buffer.alloc(0) }), entry('a/b/', { content: Buffer.alloc(0) })],
      /^400 archive\.empty$/,
    ],
    [
      'only an archive in an archive in an archive',
      () => [entry('in.zip', { content: zip([entry('deeper.zip', { content: zip([entry('a.pdf')]) })]) })],
      /^400 archive\.empty$/,
    ],
    ['a thousand folders', () => [entry(`${'d/'.repeat(1000)}deep.pdf`)], /^(extracted 1|400 archive\.\w+)$/],
    ['one file twice under one name', () => [entry('same.pdf'), entry('same.pdf')], /^extracted 1$/],
    [
      'one good file among bad ones',
      () => [
        entry('broken.pdf', { content: report.subarray(0, 200) }),
        entry('words.txt', { content: Buffer.from('hello') }),
        entry('good.pdf'),
      ],
      /^extracted 1$/,
    ],
    [
      'a name in no known alphabet',
      () => [entry(Buffer.from([0xff, 0xfe, 0x80, 0x2e, 0x70, 0x64, 0x66]))],
      /^extracted 1$/,
    ],
  ])('with %s', async (_name, make, expected) => {
    expect(await outcome(zip(make()), 'archive.zip')).toMatch(expected);
  });

  it('rejects or reads archives that are truncated, empty, miscounted or appended to another file', async () => {
    const good = zip([entry('a.pdf'), entry('b.txt', { content: Buffer.from('b') })]);
    for (let part = 1; part < 10; part += 1)
      expect([part, await outcome(good.subarray(0, Math.floor((good.length * part) / 10)), 'cut.zip')]).toEqual([
        part,
        expect.stringMatching(REFUSED),
      ]);
    expect(await outcome(zip([]), 'empty.zip')).toMatch(REFUSED);
    expect(await outcome(zip([entry('a.pdf')], { count: 60_000 }), 'count.zip')).toMatch(REFUSED);
    expect(await outcome(Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(1000)]), 'head.zip')).toMatch(REFUSED);
    expect(await outcome(zip([entry('a.pdf')], { comment: Buffer.alloc(65_000, 0x41) }), 'comment.zip')).toMatch(
      /^(extracted 1|400 )/,
    );
  });
});

describe('images', () => {
  it.each<[string, string, () => Buffer | Promise<Buffer>, RegExp]>([
    [
      'a PNG that says it is four billion dots wide',
      'a.png',
      () => png(0x7fffffff, 0x7fffffff, Buffer.alloc(10)),
      /^400 upload\.(too_many_pixels|damaged)$/,
    ],
    ['a PNG of no size', 'a.png', () => png(0, 0, Buffer.alloc(1)), /^400 upload\.damaged$/],
    [
      'a PNG that is one line of a million dots',
      'a.png',
      () => png(1_000_000, 1, Buffer.alloc(125_001)),
      /^(read|400 upload\.)/,
    ],
    [
      'a PNG with fewer rows than it says',
      'a.png',
      () => png(600, 600, Buffer.alloc(76 * 10)),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'a JPEG that says it is 65 500 dots square',
      'a.jpg',
      async () =>
        resizedHeader(
          await sharp({ create: { width: 60, height: 60, channels: 3, background: '#fff' } })
            .jpeg()
            .toBuffer(),
          65_500,
          65_500,
        ),
      /^400 upload\.(too_many_pixels|damaged)$/,
    ],
    [
      'a JPEG of one dot',
      'a.jpg',
      () =>
        sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
          .jpeg()
          .toBuffer(),
      READ,
    ],
    [
      'a JPEG that ends in its middle',
      'a.jpg',
      async () => {
        const whole = await sharp({
          create: {
            width: 900,
            height: 900,
            channels: 3,
            background: '#888',
            noise: { type: 'gaussian', mean: 100, sigma: 50 },
          },
        })
          .jpeg()
          .toBuffer();
        return whole.subarray(0, whole.length / 2);
      },
      /^400 upload\.damaged$/,
    ],
    [
      'a TIFF that says it is 100 000 dots square',
      'a.tif',
      () => tiff(100_000, 100_000),
      /^400 upload\.(too_many_pixels|damaged)$/,
    ],
    ['a TIFF without its dots', 'a.tif', () => tiff(1400, 1400), /^(read needs_review|400 upload\.damaged)$/],
    [
      'a TIFF whose pages go round in a circle',
      'a.tif',
      () => {
        const circle = tiff(8, 8);
        circle.writeUInt32LE(8, 8 + 2 + 9 * 12);
        return circle;
      },
      /^(read|400 upload\.)/,
    ],
    [
      'a TIFF that is only its first bytes',
      'a.tif',
      () => Buffer.from('II*\0\x08\0\0\0', 'latin1'),
      /^400 upload\.damaged$/,
    ],
    [
      'a WebP cut short',
      'a.webp',
      async () =>
        (
          await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
            .webp()
            .toBuffer()
        ).subarray(0, 60),
      /^400 upload\.damaged$/,
    ],
    [
      'a GIF of a thousand pictures',
      'a.gif',
      () =>
        sharp({ create: { width: 8, height: 8 * 300, channels: 3, background: '#fff' } })
          .gif()
          .toBuffer(),
      READ,
    ],
    [
      'a HEIC that is only its name',
      'a.heic',
      () => Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0heicmif1'), Buffer.alloc(200)]),
      /^400 upload\.damaged$/,
    ],
    [
      'an SVG under the name of a PNG',
      'a.png',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
      /^415 upload\.(unsupported_type|type_mismatch)$/,
    ],
  ])('%s', async (_name, file, make, expected) => {
    expect(await outcome(await make(), file)).toMatch(expected);
  });

  it('rejects a TIFF with one page too many', async () => {
    const page = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#fff' } })
      .raw()
      .toBuffer();
    const all = Buffer.concat(Array.from({ length: 51 }, () => page));
    const many = await sharp(all, { raw: { width: 16, height: 16 * 51, channels: 3, pageHeight: 16 } })
      .tiff()
      .toBuffer();
    expect((await sharp(many).metadata()).pages).toBe(51);
    expect(await outcome(many, 'many.tif')).toBe('400 upload.too_many_pages');
  });
});
