/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { letter, photographedPage } from '../support/sample-documents.ts';
import { ENCRYPTED, BACKUP_PASSWORD, phoneClient, phoneFolders, PLAIN, TOKEN } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served, folders: Awaited<ReturnType<typeof phoneFolders>>, ann: Client, session: string;
const LETTER = fileIdOf('MediaDomain', 'Library/SMS/Attachments/ab/33/Laborbefund.pdf');
const SCAN = fileIdOf(
  'AppDomainGroup-group.com.apple.notes',
  'Accounts/LocalAccount/FallbackPDFs/SCAN-1/1_G/FallbackPDF.pdf',
);
const paper = (text: string): Promise<Uint8Array> => letter([[{ text, y: 700 }]]);
/** The day on the clocks of this computer, and so of the service. */
const here = (instant: number): string => new Date(instant).toLocaleDateString('sv-SE');
const inCore = (path: string): string => `/api/phone${path}`;
const withSession = (token = session): Record<string, string> => ({ 'X-Backup-Session': token });

beforeAll(async () => {
  folders = await phoneFolders(26, [
    {
      domain: 'MediaDomain',
      path: 'Library/SMS/Attachments/ab/33/Laborbefund.pdf',
      content: await paper('Laborbefund ohne Datum'),
      modifiedAt: Date.UTC(2023, 2, 1, 12) / 1000,
    },
    {
      domain: 'CameraRollDomain',
      path: 'Media/PhotoData/Thumbnails/V2/DCIM/100APPLE/IMG_0001.HEIC/5005.JPG',
      content: await photographedPage(),
    },
    { domain: 'MediaDomain', path: 'Library/Caches/Befund-cache.pdf', content: '%PDF-1.4 cached' },
    { domain: 'MediaDomain', path: 'Ticket.pdf', content: '%PDF-1.4 ticket' },
  ]);
  served = await serve({ env: { ...folders.env, VAULT_PIPELINE_WATCH: 'false' } });
  ann = new Client(served.url);
  await ann.setup();
  await ann.get(inCore('/backups'));
  session = (await ann.post(inCore(`/backups/${ENCRYPTED}/unlock`), { password: BACKUP_PASSWORD })).body
    .session_token as string;
});
afterAll(async () => {
  await served.remove();
  folders.remove();
});

