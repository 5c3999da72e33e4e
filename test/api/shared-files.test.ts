import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { enter, Recipient, type OpenShare } from '../support/recipient.ts';
import { letter } from '../support/sample-documents.ts';
import { test } from '../support/fixtures.ts';

let household: Household, owner: Client, door: string;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always', VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1' },
});
it.beforeAll(async ({ served, household: records }) => {
  household = records;
  owner = household.as('owner');
  door = served.shareUrl ?? '';
});

let addresses = 0;
/** A device of its own network, so that no limit of another one applies. */
const device = (): Recipient => new Recipient(door, `198.51.${(addresses += 1) % 250}.${addresses % 200}`);

async function share(documents: number[] = [household.make.document()], more: object = {}): Promise<OpenShare> {
  const { status, body } = await owner.post('/api/shares', {
    patient_id: household.patient,
    document_ids: documents,
    recipient_label: 'Dr. Frisch',
    recipient_contact: '+41 31 555 01 02',
    ...more,
  });
  expect([status, Object.keys(body).sort()]).toEqual([201, ['expires_at', 'id', 'share_id', 'share_url']]);
  return { id: body.share_id, token: body.share_url.split('/').at(-1) };
}
const trail = async ({ id }: OpenShare): Promise<{ action: string }[]> =>
  (await owner.get(`/api/shares/${id}/audit`)).body.audit;

async function opened(
  document = household.make.document(),
): Promise<{ one: OpenShare; doctor: Recipient; path: string }> {
  const one = await share([document]);
  const doctor = device();
  await enter(owner, doctor, one);
  return { one, doctor, path: `/api/share/documents/${document}` };
}
/** The reply to a request as it arrives. */
function stream({ cookie }: Recipient, path: string): Promise<IncomingMessage> {
  const { port } = new URL(door);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { cookie }, agent: false }, resolve).on('error', reject).end();
  });
}

