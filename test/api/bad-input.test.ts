import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { onePage, png as pngOf, zip } from '../support/broken-files.ts';
import { peakMemory, resetPeakMemory } from '../support/memory.ts';
import { Client } from '../support/client.ts';
import { LONG } from '../support/long.ts';
import { itWith } from '../support/requirements.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

/** A page of 300 MB once expanded may be held twice, not once a stage. */
const MAX_BOMB_MEMORY = 1024 * 2 ** 20;
let served: Served, person: Client;
beforeAll(async () => {
  served = await serve({
    env: { VAULT_UPLOAD_MAX_BYTES: String(40 * 2 ** 20), VAULT_ARCHIVE_MAX_BYTES: String(64 * 2 ** 20) },
  });
  person = new Client(served.url);
  await person.setup();
});
afterAll(() => served.remove());

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
/** Whatever was refused leaves neither row nor file. */
afterEach(async () => {
  expect((await person.get('/api/documents')).body.total).toBe(0);
  for (const folder of ['tmp', 'inbox', 'patients', 'unclassified'])
    expect(filesBelow(join(served.vault, folder))).toEqual([]);
});

it.each([
  ['/api/documents', 200],
  ['/API/Documents/', 200],
  ['/api/documents?limit=1', 200],
  ['/api/documents/1', 404],
  ['/HEALTH', 200],
  ['/api/documentsx', 404],
  ['/api/nothing', 404],
  ['/api', 404],
])('the address %s is answered with %i by the only router that knows it', async (address, status) => {
  expect((await person.get(address)).status).toBe(status);
});

const refused = async (bytes: Uint8Array, name: string): Promise<[number, string]> => {
  const { status, body } = await person.upload(bytes, name);
  expect(JSON.stringify(body)).not.toMatch(/\/(?:tmp|work|home)\/|SELECT|at .*\.ts/);
  return [status, body.code];
};

