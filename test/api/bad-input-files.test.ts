import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { onePage, pdf, png, resizedHeader, tiff, zip, type ZipEntry } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { itWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served, person: Client, report: Buffer;
beforeAll(async () => {
  served = await serve({
    env: {
      VAULT_PIPELINE_WATCH: 'false',
      VAULT_UPLOAD_MAX_BYTES: String(40 * 2 ** 20),
      VAULT_ARCHIVE_MAX_BYTES: String(64 * 2 ** 20),
      VAULT_ARCHIVE_MAX_MEMBERS: '500',
      VAULT_UPLOAD_MAX_PAGES: '50',
    },
  });
  person = new Client(served.url);
  await person.setup();
  report = Buffer.from(await labReport());
});
afterAll(() => served.remove());

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

async function throwAway(id: number): Promise<void> {
  const { body } = await person.call('DELETE', `/api/documents/${id}`);
  await person.call('DELETE', `/api/trash/${body.trash_id}`);
}

/**
 * Refused, or read to an end that a person can work with. Either way everything is as before, and the program goes on.
 */
afterEach(async () => {
  const { body } = await person.get('/api/documents?limit=500');
  for (const { id } of body.items as { id: number }[]) await throwAway(id);
  await expect
    .poll(
      () =>
        ['tmp', 'inbox', 'patients', 'unclassified', 'trash', 'cache'].flatMap((folder) =>
          filesBelow(join(served.vault, folder)),
        ),
      { timeout: 10_000 },
    )
    .toEqual([]);
  expect((await person.get('/health')).status).toBe(200);
});

/** Status and code of the upload; of one that is taken, how its reading ended. */
async function outcome(bytes: Uint8Array, name: string): Promise<string> {
  const { status, body } = await person.upload(bytes, name);
  expect(JSON.stringify(body)).not.toMatch(/\/(?:tmp|work|home)\/|SELECT|at .*\.ts/);
  if (status >= 400) return `${status} ${body.code}`;
  await person.idle(120);
  if (body.status === 'extracted') return `extracted ${body.extracted}`;
  const { body: document } = await person.get(`/api/documents/${body.document_id}`);
  for (const tail of ['file', 'thumbnail', 'pages/1/image?width=200', 'pages', 'stages']) {
    const answer = await person.get(`/api/documents/${body.document_id}/${tail}`);
    expect([name, tail, answer.status < 500 || answer.body.code]).toEqual([name, tail, true]);
  }
  if (document.status === 'failed') expect(document.error_message).toMatch(/^[A-Z].*[.!]$/);
  return `read ${document.status}`;
}

const READ = /^read (done|needs_review|failed)$/;
const REFUSED = /^4\d\d (upload|archive)\.\w+$/;

describe('PDFs', () => {
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
  const bomb = deflateSync(Buffer.alloc(200 * 2 ** 20, 0x20), { level: 9 });

  it.each<[string, () => Buffer | Promise<Uint8Array>, RegExp]>([
    [
      'a stream within a stream that expands without end',
      () => onePage(deflateSync(bomb), '/Filter [/FlateDecode /FlateDecode]'),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'an image that expands to gigabytes',
      () =>
        onePage(Buffer.from('q 200 0 0 200 0 0 cm /I Do Q'), '', '/Resources << /XObject << /I 5 0 R >> >>', [
          '<< /Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 ' +
            '/ColorSpace /DeviceGray /Filter /FlateDecode /Length 10 >>\nstream\n0123456789\nendstream',
        ]),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'pages that are their own children',
      () => pdf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'pages that hold each other',
      () =>
        pdf([
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 2 >>',
          '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 2 >>',
        ]),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'a count of pages that is a lie',
      () =>
        pdf([
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
        ]),
      /^(read|400 upload\.(damaged|too_many_pages))/,
    ],
    ['no pages', () => pdf([catalog, '<< /Type /Pages /Kids [] /Count 0 >>']), /^400 upload\.damaged/],
    [
      'a page of no size',
      () =>
        pdf([
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 0 0] >>',
        ]),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'a page as large as a country',
      () =>
        pdf([
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1000000000 1000000000] >>',
        ]),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'a page as thin as a hair',
      () =>
        pdf([
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 0.01 14400] >>',
        ]),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'sizes that are no numbers',
      () =>
        pdf([
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [NaN -1 (x) null] >>',
        ]),
      /^(read|400 upload\.damaged)/,
    ],
    [
      'a form that draws itself',
      () =>
        onePage(Buffer.from('/F Do'), '', '/Resources << /XObject << /F 5 0 R >> >>', [
          '<< /Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /XObject << /F 5 0 R ' +
            '>> >> /Length 5 >>\nstream\n/F Do\nendstream',
        ]),
      READ,
    ],
    ['a drawing that never ends its brackets', () => onePage(Buffer.from('q '.repeat(200_000)), ''), READ],
    [
      'a script and a launch action',
      () =>
        pdf([
          '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (calc.exe) >> /Names << ' +
            '/JavaScript << /Names [(a) << /S /JavaScript /JS (app.alert(1)) >>] >> >> >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
        ]),
      READ,
    ],
    ['nothing but its header and end', () => Buffer.from('%PDF-1.7\n%%EOF'), /^400 upload\.damaged/],
    [
      'a table of contents that points beyond the file',
      () =>
        Buffer.from(
          '%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 99 0 R >>\nstartxref\n99999999\n%%EOF',
        ),
      /^400 upload\.damaged/,
    ],
  ])('with %s', async (_name, make, expected) => {
    expect(await outcome(await make(), 'paper.pdf')).toMatch(expected);
  });

  it('cut at any place, or with bytes turned over', async () => {
    for (let part = 1; part < 10; part += 1)
      expect([
        part,
        await outcome(report.subarray(0, Math.floor((report.length * part) / 10)), `cut-${part}.pdf`),
      ]).toEqual([part, expect.stringMatching(/^(read|400 upload\.)/)]);
    for (let seed = 1; seed <= 8; seed += 1) {
      const broken = Buffer.from(report);
      for (let i = 0; i < 40; i += 1)
        broken[10 + ((i * 7919 + seed * 104_729) % (broken.length - 10))]! ^= 1 << (i % 8);
      expect([seed, await outcome(broken, `turned-${seed}.pdf`)]).toEqual([
        seed,
        expect.stringMatching(/^(read|400 upload\.)/),
      ]);
    }
  });

  itWith(
    { programs: ['qpdf'] },
    'that only their owner may print are read; those that nobody may open are refused',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'hearth-qpdf-'));
      try {
        writeFileSync(join(folder, 'in.pdf'), report);
        for (const [user, owner, bits, expected] of [
          ['', 'owner', '256', /^read/],
          ['', 'owner', '128', /^read/],
          ['user', 'owner', '256', /^400 upload\.encrypted$/],
          ['user', 'owner', '128', /^400 upload\.encrypted$/],
          ['user', 'owner', '40', /^400 upload\.encrypted$/],
        ] as const) {
          execFileSync('qpdf', [
            '--allow-weak-crypto',
            '--encrypt',
            user,
            owner,
            bits,
            '--',
            join(folder, 'in.pdf'),
            join(folder, 'out.pdf'),
          ]);
          expect([user, bits, await outcome(readFileSync(join(folder, 'out.pdf')), 'locked.pdf')]).toEqual([
            user,
            bits,
            expect.stringMatching(expected),
          ]);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('of one page too many', async () => {
    const many = await PDFDocument.create();
    for (let i = 0; i < 51; i += 1) many.addPage([100, 100]);
    expect(await outcome(await many.save(), 'many.pdf')).toBe('400 upload.too_many_pages');
  });
});