describe('the file of a shared document', () => {
  it('is a copy drawn anew, which no cache keeps and no range or HEAD request takes unseen', async () => {
    const { one, doctor, path } = await opened();
    const { status, headers, text } = await doctor.get(`${path}/file`, { range: 'bytes=5-' });
    expect([status, headers['content-type'], headers['cache-control'], headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'no-store',
      'inline; filename=""',
    ]);
    expect([headers['etag'], headers['content-range'], text.startsWith('%PDF-'), text.includes('/Font')]).toEqual([
      undefined,
      undefined,
      true,
      false,
    ]);
    expect((await doctor.call('HEAD', `${path}/file`)).status).toBe(200);
    const page = await doctor.get(`${path}/pages/1/image`);
    expect([page.status, page.headers['content-type'], page.text.slice(1, 4)]).toEqual([200, 'image/png', 'PNG']);
    expect((await doctor.get(`${path}/pages/2/image`)).body.code).toBe('document.page_not_found');
    expect((await trail(one)).map(({ action }) => action).filter((action) => action.startsWith('view'))).toEqual([
      'view_file_failed',
      'view_file',
      'view_file',
      'view_file',
    ]);
  });

  it('is refused if it can’t be drawn, is missing, or lies outside of the folders for documents', async () => {
    const { make, db } = household;
    const document = make.document();
    const { one, doctor, path } = await opened(document);
    const set = (column: string, value: unknown) =>
      db.prepare(`UPDATE documents SET ${column} = ? WHERE id = ?`).run(value, document);
    const file = make.pathOf(document);
    set('mime_type', 'application/dicom');
    expect((await doctor.get(`${path}/file`)).body.code).toBe('share.file_not_showable');
    set('mime_type', 'application/pdf');
    for (const outside of ['vault.db', 'secret.key', '../x.pdf', 'patients/none.pdf', '']) {
      set('file_path', outside);
      const { status, body } = await doctor.get(`${path}/file`);
      expect([outside, status, body.code]).toEqual([
        outside,
        expect.any(Number),
        expect.stringMatching(/^(document|vault)\./),
      ]);
      expect([400, 404]).toContain(status);
    }
    set('file_path', file);
    writeFileSync(join(household.vault, file), 'not a PDF');
    expect((await doctor.get(`${path}/file`)).status).toBeGreaterThanOrEqual(400);
    expect((await trail(one))[0]).toMatchObject({ action: 'view_file_failed', document_id: document });
  });

  it('bears a recipient’s name of 200 characters all over the page', async () => {
    const one = await share([household.make.document()], {
      recipient_label: 'Praxis '.repeat(40).slice(0, 200).trim(),
    });
    const doctor = device();
    await enter(owner, doctor, one);
    const [{ id }] = (await doctor.get('/api/share/me')).body.documents;
    const reply = await fetch(`${door}/api/share/documents/${id}/pages/1/image`, {
      headers: { cookie: doctor.cookie },
    });
    const { data, info } = await sharp(await reply.arrayBuffer())
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const stamped = Array<number>(16).fill(0);
    data.forEach((value, at) => {
      const cell =
        Math.floor((Math.floor(at / info.width) * 4) / info.height) * 4 +
        Math.floor(((at % info.width) * 4) / info.width);
      if (value > 25 && value < 230) stamped[cell] = (stamped[cell] ?? 0) + 1;
    });
    expect([reply.status, stamped.filter((count) => count < 500)]).toEqual([200, []]);
  });

  it('and the picture of a translated part are stamped alike', async () => {
    const document = household.make.document();
    const region = household.make.region(document);
    const { doctor, path } = await opened(document);
    const { status, headers } = await doctor.get(`${path}/region-translations/${region}/thumbnail`);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', 'no-store']);
    const other = household.make.region(household.make.document());
    // The household's translation of stored words, of which the page may show only some.
    const stored = household.make.region(document, { ocr_provider_id: null, ocr_text: 'geheim' });
    for (const hidden of [other, stored])
      expect((await doctor.get(`${path}/region-translations/${hidden}/thumbnail`)).status).toBe(404);
    const { region_translations: rows } = (await doctor.get(path)).body;
    expect(rows.map(({ id }: { id: number }) => id)).toEqual([region]);
  });

  it('stops in the middle when the document is taken out of the share, whose other documents stay', async () => {
    const { make, db, vault } = household;
    const [document, other] = [make.document(), make.document()];
    const pages = Array.from({ length: 40 }, (_, n) => [{ text: `Page ${n}`, y: 100 }]);
    writeFileSync(join(vault, make.pathOf(document)), await letter(pages));
    db.prepare('UPDATE documents SET page_count = 40 WHERE id = ?').run(document);
    const one = await share([document, other]);
    const doctor = device();
    await enter(owner, doctor, one);
    const incoming = await stream(doctor, `/api/share/documents/${document}/file`);
    await once(incoming, 'data');
    const broken = once(incoming, 'error');
    incoming.pause();
    const takeOut = (id: number) => owner.call('DELETE', `/api/shares/${one.id}/documents/${id}`);
    const { status, body } = await takeOut(document);
    expect([status, body.document_ids]).toEqual([200, [other]]);
    incoming.resume();
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
    for (const tail of ['', '/file', '/pages/1/image', '/pages/1/text'])
      expect([tail, (await doctor.get(`/api/share/documents/${document}${tail}`)).body.code]).toEqual([
        tail,
        'document.not_found',
      ]);
    const { documents } = (await doctor.get('/api/share/me')).body;
    expect(documents.map(({ id }: { id: number }) => id)).toEqual([other]);
    // It is done once, and can be taken back.
    await takeOut(document);
    await owner.post(`/api/shares/${one.id}/documents`, { document_ids: [document] });
    expect((await doctor.get(`/api/share/documents/${document}`)).status).toBe(200);
    const removals = (await trail(one)).filter(({ action }) => action === 'share.documents.remove');
    expect(removals).toMatchObject([{ document_id: document }]);
    const logged = await household.as('keeper').get('/api/settings/audit-log?action=share.documents.remove');
    expect(logged.body.items[0]).toMatchObject({ resource_id: one.id, details: { document_id: document } });
    await owner.call('DELETE', `/api/shares/${one.id}`);
    expect((await takeOut(other)).body.code).toBe('share.ended');
  });
});

