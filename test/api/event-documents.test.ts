import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';

let served: Served;

let house: Household;

let owner: Client;

test.beforeAll(async ({ served: core, household }) => {
  served = core;
  house = household;
  owner = house.as('owner');
});

const document = (): number => house.make.document();

const create = async (fields: object = {}): Promise<number> =>
  (await owner.post('/api/events', { patient_id: house.patient, title: 'Fatigue', ...fields })).body.id;

const event = async (id: number) => (await owner.get(`/api/events/${id}`)).body;

const get = async (id: number) => (await owner.get(`/api/documents/${id}`)).body;

const patch = (id: number, fields: object) => owner.call('PATCH', `/api/events/${id}`, fields);

const link = (id: number, document_id: number, relevance?: string) =>
  owner.post(`/api/events/${id}/link`, { document_id, ...(relevance && { relevance }) });

const unlink = (id: number, doc: number) => owner.call('DELETE', `/api/events/${id}/link/${doc}`);

const stands = async (id: number): Promise<[string, boolean]> => {
  const { file_path } = await get(id);
  return [file_path, existsSync(join(served.vault, file_path))];
};

const folderOf = async (id: number): Promise<string> => {
  const [path, there] = await stands(id);
  return `${path.split('/').slice(2, -1).join('/')}${there ? '' : ' (gone)'}`;
};

