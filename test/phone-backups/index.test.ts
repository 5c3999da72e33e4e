import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phoneBackups } from '../../src-shared/contract/phone-backups/service.ts';
import { ARTIFACTS } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { database } from '../fixtures/ios-backup/artifacts/tables.ts';
import { ENCRYPTED, BACKUP_PASSWORD, phoneClient, phoneFolders, PLAIN, type PhoneClient } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are looked at as they come
type Json = any;
let served: Served, folders: Awaited<ReturnType<typeof phoneFolders>>, phone: PhoneClient, session: string, job: Json;
const get = async (path: string, id = ENCRYPTED): Promise<Json> =>
  (await phone.get(`/backups/${id}/artifacts/${path}`)).body;

beforeAll(async () => {
  folders = await phoneFolders();
  served = await serve({ env: folders.env });
  phone = phoneClient(served.backupsUrl);
  await phone.get('/backups');
  session = await phone.unlock(ENCRYPTED);
  job = await phone.index(ENCRYPTED, session);
});
afterAll(async () => {
  await served.remove();
  folders.remove();
});

describe('index_backup_job', () => {
  it('reads every artifact, reports the rows, and marks the backup as INDEXED', async () => {
    expect(job.status).toBe('done');
    expect(job.artifacts.map(({ artifact, status }: Json) => [artifact, status])).toEqual(
      ARTIFACTS.map((artifact) => [artifact, 'done']),
    );
    expect(job.artifacts.find(({ artifact }: Json) => artifact === 'messages')).toMatchObject({
      rows: 10,
      total: 11,
      skipped: 0,
      finished_at: expect.any(String),
    });
    expect((await phone.get('/backups')).body.backups[0]).toMatchObject({
      status: 'INDEXED',
      last_indexed_at: expect.any(String),
      indexing_artifact: null,
    });
  });

  it('replaces only the requested rows when run again', async () => {
    const before = await get('messages/conversations');
    const again = await phone.index(ENCRYPTED, session, { artifacts: ['messages', 'notes'] });
    expect(again.artifacts).toHaveLength(ARTIFACTS.length);
    expect((await get('messages/conversations')).total).toBe(before.total);
    expect((await get('search?q=Befund&artifact=messages')).total).toBe(
      (await get('search?q=Befund&artifact=messages')).items.length,
    );
  });

  it('resumes where it stopped', async () => {
    const cancelled = await phone.post(`/backups/${ENCRYPTED}/index/cancel`);
    expect(cancelled.status).toBe(200);
    const { artifacts, status } = await phone.index(ENCRYPTED, session, { resume: true });
    expect([status, artifacts.every((line: Json) => line.status === 'done')]).toEqual(['done', true]);
  });

  it('keeps the old rows when it is cancelled or locked midway', async () => {
    const total = (await get('messages/conversations')).total;
    const own = await phone.unlock(ENCRYPTED);
    await phone.post(`/backups/${ENCRYPTED}/index`, {}, own);
    for (const token of [own, session]) await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, token);
    await expect.poll(async () => (await phone.get(`/backups/${ENCRYPTED}/index`)).body.status).not.toBe('running');
    expect((await get('messages/conversations')).total).toBe(total);
    session = await phone.unlock(ENCRYPTED);
    expect((await phone.index(ENCRYPTED, session, { resume: true })).status).toBe('done');
  });

  it('indexes the readable part of a damaged database, and reports the rest', async () => {
    await folders.add({
      name: 'damaged',
      folder: '',
      entries: [
        {
          domain: 'HomeDomain',
          path: 'Library/SMS/sms.db',
          content: Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]),
        },
        {
          domain: 'HomeDomain',
          path: 'Library/CallHistoryDB/CallHistory.storedata',
          content: database(folders.base, { ZCALLRECORD: { columns: 'Z_PK INTEGER PRIMARY KEY', rows: [[1]] } }),
        },
      ],
    });
    await phone.post('/backups/refresh');
    const damaged = await phone.index('damaged', await phone.unlock('damaged', ''));
    expect(damaged.status).toBe('failed');
    expect(
      damaged.artifacts
        .filter(({ status }: Json) => status !== 'absent')
        .map(({ artifact, status, rows }: Json) => [artifact, status, rows]),
    ).toEqual([
      ['messages', 'failed', 0],
      ['calls', 'done', 1],
      ['apps', 'done', 1],
    ]);
    expect((await phone.get('/backups')).body.backups.find(({ id }: Json) => id === 'damaged').status).toBe('FAILED');
    expect((await get('calls', 'damaged')).items[0]).toMatchObject({
      call_identifier: '1',
      started_at: null,
      direction: 'incoming',
    });
    await phone.call('DELETE', '/backups/damaged');
  });

  it('rejects unknown artifacts', async () => {
    for (const body of [{ artifacts: ['passwords'] }, { artifacts: 'messages' }, { more: 1 }])
      expect(await phone.post(`/backups/${ENCRYPTED}/index`, body, session)).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
  });
});

