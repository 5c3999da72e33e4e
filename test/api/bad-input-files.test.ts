/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inDepth } from '../support/depth.ts';
import { onePage, pdf, zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { itWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';
import { expectCleanVault, READ, SMALL_LIMITS, uploadOutcome } from '../support/upload-outcome.ts';

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

describe('PDFs', () => {
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
  const bomb = deflateSync(Buffer.alloc(120 * 2 ** 20, 0x20), { level: 9 });

  it.each<[string, () => Buffer | Promise<Uint8Array>, RegExp]>([
    [
      'a stream within a stream that expands without end',
      () => onePage(deflateSync(bomb), '/Filter [/FlateDecode /FlateDecode]'),
      /^(read|400 upload\.damaged)/,
    ],
    ...inDepth<[string, () => Buffer, RegExp][]>(
      [],
      [
        [
          'an image that expands to gigabytes',
          () =>
            onePage(Buffer.from('q 200 0 0 200 0 0 cm /I Do Q'), '', '/Resources << /XObject << /I 5 0 R >> >>', [
              '<< /Type /XObject /Subtype /Image /Width 20000 /Height 20000 /BitsPerComponent 8 ' +
                '/ColorSpace /DeviceCMYK /Filter /FlateDecode /Length 10 >>\nstream\n0123456789\nendstream',
            ]),
          /^(read|400 upload\.damaged)/,
        ],
      ],
    ),
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

  it('rejects or reads PDFs that are truncated or have flipped bytes', async () => {
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
    'reads PDFs with an owner password and rejects those with a user password',
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

  it('rejects a PDF with one page too many', async () => {
    const many = await PDFDocument.create();
    for (let i = 0; i < 51; i += 1) many.addPage([100, 100]);
    expect(await outcome(await many.save(), 'many.pdf')).toBe('400 upload.too_many_pages');
  });
});

describe('a replacement of a file', () => {
  const replace = (
    id: number,
    bytes: Uint8Array,
    name: string,
  ): Promise<{ status: number; body: { code?: string } }> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    return person.call('POST', `/api/documents/${id}/replace-file`, form);
  };

  it('keeps the old file when the new one is unreadable', async () => {
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
  it('rejects or cleans file names with control characters', async () => {
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