describe('documents of an event', () => {
  it('get back all their events when a change of the event or of the patient is undone', async () => {
    const [first, second] = [await create({ title: 'Alpha' }), await create({ title: 'Beta' })];
    const doc = document();
    await link(first, doc);
    await link(second, doc, 'secondary');
    const { event_links } = await get(doc);
    expect(event_links).toEqual([
      { event_id: first, relevance: 'primary' },
      { event_id: second, relevance: 'secondary' },
    ]);
    const change = (body: object) => owner.call('PATCH', `/api/documents/${doc}`, body);
    await change({ event_id: second });
    expect((await change({ event_links })).body).toMatchObject({ event_id: first, event_links });
    expect(await folderOf(doc)).toBe('2025/alpha');
    const other = house.make.patient();
    await change({ patient_id: other });
    expect((await get(doc)).event_links).toEqual([]);
    expect((await change({ event_links })).body.code).toBe('document.event_not_found');
    await change({ patient_id: house.patient, event_links });
    expect(await get(doc)).toMatchObject({ event_id: first, event_links });
  });

  it('move into the folder of the event and out again', async () => {
    const id = await create({ title: 'Rücken & Müdigkeit' });
    const doc = document();
    expect(await folderOf(doc)).toBe('2025');
    expect((await link(id, doc)).body).toEqual({ ok: true });
    expect(await folderOf(doc)).toBe('2025/ruecken-muedigkeit');
    expect(await get(doc)).toMatchObject({ event_id: id, event_title: 'Rücken & Müdigkeit' });
    expect((await event(id)).documents).toMatchObject([
      { id: doc, relevance: 'primary', auto_linked: false, original_filename: expect.any(String) },
    ]);
    expect((await event(id)).document_count).toBe(1);
    expect(
      (await owner.get(`/api/documents?q=${encodeURIComponent('müdigkeit')}`)).body.items.map(
        (item: { id: number }) => item.id,
      ),
    ).toContain(doc);
    expect((await unlink(id, doc)).body).toEqual({ ok: true });
    expect([await folderOf(doc), (await get(doc)).event_id, (await event(id)).documents]).toEqual(['2025', null, []]);
    expect((await unlink(id, doc)).body.code).toBe('event.not_linked');
    expect(existsSync(join(served.vault, 'patients/elena-1/2025/ruecken-muedigkeit'))).toBe(false);
  });

  it("are also added by the document's own fields and by upload", async () => {
    const [first, second] = [await create({ title: 'First' }), await create({ title: 'Second' })];
    const doc = document();
    await owner.call('PATCH', `/api/documents/${doc}`, { event_id: first });
    expect([await folderOf(doc), (await event(first)).documents.length]).toEqual(['2025/first', 1]);
    await owner.call('PATCH', `/api/documents/${doc}`, { event_id: second });
    expect([
      await folderOf(doc),
      (await event(first)).documents.length,
      (await event(second)).documents.length,
    ]).toEqual(['2025/second', 0, 1]);
    await owner.call('PATCH', `/api/documents/${doc}`, { event_date: '2019-05-05' });
    expect(await folderOf(doc)).toBe('2019/second');
    await owner.call('PATCH', `/api/documents/${doc}`, { event_id: null });
    expect([await folderOf(doc), (await event(second)).documents.length]).toEqual(['2019', 0]);
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(house.make.pdf())]), 'new.pdf');
    const { body } = await owner.call(
      'POST',
      `/api/documents/upload?patient_id=${house.patient}&event_id=${second}`,
      form,
    );
    expect((await event(second)).documents.map((item: { id: number }) => item.id)).toEqual([body.document_id]);
  });

  it('have one primary event and any number of secondary ones', async () => {
    const [home, other] = [await create({ title: 'Home' }), await create({ title: 'Other' })];
    const doc = document();
    await link(home, doc);
    await link(other, doc, 'background');
    expect([await folderOf(doc), (await event(other)).documents[0].relevance]).toEqual(['2025/home', 'background']);
    await link(other, doc);
    expect([
      await folderOf(doc),
      (await event(other)).documents[0].relevance,
      (await event(home)).documents[0].relevance,
    ]).toEqual(['2025/other', 'primary', 'secondary']);
    await link(other, doc);
    expect((await event(other)).document_count).toBe(1);
    await link(other, doc, 'secondary');
    expect([await folderOf(doc), (await get(doc)).event_id]).toEqual(['2025', null]);
    for (const relevance of ['', 'main', 'Primary'])
      expect((await owner.post(`/api/events/${home}/link`, { document_id: doc, relevance })).status).toBe(422);
  });

  it('belong to the same patient', async () => {
    const id = await create();
    const unsorted = house.make.document({ patient: null, uploader: house.ids.owner });
    const both = house.make.patient();
    for (const doc of [house.make.document({ patient: both }), unsorted])
      expect([(await link(id, doc)).status, (await link(id, doc)).body.code]).toEqual([409, 'event.patient_mismatch']);
    for (const doc of [house.make.document({ patient: house.otherPatient }), 999_999])
      expect([(await link(id, doc)).status, (await link(id, doc)).body.code]).toEqual([404, 'document.not_found']);
    expect((await owner.call('PATCH', `/api/documents/${unsorted}`, { event_id: id })).body.code).toBe(
      'document.event_not_found',
    );
    const doc = document();
    await link(id, doc);
    expect((await patch(id, { patient_id: both })).body.code).toBe('event.has_documents');
    await owner.post(`/api/documents/${doc}/move`, { patient_id: both });
    expect([(await event(id)).documents, (await get(doc)).event_id]).toEqual([[], null]);
    expect((await patch(id, { patient_id: house.otherPatient })).status).toBe(403);
    expect((await patch(id, { patient_id: both })).status).toBe(200);
    expect((await event(id)).patient_id).toBe(both);
  });

  it("can't join an event of another patient, and change patient and event in one step", async () => {
    const second = house.make.patient();
    const [mine, hers] = [await create({ title: 'Mine' }), await create({ patient_id: second, title: 'Hers' })];
    const doc = document();
    await link(mine, doc);
    for (const fields of [
      { event_id: hers },
      { event_id: 999_999 },
      { patient_id: null, event_id: mine },
      { patient_id: second, event_id: mine },
    ])
      expect([fields, (await owner.call('PATCH', `/api/documents/${doc}`, fields)).body.code]).toEqual([
        fields,
        'document.event_not_found',
      ]);
    expect([(await get(doc)).event_id, await folderOf(doc)]).toEqual([mine, '2025/mine']);
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(house.make.pdf())]), 'new.pdf');
    expect(
      (await owner.call('POST', `/api/documents/upload?patient_id=${house.patient}&event_id=${hers}`, form)).body.code,
    ).toBe('document.event_not_found');
    expect(
      (await owner.call('PATCH', `/api/documents/${doc}`, { patient_id: second, event_id: hers })).body,
    ).toMatchObject({ patient_id: second, event_id: hers, event_title: 'Hers' });
    expect([(await event(mine)).documents, (await event(hers)).documents.length, await folderOf(doc)]).toEqual([
      [],
      1,
      '2025/hers',
    ]);
  });

  it('move to the folder of a new title, unless its slug stays the same', async () => {
    const id = await create({ title: 'Fall' });
    const docs = [document(), document()];
    for (const doc of docs) await link(id, doc);
    expect((await patch(id, { title: 'Broken Arm' })).status).toBe(200);
    for (const doc of docs)
      expect([await folderOf(doc), (await get(doc)).event_title]).toEqual(['2025/broken-arm', 'Broken Arm']);
    const before = await stands(docs[0]!);
    await patch(id, { title: 'Broken arm' });
    expect([await stands(docs[0]!), (await get(docs[0]!)).event_title]).toEqual([before, 'Broken arm']);
    const twin = await create({ title: 'Broken arm' });
    const third = document();
    await link(twin, third);
    expect(await folderOf(third)).toBe('2025/broken-arm-2');
    expect((await owner.get('/api/documents?q=fall')).body.items.map((item: { id: number }) => item.id)).not.toContain(
      docs[0],
    );
  });

  it('stay in the vault with any title', async () => {
    for (const title of ['../../etc', 'CON', '💊', '.', 'a/b\\c', 'x'.repeat(200)]) {
      const doc = document();
      await link(await create({ title }), doc);
      const [path, there] = await stands(doc);
      expect([title, there, /^patients\/elena-\d+\/2025\/[a-z0-9-]{1,60}\/[^/]+$/.test(path)]).toEqual([
        title,
        true,
        true,
      ]);
    }
  });

  it('are listed and counted for each of their events', async () => {
    const patient = house.make.patient();
    const make = (title: string) => create({ title, patient_id: patient });
    const [home, beside, empty] = [await make('Home'), await make('Beside'), await make('Empty')];
    const [both, alone, free] = [1, 2, 3].map(() => house.make.document({ patient }));
    await link(home, both!);
    await link(beside, both!, 'background');
    await link(beside, alone!, 'secondary');
    const ids = async (filter: string) =>
      (await owner.get(`/api/documents?patient_id=${patient}&event_id=${filter}`)).body.items
        .map((item: { id: number }) => item.id)
        .sort();
    expect([
      await ids(`${home}`),
      await ids(`${beside}`),
      await ids(`${empty}`),
      await ids(`${home},${beside}`),
      await ids('__blank__'),
      await ids(`__blank__,${home}`),
      await ids('x'),
    ]).toEqual([[both], [both, alone], [], [both, alone], [free], [both, free], []]);
    const { body } = await owner.get(`/api/documents/facets?patient_id=${patient}`);
    expect(body.events).toEqual([
      { value: String(beside), label: 'Beside', count: 2 },
      { value: '__blank__', label: '', count: 1 },
      { value: String(home), label: 'Home', count: 1 },
    ]);
  });

  it('that are being read move after reading', async () => {
    const id = await create({ title: 'Waiting' });
    const doc = house.make.queued();
    await link(id, doc);
    expect([await folderOf(doc), (await get(doc)).event_id]).toEqual(['2025', id]);
    house.make.emptyQueue();
  });
});