describe('the same service in the core', () => {
  it('responds to a logged-in administrator without the token, and to no other caller', async () => {
    expect((await ann.get(inCore('/backups'))).body.backups).toHaveLength(2);
    expect((await ann.get(inCore(`/backups/${ENCRYPTED}/domains`), withSession())).status).toBe(200);
    expect((await ann.get(inCore(`/backups/${ENCRYPTED}/domains`))).body).toMatchObject({
      code: 'phone.session_invalid',
    });
    expect((await ann.get(inCore(`/backups/${ENCRYPTED}/files?limit=0`), withSession())).status).toBe(400);
    expect((await new Client(served.url).get(inCore('/backups'))).status).toBe(401);
    expect((await new Client(served.url).get(inCore('/backups'), { 'X-API-Token': TOKEN })).status).toBe(401);
    const foreign = await fetch(`${served.url}${inCore('/backups/refresh')}`, {
      method: 'POST',
      headers: { cookie: ann.cookie, origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });

  it('shares sessions with the other port, and reports its address', async () => {
    expect((await phoneClient(served.backupsUrl).get(`/backups/${ENCRYPTED}/domains`, session)).status).toBe(200);
    expect((await ann.get('/api/phone-service')).body).toEqual({
      url: served.backupsUrl,
      api_token: TOKEN,
      base_directory: folders.base,
    });
  });
});

describe('suggestions', () => {
  it('lists likely medical files first, and omits files of apps', async () => {
    await phoneClient(served.backupsUrl).index(ENCRYPTED, session);
    const { items, total } = (await ann.get(inCore(`/backups/${ENCRYPTED}/suggestions`), withSession())).body;
    expect(total).toBe(items.length);
    const byName = Object.fromEntries(
      items.map((item: { filename: string; reasons: string[]; likelihood: number }) => [item.filename, item.reasons]),
    );
    expect(byName['Laborbefund.pdf']).toEqual(['pdf', 'name']);
    expect(byName['Befund.pdf']).toEqual(expect.arrayContaining(['pdf', 'name', 'text']));
    expect(byName['Arztbrief.pdf']).toEqual(expect.arrayContaining(['scan', 'pdf', 'name']));
    expect(byName['roentgen.jpg']).toEqual(expect.arrayContaining(['name']));
    expect(byName['IMG_4711.HEIC']).toEqual(expect.arrayContaining(['picture_of_document', 'text']));
    expect(Object.keys(byName)).not.toContain('IMG_0002.JPG');
    expect(Object.keys(byName)).not.toContain('Befund-cache.pdf');
    expect(Object.keys(byName)).not.toContain('Ticket.pdf');
    expect(items[0].likelihood).toBeGreaterThanOrEqual(items.at(-1).likelihood);
  });
});

describe('sending to the vault', () => {
  const send = (items: unknown[], more: object = {}) =>
    ann.post('/api/phone-service/send', {
      backup_id: ENCRYPTED,
      session_token: session,
      patient_id: 1,
      items,
      ...more,
    });

  it('stores a file by the ordinary upload, with its origin and date', async () => {
    const { status, body } = await send([{ file_id: LETTER, origin: 'Nachricht von Dr. Frisch' }]);
    expect([status, body.items[0]]).toMatchObject([
      200,
      { status: 'pending', filename: 'Laborbefund.pdf', document_id: expect.any(Number), code: null },
    ]);
    const id = body.items[0].document_id as number;
    const day = here(Date.UTC(2023, 2, 1, 12));
    expect((await ann.get(`/api/documents/${id}`)).body).toMatchObject({
      patient_id: 1,
      event_date: day,
      notes:
        `Nachricht von Dr. Frisch\nTest phone · ${here(Date.UTC(2023, 10, 14, 22, 13, 20))} · ` +
        'MediaDomain · Library/SMS/Attachments/ab/33/Laborbefund.pdf',
    });
    await ann.idle();
    const read = (await ann.get(`/api/documents/${id}`)).body;
    expect([
      read.event_date,
      read.notes.split('\n')[0],
      (read.review_reasons ?? []).some(({ code }: { code: string }) => code === 'no_event_date'),
    ]).toEqual([day, 'Nachricht von Dr. Frisch', false]);
  });

  it('recognizes files that it has, and marks them among the suggestions', async () => {
    const { body } = await send([{ file_id: LETTER }]);
    expect(body.items[0]).toMatchObject({ status: 'duplicate', document_id: expect.any(Number) });
    const { items } = (await ann.get(inCore(`/backups/${ENCRYPTED}/suggestions`), withSession())).body;
    expect(items.find(({ file_id }: { file_id: string }) => file_id === LETTER).document_id).toBe(
      body.items[0].document_id,
    );
  });

  it('reports why each file was rejected, and accepts the others', async () => {
    const { body } = await send([
      { file_id: 'f'.repeat(40) },
      { file_id: fileIdOf('HomeDomain', 'Library/SMS/sms.db') },
      { file_id: SCAN, filename: 'Arztbrief.pdf', original_date: '2022-05-06' },
    ]);
    expect(body.items.map(({ status, code }: { status: string; code: string | null }) => [status, code])).toEqual([
      ['refused', 'phone.file_not_found'],
      ['refused', expect.stringMatching(/^upload\./)],
      ['refused', expect.stringMatching(/^upload\./)],
    ]);
  });

  it('needs the session of this backup, and write access to the patient', async () => {
    const other = (await ann.post(inCore(`/backups/${PLAIN}/unlock`), { password: '' })).body.session_token as string;
    expect(await send([{ file_id: LETTER }], { session_token: other })).toMatchObject({
      status: 403,
      body: { code: 'phone.session_mismatch' },
    });
    expect(await send([{ file_id: LETTER }], { session_token: 'over' })).toMatchObject({
      status: 401,
      body: { code: 'phone.session_invalid' },
    });
    expect((await send([{ file_id: LETTER }], { patient_id: 99 })).status).toBe(404);
    expect((await send([])).status).toBe(422);
  });

  it('accepts origin and date of an ordinary upload', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await paper('Aus dem Browser'))]), 'export.pdf');
    const { body } = await ann.call(
      'POST',
      `/api/documents/upload?patient_id=1&origin=${encodeURIComponent('Notiz «Befunde»')}&original_date=2021-02-03`,
      form,
    );
    expect((await ann.get(`/api/documents/${body.document_id}`)).body).toMatchObject({
      notes: 'Notiz «Befunde»',
      event_date: '2021-02-03',
    });
  });
});