describe('the text of a shared page', () => {
  const [FIRST, SECOND] = [
    ['Ferritin 24 µg/L', 'Hämoglobin 13.4 g/dL', 'Quick 98 %'],
    ['The second page of this paper has a sentence', 'that goes on in the next line.'],
  ] as const;
  const page = (lines: readonly string[]) => [
    ...lines.map((text, line) => ({ text, y: 100 + line * 20 })),
    { text: 'zz', y: 400, isHidden: true },
  ];
  async function paper(): Promise<number> {
    const document = household.make.document();
    const bytes = await letter([page(FIRST), page(SECOND)]);
    writeFileSync(join(household.vault, household.make.pathOf(document)), bytes);
    household.db.prepare('UPDATE documents SET page_count = 2 WHERE id = ?').run(document);
    return document;
  }

  it('is what the page shows, one page at a time, kept by no cache, and in the trail like the page', async () => {
    const { one, doctor, path } = await opened(await paper());
    const { status, headers, body } = await doctor.get(`${path}/pages/1/text`);
    expect([status, headers['cache-control'], body]).toEqual([
      200,
      'no-store',
      { page: 1, text: FIRST.join('\n'), is_cut: false },
    ]);
    expect((await doctor.get(`${path}/pages/2/text`)).body.text).toBe(SECOND.join('\n'));
    const beyond = await doctor.get(`${path}/pages/3/text`);
    expect([beyond.status, beyond.body.code]).toEqual([404, 'document.page_not_found']);
    const seen = (await trail(one)).map(({ action }) => action).filter((action) => action.startsWith('view'));
    expect(seen).toEqual(['view_file_failed', 'view_text', 'view_text']);
    const logged = await household.as('keeper').get('/api/settings/audit-log?action=view_text');
    expect(logged.body.items[0]).toMatchObject({ resource_id: one.id, user_id: null });
  });

  it('follows the file, and ends with the share', async () => {
    const document = await paper();
    const { one, doctor, path } = await opened(document);
    expect((await doctor.get(`${path}/pages/1/text`)).body.text).toBe(FIRST.join('\n'));
    writeFileSync(join(household.vault, household.make.pathOf(document)), await letter([page(SECOND)]));
    expect((await doctor.get(`${path}/pages/1/text`)).body.text).toBe(SECOND.join('\n'));
    await owner.call('DELETE', `/api/shares/${one.id}`);
    expect((await doctor.get(`${path}/pages/1/text`)).status).toBe(401);
  });
});

describe('the images of a shared study', () => {
  it('leave as stamped pictures of frames, each noted in the trail, and as nothing else', async () => {
    const { document, study, series, folder } = household.make.study();
    const { one, doctor, path } = await opened(document);
    const { documents } = (await doctor.get('/api/share/me')).body;
    expect(documents).toMatchObject([{ id: document, num_images: 3, page_count: null }]);
    expect((await owner.get(`/api/shares/${one.id}/documents`)).body).toEqual(documents);
    const [shared] = (await doctor.get(path)).body.imaging_studies;
    expect(shared).toMatchObject({ id: study, modality: 'CT', series: [{ series_id: series, num_images: 3 }] });
    expect(JSON.stringify(shared)).not.toContain(folder);
    const frame = `${path}/series/${series}/frame`;
    const { status, headers, text } = await doctor.get(`${frame}/0?wc=1799&ww=1`);
    expect([status, headers['content-type'], headers['cache-control'], text.slice(1, 4)]).toEqual([
      ...[200, 'image/png', 'no-store', 'PNG'],
    ]);
    expect((await doctor.get(`${frame}/2`)).status).toBe(200);
    const trails = (await trail(one)).filter(({ action }) => action === 'view_file');
    expect(trails).toMatchObject([{ document_id: document }, { document_id: document }]);
    const refused = [`${frame}/3`, `${path}/series/${series + 1000}/frame/0`, `${frame}/0?ww=0`];
    expect(await Promise.all(refused.map(async (address) => (await doctor.get(address)).status))).toEqual([
      ...[404, 404, 422],
    ]);
    const raw = [
      `/api/imaging/${study}`,
      `/api/imaging/${study}/series/${series}/frame/0?format=dicom`,
      `/api/imaging/${study}/series/${series}/frame/0/pixels`,
    ];
    for (const address of raw) expect([address, (await doctor.get(address)).status]).not.toContain(200);
  });

  it('belong to the document that is shared: those of others are not found', async () => {
    const hidden = household.make.study();
    const { doctor, path } = await opened();
    const address = `/series/${hidden.series}/frame/0`;
    expect((await doctor.get(path + address)).body.code).toBe('imaging.frame_not_found');
    expect((await doctor.get(`/api/share/documents/${hidden.document}${address}`)).body.code).toBe(
      'document.not_found',
    );
  });
});

describe('a file that is being sent', () => {
  // The second one ends the service, so these come last.
  it.for([
    ['the share is revoked', 'owner', (id: string) => `/api/shares/${id}`],
    ['an administrator closes everything', 'keeper', () => '/api/shares/listener'],
  ] as const)('stops in the middle when %s', async ([, name, pathOf]) => {
    const { make, db, vault } = household;
    const document = make.document();
    const pages = Array.from({ length: 40 }, (_, n) => [{ text: `Page ${n}`, y: 100 }]);
    writeFileSync(join(vault, make.pathOf(document)), await letter(pages));
    db.prepare('UPDATE documents SET page_count = 40 WHERE id = ?').run(document);
    const { one, doctor, path } = await opened(document);
    const incoming = await stream(doctor, `${path}/file`);
    await once(incoming, 'data');
    const broken = once(incoming, 'error');
    incoming.pause();
    await household.as(name).call('DELETE', pathOf(one.id));
    incoming.resume();
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
  });
});
