/** @module-tag long */
import { PDFDocument } from '@cantoo/pdf-lib';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { letter } from '../support/sample-documents.ts';

/** Files that are locked or damaged: recipients get the look of their pages, or the reason in words why they don't. */

let household: Household, owner: Client, door: string;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(async ({ served, household: records }) => {
  [household, owner, door] = [records, records.as('owner'), served.shareUrl ?? ''];
});

const plain = (): Promise<Uint8Array> =>
  letter(['one', 'two', 'three'].map((word) => [{ text: `Page ${word}: Ferritin 24 µg/L, Hb 13.4 g/dL`, y: 200 }]));
async function locked(userPassword: string): Promise<Uint8Array> {
  const document = await PDFDocument.load(await plain());
  document.encrypt({ userPassword, ownerPassword: 'Wegwarte', permissions: { printing: false, copying: false } });
  return document.save({ useObjectStreams: false });
}
/** Changes the bytes of a PDF as if they were Latin-1. */
const changed = (pdf: Uint8Array, change: (text: string) => string): Uint8Array =>
  Buffer.from(change(Buffer.from(pdf).toString('latin1')), 'latin1');
async function withTable(change: (text: string) => string): Promise<Uint8Array> {
  const document = await PDFDocument.load(await plain());
  return changed(await document.save({ useObjectStreams: false }), change);
}

/** A document whose file was replaced in the vault by these bytes, in a share that somebody has open. */
function shared(bytes: Uint8Array): { document: number; get(path: string): Promise<Response> } {
  const share = household.make.share();
  writeFileSync(join(household.vault, household.make.pathOf(share.document)), bytes);
  const { cookie } = household.make.recipient(share);
  const get = (path: string): Promise<Response> =>
    fetch(`${door}/api/share/documents/${share.document}${path}`, { headers: { cookie } });
  return { document: share.document, get };
}
/** Pixels of a page that are neither white nor part of its letters: those of the stamp. */
async function stampOn(page: ArrayBuffer): Promise<number> {
  const { data } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data.reduce((sum, value) => sum + Number(value > 60 && value < 240), 0);
}

describe('a PDF', () => {
  it.for<[string, () => Promise<Uint8Array>]>([
    ['that only its owner may print and copy', () => locked('')],
    ['with a wrong place of its table', () => withTable((text) => text.replace(/startxref\s+\d+/, 'startxref\n7'))],
    [
      'with a damaged table',
      () => withTable((text) => text.replace(/xref\n0 \d+\n[\s\S]*?trailer/, 'xref\n0 3\nx\ntrailer')),
    ],
    ['without an end', () => withTable((text) => text.replace(/startxref[\s\S]*$/, ''))],
    ['with wrong lengths', () => withTable((text) => text.replace(/\/Length \d+/g, '/Length 1'))],
  ])('%s is taken in, and shown as stamped pages', async ([, make]) => {
    const bytes = await make();
    expect((await owner.upload(bytes, 'letter.pdf', household.patient)).status).toBe(201);
    const { get } = shared(bytes);
    const whole = Buffer.from(await (await get('/file')).arrayBuffer());
    expect((await PDFDocument.load(whole)).getPageCount()).toBe(3);
    expect(whole.toString('latin1')).not.toMatch(/\/(Encrypt|Font|Info)\b/);
    const page = await get('/pages/2/image');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await stampOn(await page.arrayBuffer())).toBeGreaterThan(5000);
  });

  it('whose first page is damaged is shown without it', async () => {
    const document = await PDFDocument.create();
    for (const width of [0.1, 595, 595]) document.addPage([width, 842]);
    const { get } = shared(await document.save());
    expect((await PDFDocument.load(await (await get('/file')).arrayBuffer())).getPageCount()).toBe(3);
    expect([(await get('/pages/1/image')).status, (await get('/pages/2/image')).status]).toEqual([400, 200]);
  });
});

describe('a file that nobody can open', () => {
  const problems = async (documents: readonly number[]) =>
    (await owner.get(`/api/shares/unopenable?patient_id=${household.patient}&document_ids=${documents.join(',')}`))
      .body;

  it('is refused when it is added, and its owner learns the reason before it is shared', async () => {
    const refused = await owner.upload(await locked('secret'), 'locked.pdf', household.patient);
    expect([refused.status, refused.body.code]).toEqual([400, 'upload.encrypted']);
    const fine = household.make.document();
    const [needsPassword, damaged, missing] = [
      shared(await locked('secret')),
      shared(changed(await plain(), (text) => text.slice(0, 300))),
      household.make.document(),
    ];
    household.db.prepare("UPDATE documents SET file_path = 'patients/none.pdf' WHERE id = ?").run(missing);
    const ids = [fine, needsPassword.document, damaged.document, missing];
    expect(await problems(ids)).toEqual([
      { document_id: needsPassword.document, failure: { code: 'upload.encrypted', params: {} } },
      { document_id: damaged.document, failure: { code: 'upload.damaged', params: {} } },
      { document_id: missing, failure: { code: 'document.file_missing', params: {} } },
    ]);
  });

  it('is an error with its reason for the recipient, and leaves nothing of its bytes', async () => {
    for (const [bytes, code] of [
      [await locked('secret'), 'upload.encrypted'],
      [changed(await plain(), (text) => text.slice(0, 300)), 'upload.damaged'],
    ] as const) {
      const { get } = shared(bytes);
      for (const path of ['/file', '/pages/1/image', '/pages/1/text']) {
        const reply = await get(path);
        const text = await reply.text();
        expect([path, reply.status, JSON.parse(text).code]).toEqual([path, 400, code]);
        expect(text).not.toContain('%PDF');
      }
    }
  });

  it('of somebody else stays unmentioned', async () => {
    const { make, patient, otherPatient } = household;
    make.use(otherPatient);
    const foreign = make.document();
    make.use(patient);
    const reply = await owner.get(`/api/shares/unopenable?patient_id=${patient}&document_ids=${foreign}`);
    expect([reply.status, reply.body.code]).toEqual([400, 'share.documents_not_shareable']);
  });
});
