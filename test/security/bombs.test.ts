/** @module-tag long */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePage, pdf, png, tiff, zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { itInDepth } from '../support/depth.ts';
import { peakMemory } from '../support/memory.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

/** What Hearth may hold in memory, whatever it is sent. */
const MAX_MEMORY = 2 ** 30;

let served: Served, person: Client, report: Buffer, patientSlug: string;

beforeAll(async () => {
  served = await serve();
  person = new Client(served.url);
  await person.setup();
  report = Buffer.from(await labReport());
  const { body } = await person.get('/api/patients');
  patientSlug = (body.items ?? body)[0].slug;
});
afterAll(() => served.remove());

const variant = (name: string): Buffer => Buffer.concat([report, Buffer.from(`\n% ${name}\n`)]);

/** Uploads files at once, waits for their readings, and returns how each ended. */
async function endOf(files: [name: string, bytes: Uint8Array][]): Promise<string[]> {
  const replies = await Promise.all(files.map(([name, bytes]) => person.upload(bytes, name)));
  await person.idle(240);
  return Promise.all(
    replies.map(async ({ status, body }) => {
      if (status >= 400) return `${status} ${body.code}`;
      const { body: document } = await person.get(`/api/documents/${body.document_id}`);
      return `${document.status} ${document.error?.code ?? ''}`.trim();
    }),
  );
}

/** A page whose content stream draws the same line again and again, unpacked to so many bytes. */
const pathBomb = (bytes: number): Buffer => {
  const line = '0 0 m 9 9 l S  ';
  return onePage(deflateSync(line.repeat(Math.floor(bytes / line.length)), { level: 9 }), '/Filter /FlateDecode');
};

/** A PDF whose pages all show the same long text, which it contains once. */
function textBomb(pages: number): Buffer {
  const line = 'Der Patient hat heute gute Werte und wir haben die Medikamente nicht weiter angepasst '.repeat(6);
  const text = deflateSync(`BT /F1 2 Tf 2.2 TL 10 830 Td ${`(${line}) Tj T* `.repeat(380)}ET`, { level: 9 });
  const kids = Array.from({ length: pages }, (_, index) => `${index + 5} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids}] /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> >>`,
    `<< /Length ${text.length} /Filter /FlateDecode >> STREAM`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>'),
  ];
  return pdf(objects, text);
}

/** Files that expand to hundreds of megabytes. */
function makeFolder(): [string, Uint8Array][] {
  const zeros = Buffer.alloc(200 * 2 ** 20);
  return [
    ['twice.pdf', onePage(deflateSync(deflateSync(zeros, { level: 9 })), '/Filter [/FlateDecode /FlateDecode]')],
    ['gigapixels.png', png(60_000, 60_000, Buffer.alloc(1000))],
    ['looped.tiff', tiff(60_000, 60_000)],
    ['zeros.zip', zip([{ name: 'zeros.bin', content: zeros }])],
    [
      'word.docx',
      zip([
        { name: '[Content_Types].xml', content: Buffer.from('<Types/>') },
        { name: 'word/document.xml', content: zeros },
      ]),
    ],
  ];
}

async function expectHonestFilesToPass(name: string): Promise<void> {
  expect(await endOf([[`${name}.pdf`, variant(name)]])).toEqual([expect.stringMatching(/^(done|needs_review)$/)]);
  const { body } = await person.get(`/api/documents?q=${encodeURIComponent('Ferritin')}&limit=1`);
  expect((await person.get(`/api/documents/${body.items[0].id}/pages/1/image?width=777`)).status).toBe(200);
}

function expectLittleMemory(): void {
  const peak = peakMemory(served.process.pid);
  if (peak !== null) expect(peak).toBeLessThan(MAX_MEMORY);
}

describe('a file that costs too much', () => {
  it('fails alone: PDFs after it are read, and pages of earlier ones are shown', LONG, async () => {
    expect(await endOf([['lines.pdf', pathBomb(60 * 2 ** 20)]])).toEqual(['failed reading.file_too_demanding']);
    for (const name of ['first', 'second', 'third']) await expectHonestFilesToPass(name);
    expectLittleMemory();
  });

  it('takes no honest file of the inbox with it', LONG, async () => {
    const inbox = join(served.vault, 'inbox', patientSlug);
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, 'bomb.pdf'), pathBomb(61 * 2 ** 20));
    for (const name of ['one', 'two', 'three']) writeFileSync(join(inbox, `${name}.pdf`), variant(name));
    await expect
      .poll(async () => (await person.get('/api/documents?limit=100')).body.total, { timeout: 120_000 })
      .toBe(8);
    await person.idle(240);
    const { body } = await person.get('/api/documents?limit=100');
    const failed = (body.items as { status: string; original_filename: string }[]).filter(
      (item) => item.status === 'failed',
    );
    expect(failed.map((item) => item.original_filename).sort()).toEqual(['bomb.pdf', 'lines.pdf']);
    expect((await person.get('/api/trash')).body.items).toEqual([]);
  });

  itInDepth('costs no more memory when four come at once', async () => {
    const bomb = pathBomb(150 * 2 ** 20);
    const files = ['a', 'b', 'c', 'd'].map((name): [string, Buffer] => [
      `${name}.pdf`,
      Buffer.concat([bomb, Buffer.from(`\n% ${name}\n`)]),
    ]);
    for (const end of await endOf(files)) expect(end).toMatch(/^failed reading\.file_too_demanding$|^4\d\d /);
    await expectHonestFilesToPass('after four');
    expectLittleMemory();
  });

  itInDepth('is left as too large after the first pages if it has much text, and costs little memory', async () => {
    expect(await endOf([['text.pdf', textBomb(1000)]])).toEqual(['failed reading.document_too_large']);
    await expectHonestFilesToPass('after text');
    expectLittleMemory();
  });
});

describe('a folder of bombs', () => {
  // Made before the first request: it keeps this process busy for longer than the core keeps an idle connection.
  const files = makeFolder();

  it('is refused or read within the limit of memory', async () => {
    for (const file of files) {
      const [end] = await endOf([file]);
      expect([file[0], end]).toEqual([file[0], expect.stringMatching(/^(done|needs_review|failed|undefined|4\d\d)/)]);
    }
    await expectHonestFilesToPass('after the folder');
    expectLittleMemory();
  });
});