describe("files that can't be documents", () => {
  it('rejects empty, truncated and random files', async () => {
    const whole = await labReport();
    expect(await refused(new Uint8Array(), 'a.pdf')).toEqual([400, 'upload.empty']);
    expect(await refused(whole.slice(0, 300), 'a.pdf')).toEqual([400, 'upload.damaged']);
    expect(await refused(Buffer.from('%PDF-1.7 and nothing'), 'a.pdf')).toEqual([400, 'upload.damaged']);
    expect(await refused(Buffer.from('just words'), 'a.txt')).toEqual([415, 'upload.unsupported_type']);
    const png = await sharp({
      create: {
        width: 600,
        height: 600,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 100, sigma: 50 },
      },
    })
      .png()
      .toBuffer();
    expect(await refused(png.subarray(0, png.length / 3), 'a.png')).toEqual([400, 'upload.damaged']);
  });

  itWith({ programs: ['qpdf'] }, 'rejects an encrypted PDF', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-qpdf-'));
    try {
      writeFileSync(join(folder, 'in.pdf'), await labReport());
      execFileSync('qpdf', [
        '--encrypt',
        'secret',
        'owner',
        '256',
        '--',
        join(folder, 'in.pdf'),
        join(folder, 'out.pdf'),
      ]);
      expect(await refused(readFileSync(join(folder, 'out.pdf')), 'locked.pdf')).toEqual([400, 'upload.encrypted']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('rejects a PDF of 10 000 pages', async () => {
    const many = await PDFDocument.create();
    for (let i = 0; i < 10_000; i += 1) many.addPage([100, 100]);
    expect(await refused(await many.save(), 'many.pdf')).toEqual([400, 'upload.too_many_pages']);
  });

  it('rejects an image of 900 megapixels', async () => {
    const png = pngOf(30_000, 30_000, Buffer.alloc((30_000 / 8 + 1) * 3000));
    expect(await refused(png, 'huge.png')).toEqual([400, 'upload.too_many_pixels']);
  });

  it('rejects an image with the wrong name, an SVG, and HTML named as a PDF', async () => {
    const jpeg = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();
    expect(await refused(jpeg, 'scan.pdf')).toEqual([415, 'upload.type_mismatch']);
    expect(
      await refused(
        Buffer.from(
          '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg ' +
            'xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
        ),
        'a.svg',
      ),
    ).toEqual([415, 'upload.unsupported_type']);
    const polyglot = Buffer.concat([Buffer.from('<html><script>alert(1)</script>\n'), Buffer.from(await labReport())]);
    const [status] = await refused(polyglot, 'a.html');
    expect(status).toBe(415);
  });

  it('rejects archives with path traversal, links, encryption, damage or excessive expansion', async () => {
    const content = Buffer.from(await labReport());
    for (const name of ['../out.pdf', '/etc/out.pdf', 'a/../../out.pdf', 'C:\\out.pdf', '..\\out.pdf'])
      expect([name, ...(await refused(zip([{ name, content }]), 'a.zip'))]).toEqual([name, 400, 'archive.unsafe']);
    expect(
      await refused(
        zip([{ name: 'link.pdf', content: Buffer.from('/etc/passwd'), attributes: 0o120777 * 65536 }]),
        'a.zip',
      ),
    ).toEqual([400, 'archive.unsafe']);
    expect(await refused(zip([{ name: 'locked.pdf', content, flags: 1 }]), 'a.zip')).toEqual([
      400,
      'archive.encrypted',
    ]);
    expect(await refused(zip([{ name: 'bomb.pdf', content: Buffer.alloc(70 * 2 ** 20) }]), 'a.zip')).toEqual([
      413,
      'archive.too_large',
    ]);
    expect(
      (await refused(zip([{ name: 'liar.pdf', content: Buffer.alloc(8 * 2 ** 20), claimed: 100 }]), 'a.zip'))[0],
    ).toBe(400);
    expect((await refused(zip([{ name: 'a.pdf', content }]).subarray(0, 200), 'a.zip'))[0]).toBe(400);
    expect(await refused(zip([{ name: 'a.txt', content: Buffer.from('text') }]), 'a.zip')).toEqual([
      400,
      'archive.empty',
    ]);
  });

  it('rejects files beyond the limit, requests without a file, and uploads that are cut off', async () => {
    expect(await refused(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(41 * 2 ** 20)]), 'big.pdf')).toEqual([
      413,
      'upload.too_large',
    ]);
    const none = new FormData();
    none.append('other', 'x');
    expect((await person.call('POST', '/api/documents/upload?patient_id=1', none)).body.code).toBe('upload.no_file');
    expect((await person.call('POST', '/api/documents/upload', { not: 'multipart' })).status).toBe(400);
    const { port } = new URL(served.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/documents/upload?patient_id=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ` +
        `${person.cookie}\r\nX-Requested-With: XMLHttpRequest\r\nContent-Type: ` +
        'multipart/form-data; boundary=b\r\nContent-Length: ' +
        '900000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; ' +
        `filename="half.pdf"\r\n\r\n%PDF-1.7\n${'x'.repeat(100_000)}`,
    );
    const received = (): string[] => filesBelow(join(served.vault, 'tmp'));
    await expect.poll(received).toHaveLength(1);
    socket.destroy();
    await expect.poll(received).toEqual([]);
  });

  it('answers a file beyond the limit while it is sent, and reads the rest, so that the answer arrives', async () => {
    const { port, host } = new URL(served.url);
    const MB = 2 ** 20;
    const start = Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="big.pdf"\r\n\r\n%PDF-1.7\n',
    );
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const closed = new Promise<string>((resolve) =>
      socket.once('close', () => resolve('closed')).on('error', () => undefined),
    );
    const has = (text: string): Promise<string> =>
      Promise.race([
        expect
          .poll(() => received, { interval: 5 })
          .toContain(text)
          .then(() => text),
        // The reply may have arrived together with the end of the connection.
        closed.then((end) => (received.includes(text) ? text : end)),
      ]);
    socket.write(
      `POST /api/documents/upload?patient_id=1 HTTP/1.1\r\nHost: ${host}\r\nCookie: ${person.cookie}\r\n` +
        'X-Requested-With: XMLHttpRequest\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
        `Content-Length: ${start.length + 60 * MB}\r\n\r\n`,
    );
    socket.write(start);
    socket.write(Buffer.alloc(45 * MB));
    expect(await has('upload.too_large')).toBe('upload.too_large');
    socket.write(Buffer.alloc(15 * MB));
    socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await has('"mode":"core"')).toBe('"mode":"core"');
    socket.destroy();
  });

  it('rejects a PDF with a stream that expands without end, or reads it in bounded memory', LONG, async () => {
    // In the background: while this thread is busy, the program closes a connection that the next request would use.
    const stream = await promisify(deflate)(Buffer.alloc(300 * 2 ** 20, 0x20), { level: 9 });
    const bomb = onePage(stream, '/Filter /FlateDecode');
    resetPeakMemory(served.process.pid);
    const before = peakMemory(served.process.pid);
    const { status, body } = await person.upload(bomb, 'bomb.pdf');
    if (status === 201) {
      await person.idle(60);
      await person.call('DELETE', `/api/documents/${body.document_id}`);
    } else expect([status, body.code]).toEqual([400, 'upload.damaged']);
    const peak = peakMemory(served.process.pid);
    if (before !== null && peak !== null) expect(peak - before).toBeLessThan(MAX_BOMB_MEMORY);
    expect((await person.get('/health')).status).toBe(200);
  });
});

describe('names', () => {
  it.each([
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['CON.pdf', 'CON-file.pdf'],
    ['in\u202egpj.pdf', 'ingpj.pdf'],
    ['   .pdf', 'document.pdf'],
    ['x'.repeat(300) + '.pdf', `${'x'.repeat(196)}.pdf`],
    ['C:\\temp\\scan.pdf', 'scan.pdf'],
  ])('%s is stored as %s', async (given, kept) => {
    const { status, body } = await person.upload(
      await labReport({ seed: given.length % 10, patient: 'Elena Keller' }),
      given,
    );
    expect([status, body.filename]).toEqual([201, kept]);
    await person.idle();
    const { body: document } = await person.get(`/api/documents/${body.document_id}`);
    expect(statSync(join(served.vault, document.file_path)).isFile()).toBe(true);
    const { body: gone } = await person.call('DELETE', `/api/documents/${body.document_id}`);
    await person.call('DELETE', `/api/trash/${gone.trash_id}`);
  });
});