describe('artifacts', () => {
  it('returns every list in its declared shape', async () => {
    let lists = 0;
    for (const { path, method, reply } of Object.values(phoneBackups)) {
      if (!path.includes('/artifacts/') || method !== 'GET' || typeof reply === 'string') continue;
      const first = path.includes('whatsapp') ? '41791234567@s.whatsapp.net' : 'iMessage;-;+41791234567';
      const address =
        path.replace('{backup_id}', ENCRYPTED).replace('{guid}', encodeURIComponent(first)) +
        (path.endsWith('/search') ? '?q=Befund' : '');
      const { status, body } = await phone.get(address);
      expect([address, status, reply.safeParse(body).error?.issues]).toEqual([address, 200, undefined]);
      expect([address, body]).toEqual([address, reply.parse(body)]);
      if ('items' in body) expect([address, body.items.length]).toEqual([address, Math.min(body.total, 100)]);
      lists += 1;
      expect((await phone.get(address.replace(ENCRYPTED, 'unknown'))).body?.code).toBe('phone.not_found');
      if (!path.includes('{guid}') && !path.endsWith('/search'))
        expect((await phone.get(address.replace(ENCRYPTED, PLAIN))).body).toEqual(
          path.endsWith('/types')
            ? expect.objectContaining({ types: [] })
            : expect.objectContaining({ items: [], total: 0 }),
        );
    }
    expect(lists).toBe(22);
  });

  it('pages conversations from both ends', async () => {
    const guid = encodeURIComponent('iMessage;-;+41791234567');
    const up = await get(`messages/conversations/${guid}?limit=2`);
    const down = await get(`messages/conversations/${guid}?order=desc&limit=1`);
    // The place of a message does not require the messages before it.
    const { items: all } = await get(`messages/conversations/${guid}?limit=1000`);
    expect(up.place).toBe(null);
    for (const [index, { message_guid: id }] of all.entries())
      expect([
        (await get(`messages/conversations/${guid}?limit=1&at=${id}`)).place,
        (await get(`messages/conversations/${guid}?limit=1&order=desc&at=${id}`)).place,
      ]).toEqual([index, all.length - 1 - index]);
    expect((await get(`messages/conversations/${guid}?at=nobody`)).place).toBe(null);
    expect(up.items.map(({ text }: Json) => text)).toEqual([
      'Guten Tag, hier der Befund',
      'Danke! Kommt morgen \u{1F44D}',
    ]);
    expect(down.items[0].sent_at > up.items[1].sent_at).toBe(true);
    expect((await phone.get(`/backups/${ENCRYPTED}/artifacts/messages/conversations/nobody`)).body).toMatchObject({
      code: 'phone.row_not_found',
    });
  });

  it('filters photos by album and day, samples by type and source, and lists the types', async () => {
    expect((await get('photos?album=Arztbriefe')).total).toBe(2);
    expect((await get('photos?from=2023-06-02&to=2023-06-03')).total).toBe(2);
    expect((await get('health?type=body_mass&source=Withings')).items.map(({ value }: Json) => value)).toEqual([
      71, 70,
    ]);
    const { types, characteristics } = await get('health/types');
    expect(types.find(({ type }: Json) => type === 'body_mass')).toEqual({
      type: 'body_mass',
      type_number: 3,
      kind: 'quantity',
      unit: 'kg',
      count: 2,
      first_at: '2023-01-01T07:00:00',
      last_at: '2023-01-01T19:00:00',
      sources: [{ source: 'Withings', count: 2 }],
      is_measurement: true,
    });
    expect(characteristics).toMatchObject({ date_of_birth: '1979-05-09', sex: 'female' });
  });

  it('lists a recurring event once per occurrence', async () => {
    const { items } = await get('calendars?from=2023-03-01&to=2023-04-30');
    // The clocks of Zurich go forward on 26 March; 20 March is excluded, 13 March was moved.
    expect(items.map(({ title, starts_at }: Json) => [title, starts_at])).toEqual([
      ['Physiotherapie', '2023-03-06T08:00:00'],
      ['Physiotherapie später', '2023-03-13T10:00:00'],
      ['Physiotherapie', '2023-03-27T07:00:00'],
      ['Physiotherapie', '2023-04-03T07:00:00'],
      ['Physiotherapie', '2023-04-10T07:00:00'],
    ]);
    expect((await get('calendars')).total).toBe(3);
  });

  it.each([
    ['befunde', ['notes']],
    ['"hier der Befund"', ['messages']],
    ['Röntgenbild', ['whatsapp']],
    ['rontgen', ['whatsapp']],
    ['marktgasse', ['contacts']],
    ['Befund -guten', ['messages', 'notes']],
  ])('finds %s', async (query, artifacts) => {
    const { items } = await get(`search?q=${encodeURIComponent(query)}`);
    const found = [...new Set(items.map(({ artifact }: Json) => artifact))];
    for (const artifact of artifacts.slice(-1)) expect(found).toContain(artifact);
  });

  it('marks its matches, and rejects an empty search', async () => {
    const { items } = await get('search?q=rontgen');
    expect(items[0]).toMatchObject({
      artifact: 'whatsapp',
      identifier: 'WA-1',
      parent: '41791234567@s.whatsapp.net',
      title: 'Peter Frisch',
      snippet: expect.stringContaining('\uE000Röntgen\uE001bild'),
    });
    for (const query of ['-', '""', '%20', '-befund'])
      expect((await phone.get(`/backups/${ENCRYPTED}/artifacts/search?q=${query}`)).status).toBe(400);
  });

  it('needs no session, and is deleted on request', async () => {
    expect((await get('notes')).total).toBe(3);
    expect(readdirSync(join(served.vault, 'cache', 'phone')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(
      1,
    );
    expect((await phone.call('DELETE', `/backups/${ENCRYPTED}/index`)).status).toBe(204);
    expect(readdirSync(join(served.vault, 'cache', 'phone'))).toEqual([]);
    expect((await get('notes')).total).toBe(0);
    expect((await phone.get('/backups')).body.backups[0].status).toBe('UNLOCKED');
  });
});

describe('a restart', () => {
  it('ends sessions and keeps the index', async () => {
    await phone.index(ENCRYPTED, session, { artifacts: ['notes'] });
    await served.stop();
    served = await serve({ vault: served.vault, env: folders.env });
    phone = phoneClient(served.backupsUrl);
    expect((await phone.get(`/backups/${ENCRYPTED}/domains`, session)).status).toBe(401);
    expect((await get('notes')).total).toBe(3);
    expect((await phone.get('/backups')).body.backups[0]).toMatchObject({ status: 'INDEXED' });
    expect(await phone.unlock(ENCRYPTED, BACKUP_PASSWORD)).toMatch(/./);
  });
});
