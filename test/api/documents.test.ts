import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { sendBytes } from '../support/raw-http.ts';
import { labReport, letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served, person: Client;
beforeAll(async () => {
  served = await serve();
  person = new Client(served.url);
  await person.setup();
});
afterAll(() => served.remove());

/** fetch adds no-cache to conditional requests; a browser's own cache does not. */
const statusOf = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(served.url + path, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
const zipped = (files: Record<string, Uint8Array>): Promise<Buffer> =>
  new Promise((resolve) => {
    const zip = new ZipFile();
    for (const [name, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), name);
    zip.end();
    const chunks: Buffer[] = [];
    zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)));
  });

describe('a document from upload to trash', () => {
  it('is stored, read, filed and returned with all extracted values', async () => {
    const up = await person.upload(await labReport({ seed: 3 }), 'Labor März.pdf');
    expect([up.status, up.body]).toEqual([
      201,
      { filename: 'Labor März.pdf', status: 'pending', document_id: 1, message: expect.any(String) },
    ]);
    await person.idle();
    const { body } = await person.get('/api/documents/1');
    expect(body).toMatchObject({
      status: 'done',
      doc_type: 'lab_test',
      event_date: '2025-11-12',
      doctor_name: 'Dr. med. Regula Aebischer',
      facility_name: 'Synlabor Mittelland AG',
      language_source: 'de',
      extracted_patient_name: 'Elena Keller',
      file_path: 'patients/elena-keller/2025/20251112_lab-test_synlabor-mittelland-ag.pdf',
      page_count: 1,
      ocr_engine: 'text_layer',
      llm_provider: 'builtin',
    });
    expect(body.lab_results).toHaveLength(4);
    expect(body.lab_results[1]).toMatchObject({
      test_name_original: 'Ferritin',
      value: 23,
      unit: 'µg/L',
      reference_range_low: 30,
      reference_range_high: 300,
      is_abnormal: true,
      test_date: '2025-11-12',
      evidence: { page: 1 },
    });
    expect(body.evidence.event_date).toMatchObject({ page: 1, label: 'Probenentnahme' });
  });

  it('has a row in lists with what they show, and no details of reading and filing', async () => {
    const { items } = (await person.get('/api/documents')).body;
    const names =
      'patient_name doctor_name facility_name specialty_display event_title event_type event_color highlights';
    const stored =
      'id status file_path file_size original_filename title doc_type event_date issued_date summary_en tags';
    expect(Object.keys(items[0])).toEqual(expect.arrayContaining(`${names} ${stored}`.split(' ')));
    const details =
      'ocr_text ocr_engine ocr_confidence llm_provider cost_amount insurance_policy mime_type retry_count';
    expect(Object.keys(items[0]).filter((name) => details.split(' ').includes(name))).toEqual([]);
  });

  it('is recognized by its content', async () => {
    const again = await person.upload(await labReport({ seed: 3 }), 'copy.pdf');
    expect([again.status, again.body.status, again.body.existing_document_id, again.body.existing_filename]).toEqual([
      200,
      'duplicate',
      1,
      'Labor März.pdf',
    ]);
  });

  it('is served by ranges, with its type and nosniff', async () => {
    const part = await fetch(`${served.url}/api/documents/1/file`, {
      headers: { cookie: person.cookie, range: 'bytes=0-7' },
    });
    expect([
      part.status,
      await part.text(),
      part.headers.get('content-type'),
      part.headers.get('x-content-type-options'),
    ]).toEqual([206, '%PDF-1.7', 'application/pdf', 'nosniff']);
    const etag = part.headers.get('etag') ?? '';
    expect(await statusOf('/api/documents/1/file', { cookie: person.cookie, 'if-none-match': etag })).toBe(304);
    expect(
      (
        await fetch(`${served.url}/api/documents/1/file`, {
          headers: { cookie: person.cookie, range: 'bytes=99999999-' },
        })
      ).status,
    ).toBe(416);
    expect(
      (await fetch(`${served.url}/api/documents/1/file`, { method: 'HEAD', headers: { cookie: person.cookie } }))
        .status,
    ).toBe(200);
    expect((await person.get('/api/documents/1/pages/1/image?width=300')).headers.get('content-type')).toBe(
      'image/webp',
    );
    expect((await person.get('/api/documents/1/pages/2/image')).status).toBe(404);
  });

  it('is found by words, phrases, prefixes, exclusions and fields, and an invalid query is a list or 400', async () => {
    const total = async (q: string): Promise<number> =>
      (await person.get(`/api/documents?q=${encodeURIComponent(q)}`)).body.total;
    for (const q of [
      'ferritin',
      'FERRIT*',
      'Hamoglobin',
      'Haemoglobin',
      '"synlabor mittelland"',
      'doctor:aebischer',
      'ferritin -vitamin',
      'ferritin OR nothing',
    ])
      expect([q, await total(q)]).toEqual([q, 1]);
    for (const q of ['ferritin -natrium', 'doctor:ferritin', '"mittelland synlabor"', '???'])
      expect([q, await total(q)]).toEqual([q, 0]);
    for (const q of [
      '"',
      "'",
      '(',
      ')',
      '*',
      'a AND',
      'NEAR(',
      '-x',
      '- -',
      'title:',
      '\u0000',
      'NOT',
      'a:b:c',
      '{x} : y',
      '^',
      '💊',
      'x'.repeat(900),
      '" OR 1=1 --',
      'rank',
      '%',
      'ferritin"',
      "';DROP TABLE documents",
    ]) {
      const { status } = await person.get(`/api/documents?q=${encodeURIComponent(q)}`);
      expect([q, [200, 400].includes(status)]).toEqual([q, true]);
    }
  });

  it('has what names it, and a title of its own that is found, wins over another reading, and can be removed', async () => {
    const [item] = (await person.get('/api/documents')).body.items;
    expect(item).toMatchObject({
      title: null,
      facility_name: 'Synlabor Mittelland AG',
      highlights: { results: 4, in_range: 3, out_of_range: 1, doubtful: 0, subjects: [], more: 0, total: null },
    });
    const change = (title: string | null) => person.call('PATCH', '/api/documents/1', { title });
    expect((await change('  Before the infusion ')).body).toMatchObject({
      title: 'Before the infusion',
      original_filename: 'Labor März.pdf',
    });
    const found = async () => (await person.get('/api/documents?q=infusion')).body.items;
    expect((await found()).map((hit: { title: string }) => hit.title)).toEqual(['Before the infusion']);
    // Lists and searches share their rows.
    const [listed] = (await person.get('/api/documents')).body.items;
    expect(listed).toMatchObject({ id: 1, title: 'Before the infusion' });
    expect(listed).not.toHaveProperty('snippet');
    const [suggested] = (await person.get('/api/documents/suggest?q=infus')).body.documents;
    expect(suggested).toMatchObject({ id: 1, title: 'Before the infusion', highlights: { out_of_range: 1 } });
    await person.post('/api/documents/1/reprocess', { mode: 'both' });
    await person.idle();
    expect((await person.get('/api/documents/1')).body.title).toBe('Before the infusion');
    expect((await change(' ')).body.title).toBeNull();
    expect(await found()).toEqual([]);
    expect((await change('x'.repeat(201))).status).toBe(422);
  });

  it('follows the three name rules of a change, keeps it after another reading, and moves its file', async () => {
    const made = (
      await person.call('PATCH', '/api/documents/1', {
        doctor_name: 'Dr. Peter Frisch',
        event_date: '2019-01-05',
        tags: ['iron', 'Iron', ' follow-up '],
      })
    ).body;
    expect(made).toMatchObject({
      doctor_name: 'Dr. Peter Frisch',
      event_date: '2019-01-05',
      tags: expect.stringContaining('follow-up'),
      file_path: expect.stringContaining('patients/elena-keller/2019/20190105_'),
    });
    const reused = (await person.call('PATCH', '/api/documents/1', { doctor_name: 'Frisch Peter' })).body;
    expect(reused.doctor_id).toBe(made.doctor_id);
    expect((await person.call('PATCH', '/api/documents/1', { doctor_name: null })).body.doctor_id).toBeNull();
    expect((await person.call('PATCH', '/api/documents/1', { doctor_id: 999 })).status).toBe(404);
    expect((await person.call('PATCH', '/api/documents/1', { event_date: '2019-02-30' })).status).toBe(422);
    expect((await person.call('PATCH', '/api/documents/1', { surprise: 1 })).status).toBe(422);
    expect((await person.post('/api/documents/1/reprocess', { mode: 'llm' })).status).toBe(202);
    await person.idle();
    expect((await person.get('/api/documents/1')).body).toMatchObject({ event_date: '2019-01-05', doctor_id: null });
  });

  it('is renamed without changing its extension, and numbered if the name is in use', async () => {
    await person.upload(await labReport({ seed: 5 }), 'other.pdf');
    await person.idle();
    expect((await person.post('/api/documents/1/rename', { filename: 'Befund' })).body).toMatchObject({
      original_filename: 'Befund.pdf',
      file_path: expect.stringMatching(/\/Befund\.pdf$/),
    });
    await person.call('PATCH', '/api/documents/2', { event_date: '2019-03-01' });
    expect((await person.post('/api/documents/2/rename', { filename: 'Befund.pdf' })).body.file_path).toMatch(
      /\/Befund-2\.pdf$/,
    );
    for (const filename of ['', '   ', '/', '..'])
      expect((await person.post('/api/documents/2/rename', { filename })).status).toBeGreaterThanOrEqual(400);
    expect((await person.post('/api/documents/2/rename', { filename: '../../../etc/passwd' })).body.file_path).toMatch(
      /^patients\/elena-keller\/2019\/passwd\.pdf$/,
    );
  });

  it('gets a suggested name from its fields without being renamed', async () => {
    await person.call('PATCH', '/api/documents/2', { facility_name: 'Labor Zürich' });
    const before = (await person.get('/api/documents/2')).body;
    expect((await person.post('/api/documents/2/generate-filename')).body).toEqual({
      suggested_filename: '20190301_lab-test_labor-zuerich.pdf',
    });
    expect((await person.get('/api/documents/2')).body).toEqual(before);
    expect((await person.post('/api/documents/999/generate-filename')).body.code).toBe('document.not_found');
  });

  it('is moved to another patient with its rows and file', async () => {
    const { body: other } = await person.post('/api/patients', { display_name: 'Marco Bianchi' });
    const moved = (await person.post('/api/documents/2/move', { patient_id: other.id })).body;
    expect(moved).toMatchObject({
      patient_id: other.id,
      patient_name: 'Marco Bianchi',
      file_path: expect.stringContaining('patients/marco-bianchi/'),
    });
    expect(moved.lab_results.every((row: { patient_id: number }) => row.patient_id === other.id)).toBe(true);
  });

  it('is replaced only by a file of the same type, and rotated as shown', async () => {
    const form = new FormData();
    form.append(
      'file',
      new Blob([new Uint8Array(await letter([[{ text: 'A new letter', y: 100 }], [{ text: 'second page', y: 100 }]]))]),
      'new.pdf',
    );
    expect((await person.call('POST', '/api/documents/1/replace-file', form)).body.file_path).toMatch(/Befund\.pdf$/);
    const wrong = new FormData();
    wrong.append('file', new Blob(['x']), 'new.png');
    expect((await person.call('POST', '/api/documents/1/replace-file', wrong)).body.code).toBe(
      'document.extension_mismatch',
    );
    expect((await person.post('/api/documents/1/rotate', { degrees: 90, pages: [1] })).status).toBe(200);
    await person.idle();
    expect((await person.post('/api/documents/1/rotate', { degrees: 45 })).status).toBe(422);
    expect((await person.post('/api/documents/1/rotate', { degrees: 90, pages: [9] })).body.code).toBe(
      'document.page_not_found',
    );
  });

  it('is moved to the trash and restored completely', async () => {
    const before = (await person.get('/api/documents/2')).body;
    const { body: gone } = await person.call('DELETE', '/api/documents/2');
    expect(gone).toMatchObject({
      status: 'deleted',
      document_id: 2,
      undo_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect((await person.get('/api/documents/2')).status).toBe(404);
    expect((await person.post(`/api/trash/${gone.trash_id}/restore`)).body).toEqual({
      ok: true,
      document_ids: [2],
      separate_studies: [],
      not_restored: [],
    });
    expect((await person.get('/api/documents/2')).body).toEqual(before);
  });

  it('is extracted from an archive, one by one', async () => {
    const { status, body } = await person.upload(
      await zipped({
        'a/one.pdf': await labReport({ seed: 7 }),
        'a/two.pdf': await labReport({ seed: 8 }),
        'notes.txt': Buffer.from('hello'),
        '__MACOSX/._one.pdf': Buffer.from('x'),
      }),
      'letters.zip',
    );
    expect([status, body.status, body.extracted, body.other]).toEqual([201, 'extracted', 2, 1]);
    await person.idle();
  });

  it('is imported from the watched inbox', async () => {
    await mkdir(join(served.vault, 'inbox/elena-keller/scans'), { recursive: true });
    await writeFile(join(served.vault, 'inbox/elena-keller/scans/dropped.pdf'), await labReport({ seed: 9 }));
    await writeFile(join(served.vault, 'inbox/elena-keller/half.pdf.part'), 'half');
    await expect.poll(async () => (await person.get('/api/documents?q=dropped')).body.total, { interval: 300 }).toBe(1);
    await person.idle();
    expect(readdirSync(join(served.vault, 'inbox/elena-keller'))).toContain('half.pdf.part');
  });

  it('is read again as a whole by a request without a body, however it says so', async () => {
    await person.post('/api/pipeline/stop');
    const { port } = new URL(served.url);
    const head = [
      'POST /api/documents/1/reprocess HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Cookie: ${person.cookie}`,
      'X-Requested-With: XMLHttpRequest',
      'Connection: close',
    ];
    for (const more of [[], ['Content-Length: 0'], ['Content-Length: 0', 'Content-Type: text/plain']]) {
      const reply = await sendBytes(Number(port), [...head, ...more, '', ''].join('\r\n'));
      expect([more, reply.slice(9, 12)]).toEqual([more, '202']);
    }
    const text = [...head, 'Content-Length: 2', 'Content-Type: text/plain', '', '{}'].join('\r\n');
    expect((await sendBytes(Number(port), text)).slice(9, 12)).toBe('400');
    expect((await person.post('/api/pipeline/start')).body.status).toBe('started');
    expect((await person.post('/api/pipeline/start')).body.status).toBe('already_running');
    await person.idle();
    expect((await person.get('/api/documents/1')).body.status).toMatch(/done|needs_review/);
  });

  it('is canceled only while it is queued or being read', async () => {
    expect((await person.post('/api/documents/1/cancel')).body.code).toBe('document.not_queued');
  });
});