describe('archives', () => {
  const entry = (name: string | Buffer, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, content: report, ...more });

  it.each<[string, () => ZipEntry[], RegExp]>([
    ['a name that climbs out behind a folder', () => [entry('a/b/../../../out.pdf')], /^400 archive\.unsafe$/],
    ['an absolute name', () => [entry('/root/out.pdf')], /^400 archive\.unsafe$/],
    ['a drive', () => [entry('D:/out.pdf')], /^400 archive\.unsafe$/],
    ['a share of Windows', () => [entry('\\\\server\\share\\out.pdf')], /^400 archive\.unsafe$/],
    ['a NUL in a name', () => [entry('a.pdf\u0000.txt')], /^(extracted 1|400 archive\.(unsafe|damaged|empty))$/],
    ['an empty name', () => [entry('')], /^(extracted 1|400 archive\.(unsafe|damaged|empty))$/],
    ['names that are dots', () => [entry('.'), entry('..')], /^400 archive\.(unsafe|damaged|empty)$/],
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
      /^400 archive\.unsafe$/,
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

  it('cut, empty, miscounted, or behind another file', async () => {
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

describe('pictures', () => {
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
    ['a TIFF without its dots', 'a.tif', () => tiff(3000, 3000), /^(read needs_review|400 upload\.damaged)$/],
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

  it('a TIFF of one page too many', async () => {
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

describe('a file that should take the place of another', () => {
  const replace = (
    id: number,
    bytes: Uint8Array,
    name: string,
  ): Promise<{ status: number; body: { code?: string } }> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    return person.call('POST', `/api/documents/${id}/replace-file`, form);
  };

  it('and cannot be read leaves the old one where it was', async () => {
    const {
      body: { document_id: id },
    } = await person.upload(report, 'kept.pdf');
    await person.idle();
    const before = (await person.get(`/api/documents/${id}`)).body;
    const image = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();
    for (const [bytes, name, expected] of [
      [Buffer.alloc(0), 'a.pdf', '400 upload.empty'],
      [report.subarray(0, 300), 'a.pdf', '400 upload.damaged'],
      [image, 'a.pdf', '415 upload.type_mismatch'],
      [image, 'a.jpg', '400 document.extension_mismatch'],
      [Buffer.from('words'), 'a.pdf', '415 upload.unsupported_type'],
      [report, 'a', '400 document.extension_mismatch'],
      [zip([{ name: 'a.pdf', content: report }]), 'a.pdf', '415 upload.type_mismatch'],
    ] as const) {
      const { status, body } = await replace(id, bytes, name);
      expect([name, `${status} ${body.code}`]).toEqual([name, expected]);
    }
    expect((await person.get(`/api/documents/${id}`)).body).toEqual(before);
    expect(readFileSync(join(served.vault, before.file_path)).equals(report)).toBe(true);
    expect((await person.get('/api/trash')).body.items).toEqual([]);
  });
});

describe('names', () => {
  it('that would end a header, or the name itself, are refused or made plain', async () => {
    for (const name of ['a\r\nX-Evil: 1.pdf', 'a"b.pdf', 'a\u0000b.pdf', 'a\u0007\u001b[2Jb.pdf'])
      expect(await outcome(await labReport({ seed: name.length }), name)).toMatch(/^(read|400 request\.malformed)/);
  });

  it.each([
    ['\u202egpj.exe.pdf', 'gpj.exe.pdf'],
    ['u\u0308bung.pdf', 'übung.pdf'],
    ['NUL', 'NUL-file.pdf'],
    ['com1.pdf', 'com1-file.pdf'],
    ['aux.tar.pdf', 'aux-file.tar.pdf'],
    ['trailing. . .pdf', 'trailing.pdf'],
    ['.hidden.pdf', 'hidden.pdf'],
    ['a<b>c:d|e?f*g.pdf', 'a_b_c_d_e_f_g.pdf'],
    ['漢'.repeat(200) + '.pdf', `${'漢'.repeat(78)}.pdf`],
    ['👩‍👩‍👧.pdf', '👩👩👧.pdf'],
    ['', 'document.pdf'],
    ['....', 'document.pdf'],
    ['%2e%2e%2fx.pdf', '%2e%2e%2fx.pdf'],
    ['~/.ssh/id.pdf', 'id.pdf'],
    ['$(touch x).pdf', '$(touch x).pdf'],
    ['-rf.pdf', '-rf.pdf'],
  ])('%j is stored as %j', async (given, kept) => {
    const form = new FormData();
    form.append(
      'file',
      new Blob([new Uint8Array(await labReport({ seed: given.length % 10 }))]),
      given === '' ? 'x' : given,
    );
    const name =
      given === '' ? kept : (await person.call('POST', '/api/documents/upload?patient_id=1', form)).body.filename;
    expect(name).toBe(kept);
    await person.idle();
    for (const item of (await person.get('/api/documents')).body.items as { file_path: string }[]) {
      expect(item.file_path).toMatch(/^[\w./-]+$/);
      expect(statSync(join(served.vault, item.file_path)).isFile()).toBe(true);
    }
  });
});
