import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';
import { filesBelowIfPresent } from '../support/files.ts';

let served: Served, person: Client, report: Buffer;
beforeAll(async () => {
  served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
  report = Buffer.from(await labReport());
});
afterAll(() => served.remove());

/** What did not become a document leaves neither row nor file, and the program goes on. */
afterEach(async () => {
  const { body } = await person.get('/api/documents');
  for (const { id } of body.items as { id: number }[])
    await person.call('DELETE', `/api/trash/${(await person.call('DELETE', `/api/documents/${id}`)).body.trash_id}`);
  await expect
    .poll(() =>
      ['tmp', 'inbox', 'patients', 'unclassified', 'trash'].flatMap((folder) =>
        filesBelowIfPresent(join(served.vault, folder)),
      ),
    )
    .toEqual([]);
  expect((await person.get('/health')).status).toBe(200);
});

interface Sending {
  headers?: Record<string, string>;
  /** Bytes that are written, whatever the headers say. */ body: Buffer;
  /** Hang up after them. */ hangUp?: boolean;
  path?: string;
  halfClose?: boolean;
}

/** An upload written byte by byte; answers status and code, or null when the server hung up without a word. */
function upload({
  headers = {},
  body,
  hangUp = false,
  halfClose = false,
  path = '/api/documents/upload?patient_id=1',
}: Sending): Promise<[number, string | undefined] | null> {
  const lines: Record<string, string> = {
    Host: new URL(served.url).host,
    Cookie: person.cookie,
    'X-Requested-With': 'XMLHttpRequest',
    Connection: 'close',
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': String(body.length),
    ...headers,
  };
  return new Promise((resolve) => {
    let text = '';
    const answer = (): void =>
      resolve(text.startsWith('HTTP') ? [Number(text.slice(9, 12)), /"code":"([\w.]+)"/.exec(text)?.[1]] : null);
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\n${Object.entries(lines)
          .filter(([, value]) => value !== '')
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n`,
      );
      socket.write(body, () => {
        if (hangUp) socket.destroy();
        if (halfClose) socket.end();
      });
    });
    socket
      .on('data', (chunk) => {
        text += chunk.toString();
      })
      .on('close', answer)
      .on('error', () => undefined)
      .setTimeout(15_000, () => socket.destroy());
  });
}

const part = (disposition: string, content: Buffer | string, more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const file = (content: Buffer, name = 'a.pdf'): Buffer =>
  part(`name="file"; filename="${name}"`, content, 'Content-Type: application/pdf\r\n');
const END = Buffer.from('--b--\r\n');
const whole = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, END]);

describe('an upload that is cut off', () => {
  it('leaves nothing behind at any offset', async () => {
    const body = whole(file(report));
    const places = [
      0,
      1,
      3,
      20,
      60,
      body.indexOf('%PDF'),
      body.indexOf('%PDF') + 100,
      Math.floor(body.length / 2),
      body.length - END.length - 1,
      body.length - END.length + 2,
      body.length - 3,
    ];
    for (const place of places) {
      await upload({ body: body.subarray(0, place), headers: { 'Content-Length': String(body.length) }, hangUp: true });
      expect([place, (await person.get('/api/documents')).body.total]).toEqual([place, 0]);
    }
  });

  it('is rejected when it has fewer bytes than announced', async () => {
    const body = whole(file(report));
    // Node's own parser may be the one that notices.
    expect([null, '400 request.aborted', '400 ']).toContain(
      (await upload({ body, headers: { 'Content-Length': String(body.length + 5000) }, halfClose: true }))?.join(' ') ??
        null,
    );
  });

  it('leaves nothing behind when a chunked body ends early', async () => {
    const body = whole(file(report));
    const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body.subarray(0, body.length - 100)]);
    await upload({ body: chunk, headers: { 'Content-Length': '', 'Transfer-Encoding': 'chunked' }, hangUp: true });
    const broken = await upload({
      body: Buffer.from('zz\r\nnot a chunk\r\n'),
      headers: { 'Content-Length': '', 'Transfer-Encoding': 'chunked' },
    });
    expect(broken?.[0] ?? 400).toBe(400);
  });

  it('leaves nothing behind and no open file after a hundred times', async () => {
    const body = whole(file(report));
    const half = { body: body.subarray(0, 400), headers: { 'Content-Length': String(body.length) }, hangUp: true };
    const open = (): number =>
      process.platform === 'linux' ? readdirSync(`/proc/${served.process.pid}/fd`).length : 0;
    await upload(half);
    const before = open();
    await Promise.all(Array.from({ length: 100 }, () => upload(half)));
    await expect.poll(open).toBeLessThanOrEqual(before + 3);
  });
});

describe('a malformed form', () => {
  it.each<[string, () => Partial<Sending> & { body: Buffer }, string[]]>([
    [
      'without a boundary',
      () => ({ body: whole(file(report)), headers: { 'Content-Type': 'multipart/form-data' } }),
      ['400 request.malformed'],
    ],
    [
      'with another boundary',
      () => ({ body: whole(file(report)), headers: { 'Content-Type': 'multipart/form-data; boundary=other' } }),
      ['400 request.malformed', '400 upload.no_file'],
    ],
    ['without its last boundary', () => ({ body: file(report) }), ['400 request.malformed']],
    [
      'without a type',
      () => ({ body: whole(file(report)), headers: { 'Content-Type': '' } }),
      ['400 request.malformed'],
    ],
    [
      'of another type',
      () => ({ body: report, headers: { 'Content-Type': 'application/pdf' } }),
      ['400 request.malformed'],
    ],
    [
      'that says it is JSON',
      () => ({ body: Buffer.from('{}'), headers: { 'Content-Type': 'application/json' } }),
      ['400 request.malformed'],
    ],
    ['that is empty', () => ({ body: Buffer.alloc(0) }), ['400 request.malformed', '400 upload.no_file']],
    ['with nothing but its end', () => ({ body: END }), ['400 upload.no_file', '400 request.malformed']],
    [
      'with an empty part',
      () => ({ body: whole(Buffer.from('--b\r\n\r\n\r\n')) }),
      ['400 upload.no_file', '400 request.malformed'],
    ],
    ['with a file of no bytes', () => ({ body: whole(file(Buffer.alloc(0))) }), ['400 upload.empty']],
    [
      'with the file in another field',
      () => ({ body: whole(part('name="document"; filename="a.pdf"', report)) }),
      ['400 upload.no_file'],
    ],
    [
      'with a field where the file should be',
      () => ({ body: whole(part('name="file"', 'a.pdf')) }),
      ['400 upload.no_file'],
    ],
    [
      'with a thousand fields',
      () => ({ body: whole(...Array.from({ length: 1000 }, (_, i) => part(`name="f${i}"`, 'x'))) }),
      ['400 upload.no_file', '400 request.malformed'],
    ],
    [
      'with a header of a megabyte',
      () => ({ body: whole(part(`name="file"; filename="${'x'.repeat(2 ** 20)}.pdf"`, report)) }),
      ['400 request.malformed', '400 upload.no_file'],
    ],
    [
      'with a boundary of a kilobyte',
      () => ({
        body: whole(file(report)),
        headers: { 'Content-Type': `multipart/form-data; boundary=${'b'.repeat(1000)}` },
      }),
      ['400 request.malformed', '400 upload.no_file'],
    ],
  ])('%s is rejected', async (_name, make, expected) => {
    const answer = await upload(make());
    expect(expected).toContain(answer?.join(' '));
    expect((await person.get('/api/documents')).body.total).toBe(0);
  });

  it('is stored with its parameters as fields, before or after the file', async () => {
    const path = '/api/documents/upload';
    const [patient, origin, day] = [
      part('name="patient_id"', '1'),
      part('name="origin"', 'from the scanner'),
      part('name="original_date"', '2024-05-06'),
    ];
    expect(await upload({ body: whole(patient, file(report), origin, day), path })).toEqual([201, undefined]);
    const { body } = await person.get('/api/documents?limit=1');
    expect((await person.get(`/api/documents/${body.items[0].id}`)).body).toMatchObject({
      patient_id: 1,
      notes: 'from the scanner',
    });
  });

  it('may repeat a value of the query, and an empty field counts as missing', async () => {
    const body = whole(
      part('name="patient_id"', '1'),
      part('name="patient_id"', '1'),
      part('name="event_id"', ''),
      file(report),
    );
    expect(await upload({ body })).toEqual([201, undefined]);
  });

  it.each<[string, () => Buffer, number, string]>([
    ['a field that does not exist', () => whole(part('name="patient"', '1'), file(report)), 422, 'request.invalid'],
    ['an empty field that does not exist', () => whole(file(report), part('name="note"', '')), 422, 'request.invalid'],
    ['a field named like a property', () => whole(part('name="__proto__"', '1'), file(report)), 422, 'request.invalid'],
    [
      'another patient than the query',
      () => whole(part('name="patient_id"', '2'), file(report)),
      422,
      'request.invalid',
    ],
    [
      'two patients',
      () => whole(part('name="event_id"', '1'), part('name="event_id"', '2'), file(report)),
      422,
      'request.invalid',
    ],
    ['no number for an id', () => whole(part('name="event_id"', 'first'), file(report)), 422, 'request.invalid'],
    ['a second file', () => whole(file(report), file(Buffer.from('b'), 'b.pdf')), 422, 'request.invalid'],
    ['a text in the field of the file', () => whole(file(report), part('name="file"', 'x')), 422, 'request.invalid'],
    [
      'a file in a field that does not exist',
      () => whole(file(report), part('name="scan"; filename="b.pdf"', report)),
      422,
      'request.invalid',
    ],
    ['an event of nobody', () => whole(part('name="event_id"', '99'), file(report)), 404, 'document.event_not_found'],
    [
      'fifty fields and more',
      () => whole(...Array.from({ length: 55 }, () => part('name="patient_id"', '1')), file(report)),
      400,
      'request.malformed',
    ],
  ])('is rejected with %s', async (_name, make, status, code) => {
    expect(await upload({ body: make() })).toEqual([status, code]);
    expect((await person.get('/api/documents')).body.total).toBe(0);
  });

  it('is checked for access to the patient in its field as in the query', async () => {
    const owner = person.cookie;
    await person.post('/api/settings/users', { username: 'eve', password: 'correct horse stable' });
    const eve = new Client(served.url);
    await eve.post('/api/auth/login', { username: 'eve', password: 'correct horse stable' });
    try {
      person.cookie = eve.cookie;
      const body = whole(part('name="patient_id"', '1'), file(report));
      expect(await upload({ body, path: '/api/documents/upload' })).toEqual([403, 'auth.forbidden']);
      expect(await upload({ body, path: '/api/documents/upload?patient_id=1' })).toEqual([403, 'auth.forbidden']);
    } finally {
      person.cookie = owner;
    }
    expect((await person.get('/api/documents')).body.total).toBe(0);
  });

  it('that replaces a file has no other field', async () => {
    await upload({ body: whole(file(report)) });
    const { id } = (await person.get('/api/documents')).body.items[0];
    const other = Buffer.from(await labReport({ seed: 2 }));
    const path = `/api/documents/${id}/replace-file`;
    const noted = whole(file(other), part('name="note"', 'x'));
    expect(await upload({ body: noted, path })).toEqual([422, 'request.invalid']);
    expect(await upload({ body: whole(file(other)), path })).toEqual([200, undefined]);
    for (const item of (await person.get('/api/trash')).body.items)
      await person.call('DELETE', `/api/trash/${item.id}`);
  });

  it('is stored without a file name, or with a name in another field', async () => {
    expect(
      (
        await upload({ body: whole(part('name="file"; filename=""', report, 'Content-Type: application/pdf\r\n')) })
      )?.[0] ?? 0,
    ).toBeGreaterThanOrEqual(200);
  });

  it('is rejected before its bytes are stored when the patient is missing or not accessible', async () => {
    for (const query of ['patient_id=999', 'patient_id=0', 'patient_id=abc', 'patient_id=1&event_id=99']) {
      const answer = await upload({ body: whole(file(report)), path: `/api/documents/upload?${query}` });
      expect([query, [403, 404, 422].includes(answer?.[0] ?? 0)]).toEqual([query, true]);
    }
  });
});