describe('health', () => {
  const sendHealth = (body: object) =>
    ann.post('/api/phone-service/send-health', { backup_id: ENCRYPTED, patient_id: 1, ...body });

  it('adds the selected types and sources once per day, marked by their source', async () => {
    const first = await sendHealth({ types: ['body_mass', 'heart_rate'], sources: ['Withings'] });
    expect([first.status, first.body]).toEqual([
      200,
      {
        added: 1,
        already_there: 0,
        types: [
          { type: 'body_mass', added: 1, already_there: 0 },
          { type: 'heart_rate', added: 0, already_there: 0 },
        ],
      },
    ]);
    expect((await sendHealth({ types: ['body_mass'], sources: ['Withings'] })).body).toMatchObject({
      added: 0,
      already_there: 1,
    });
    const { items } = (await ann.get('/api/lab-results?patient_id=1&limit=100')).body;
    expect(
      items.find(({ test_name_original }: { test_name_original: string }) => test_name_original === 'Body mass'),
    ).toMatchObject({
      value: 70.5,
      unit: 'kg',
      test_date: '2023-01-01',
      panel_name: 'Withings (Test phone)',
      document_id: null,
    });
  });

  it('accepts values that a page read, once, and only measurements', async () => {
    const send = (measurements: object[], more: object = {}) =>
      ann.post('/api/phone-service/measurements', { patient_id: 1, device: 'iPhone von Elena', measurements, ...more });
    const value = { type: 'waist_circumference', value: 0.81, unit: 'm', date: '2023-02-01', source: 'Withings' };
    expect((await send([value])).body).toEqual({ added: 1, already_there: 0 });
    expect((await send([{ ...value, value: 0.82 }])).body).toEqual({ added: 0, already_there: 1 });
    const { items } = (await ann.get('/api/lab-results?patient_id=1&limit=100')).body;
    expect(
      items.find(
        ({ test_name_original }: { test_name_original: string }) => test_name_original === 'Waist circumference',
      ),
    ).toMatchObject({ value: 0.82, unit: 'm', test_date: '2023-02-01', panel_name: 'Withings (iPhone von Elena)' });
    expect(await send([value, { ...value, type: 'step_count' }])).toMatchObject({
      status: 422,
      body: { code: 'phone.unsupported_type' },
    });
    expect((await send([])).status).toBe(422);
    expect((await send([value], { patient_id: 99 })).status).toBe(404);
  });

  it('adds each sample on request, and only measurements', async () => {
    expect(
      (
        await sendHealth({
          types: ['blood_pressure_systolic', 'blood_pressure_diastolic'],
          daily: false,
          from: '2023-01-01',
          to: '2023-01-31',
        })
      ).body.added,
    ).toBe(2);
    expect(await sendHealth({ types: ['step_count'] })).toMatchObject({
      status: 422,
      body: { code: 'phone.unsupported_type' },
    });
    expect((await sendHealth({ types: ['body_mass'], from: '2024-01-01' })).body.added).toBe(0);
  });
});
