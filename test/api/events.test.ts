import { existsSync, readFileSync } from 'node:fs';
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

const stands = async (id: number): Promise<[string, boolean]> => {
  const { file_path } = await get(id);
  return [file_path, existsSync(join(served.vault, file_path))];
};

const folderOf = async (id: number): Promise<string> => {
  const [path, there] = await stands(id);
  return `${path.split('/').slice(2, -1).join('/')}${there ? '' : ' (gone)'}`;
};

describe('events', () => {
  it('are created and returned with all their fields', async () => {
    const fields = {
      title: ' Knee surgery ',
      event_type: 'surgery',
      description: 'Meniscus',
      date_start: '2024-03-01',
      date_end: '2024-03-09',
      severity: 'moderate',
      diagnosis_text: 'Torn meniscus',
      icd10_code: 's83.2',
      specialty_text: 'Orthopaedics',
      notes: 'left',
      color: '#0b7285',
    };
    const made = await owner.post('/api/events', { patient_id: house.patient, ...fields });
    expect([made.status, made.body]).toEqual([201, { id: expect.any(Number), title: 'Knee surgery' }]);
    expect(await event(made.body.id)).toMatchObject({
      ...fields,
      title: 'Knee surgery',
      icd10_code: 'S83.2',
      is_ongoing: false,
      patient_id: house.patient,
      norm_specialty_id: expect.any(Number),
      document_count: 0,
      documents: [],
    });
    expect(await event(await create())).toMatchObject({
      event_type: 'other',
      date_start: null,
      severity: null,
      color: null,
    });
  });

  it('reject invalid values', async () => {
    const refused = async (fields: object) =>
      (await owner.post('/api/events', { patient_id: house.patient, title: 'X', ...fields })).status;
    for (const fields of [
      { title: '' },
      { title: '   ' },
      { title: 'x'.repeat(201) },
      { event_type: 'party' },
      { severity: 'bad' },
      { date_start: '2024-02-30' },
      { date_start: '2024-03-02', date_end: '2024-03-01' },
      { is_ongoing: true, date_end: '2024-03-01' },
      { color: 'url(x)' },
      { surprise: 1 },
      { title: 'a\u0000b' },
    ])
      expect([fields, await refused(fields)]).toEqual([fields, 422]);
    expect((await owner.post('/api/events', { title: 'X' })).status).toBe(422);
    expect((await owner.post('/api/events', { patient_id: house.otherPatient, title: 'X' })).status).toBe(403);
    expect((await owner.post('/api/events', { patient_id: 999_999, title: 'X' })).status).toBe(404);
    expect((await house.as('viewer').post('/api/events', { patient_id: house.patient, title: 'X' })).status).toBe(403);
  });

  it('change field by field, and an end date ends them', async () => {
    const id = await create({ date_start: '2024-01-01', is_ongoing: true, notes: 'n' });
    expect((await patch(id, { date_end: '2024-02-01', notes: null })).body).toEqual({ ok: true });
    expect(await event(id)).toMatchObject({
      date_end: '2024-02-01',
      is_ongoing: false,
      notes: null,
      date_start: '2024-01-01',
    });
    expect((await patch(id, { date_end: '2023-12-31' })).body.code).toBe('event.invalid_date_range');
    expect((await patch(id, { is_ongoing: true })).status).toBe(200);
    expect(await event(id)).toMatchObject({ date_end: null, is_ongoing: true });
    expect((await patch(id, {})).status).toBe(200);
    expect((await patch(999_999, {})).body.code).toBe('event.not_found');
  });

  it('are listed for users who may see them, by patient and type, newest first', async () => {
    const patient = house.make.patient();
    const mine = (fields: object) => create({ patient_id: patient, ...fields });
    const [undated, old, fresh] = [
      await mine({}),
      await mine({ date_start: '2001-01-01', event_type: 'injury' }),
      await mine({ date_start: '2020-01-01', event_type: 'surgery' }),
    ];
    const ids = async (query: string, by = owner) =>
      (await by.get(`/api/events${query}`)).body.items.map((item: { id: number }) => item.id);
    expect(await ids(`?patient_id=${patient}`)).toEqual([fresh, old, undated]);
    expect(await ids(`?patient_id=${patient}&event_type=surgery,injury`)).toEqual([fresh, old]);
    expect(await ids(`?patient_id=${patient}&event_type=nothing`)).toEqual([]);
    expect(await ids(`?patient_id=${patient}&limit=1&offset=1`)).toEqual([old]);
    expect((await owner.get(`/api/events?patient_id=${patient}&limit=1`)).body).toMatchObject({
      total: 3,
      limit: 1,
      offset: 0,
    });
    expect(await ids('')).toEqual(expect.arrayContaining([undated, old, fresh]));
    expect(await ids('', house.as('other'))).toEqual([]);
    expect((await house.as('other').get(`/api/events?patient_id=${patient}`)).status).toBe(403);
    expect((await house.as('other').get(`/api/events/${old}`)).status).toBe(403);
    expect((await house.as('viewer').get(`/api/events/${old}`)).status).toBe(200);
    expect((await owner.get('/api/events?patient_id=x')).status).toBe(422);
  });
});

/** Messages of the stream as they come; `until` resolves with the first that fits. */
async function listen(by: Client) {
  const gone = new AbortController();
  const response = await fetch(`${served.url}/api/pipeline/events`, {
    headers: { cookie: by.cookie },
    signal: gone.signal,
  });
  const heard: { kind: string; event_id?: number; change?: string }[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) if (part.startsWith('data:')) heard.push(JSON.parse(part.slice(5)));
    }
  })().catch(() => undefined);
  return {
    heard,
    events: () => heard.filter((message) => message.kind === 'event').map(({ event_id, change }) => [event_id, change]),
    stop: async () => {
      gone.abort();
      await reading;
    },
  };
}

describe('changes of events', () => {
  it('are announced at once to users who may see the patient, and to no others', async () => {
    const [mine, others] = [await listen(owner), await listen(house.as('other'))];
    const id = await create({ title: 'Told' });
    await patch(id, { notes: 'n' });
    const { body } = await owner.call('DELETE', `/api/events/${id}`);
    await owner.post(`/api/trash/${body.trash_id}/restore`);
    await expect.poll(mine.events).toEqual([
      [id, 'created'],
      [id, 'updated'],
      [id, 'deleted'],
      [id, 'created'],
    ]);
    // One broadcast reaches all listeners, so their own message arrives after any that they should not have received.
    await house.as('other').post('/api/events', { patient_id: house.otherPatient, title: 'Theirs' });
    await expect.poll(() => others.events().length).toBe(1);
    expect(others.events().flat()).not.toContain(id);
    await Promise.all([mine.stop(), others.stop()]);
  });
});

describe('a deleted event', () => {
  const full = async (title: string) => {
    const id = await create({ title, date_start: '2024-01-01' });
    const docs = [document(), document()] as const;
    for (const doc of docs) await link(id, doc);
    return { id, docs };
  };

  it('unlinks its documents, and links them again on restore', async () => {
    const {
      id,
      docs: [first, second],
    } = await full('Freed');
    const before = [await event(id), await get(first), await get(second)];
    const { status, body } = await owner.call('DELETE', `/api/events/${id}`);
    expect([status, body]).toEqual([
      200,
      { ok: true, trash_id: expect.any(Number), undo_until: expect.any(String), document_ids: [first, second] },
    ]);
    expect((await owner.get(`/api/events/${id}`)).body.code).toBe('event.not_found');
    expect([await folderOf(first), (await get(first)).event_id, (await get(first)).event_title]).toEqual([
      '2025',
      null,
      null,
    ]);
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).body.ok).toBe(true);
    const again = (row: object) => ({ ...row, updated_at: expect.anything() });
    expect([await event(id), await get(first), await get(second)]).toMatchObject([
      { ...again(before[0]), documents: [{ id: first, relevance: 'primary' }, { id: second }] },
      again(before[1]),
      again(before[2]),
    ]);
    expect(await stands(first)).toEqual([before[1].file_path, true]);
  });

  it('is deleted with its documents if requested, and one undo restores all', async () => {
    const {
      id,
      docs: [first, second],
    } = await full('Taken');
    const before = [await event(id), await get(first), await get(second)];
    const { body } = await owner.call('DELETE', `/api/events/${id}?delete_documents=true`);
    for (const doc of [first, second]) expect((await owner.get(`/api/documents/${doc}`)).status).toBe(404);
    expect(existsSync(join(served.vault, before[1].file_path))).toBe(false);
    expect(
      (await owner.get('/api/trash')).body.items.filter((item: { id: number }) => item.id >= body.trash_id),
    ).toMatchObject([{ id: body.trash_id, kind: 'event', label: 'Taken' }]);
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).body.document_ids.sort()).toEqual(
      [first, second].sort(),
    );
    expect([await event(id), await get(first), await get(second)]).toEqual(before);
    expect(await stands(second)).toEqual([before[2].file_path, true]);
  });

  it('is restored without a document whose file was uploaded again, which stays in the trash until its path is free', async () => {
    const {
      id,
      docs: [first, second],
    } = await full('Twice');
    const bytes = readFileSync(join(served.vault, (await get(first)).file_path));
    const { body: gone } = await owner.call('DELETE', `/api/events/${id}?delete_documents=true`);
    const { body: again } = await owner.uploadAsNew(bytes, 'again.pdf', house.patient);
    const { status, body } = await owner.post(`/api/trash/${gone.trash_id}/restore`);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        document_ids: [second],
        separate_studies: [],
        not_restored: [
          {
            document_id: first,
            original_filename: expect.any(String),
            reason: 'content_present',
            trash_id: expect.any(Number),
          },
        ],
      },
    ]);
    expect((await event(id)).documents.map((document: { id: number }) => document.id)).toEqual([second]);
    const left = body.not_restored[0].trash_id;
    expect((await owner.get('/api/trash')).body.items).toContainEqual(
      expect.objectContaining({ id: left, kind: 'document', patient_id: house.patient }),
    );
    expect((await owner.post(`/api/trash/${left}/restore`)).body.code).toBe('trash.path_conflict');
    await owner.call('DELETE', `/api/documents/${again.document_id}`);
    expect((await owner.post(`/api/trash/${left}/restore`)).body).toEqual({
      ok: true,
      document_ids: [first],
      separate_studies: [],
      not_restored: [],
    });
    expect([(await get(first)).event_id, (await event(id)).documents.length, (await stands(first))[1]]).toEqual([
      id,
      2,
      true,
    ]);
  });

  it('keeps its documents with delete_documents=false, and rejects other values than true and false', async () => {
    const {
      id,
      docs: [first],
    } = await full('Kept');
    expect((await owner.call('DELETE', `/api/events/${id}?delete_documents=maybe`)).status).toBe(422);
    expect((await house.as('viewer').call('DELETE', `/api/events/${id}?delete_documents=true`)).status).toBe(403);
    expect((await owner.call('DELETE', `/api/events/${id}?delete_documents=false`)).status).toBe(200);
    expect((await get(first)).id).toBe(first);
  });

  it('is restored beside a new event of its name, with the documents that still fit', async () => {
    const {
      id,
      docs: [first, second],
    } = await full('Name');
    const { body } = await owner.call('DELETE', `/api/events/${id}`);
    const taker = await create({ title: 'Name' });
    await link(taker, first);
    await owner.post(`/api/documents/${second}/move`, { patient_id: house.make.patient() });
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).status).toBe(200);
    expect((await event(id)).documents).toMatchObject([{ id: first, relevance: 'secondary' }]);
    expect([(await get(first)).event_id, (await get(second)).event_id]).toEqual([taker, null]);
    expect((await stands(first))[1]).toBe(true);
  });

  it('is not restored when only one of its documents is', async () => {
    const {
      id,
      docs: [first],
    } = await full('Gone');
    const { body } = await owner.call('DELETE', `/api/documents/${first}`);
    await owner.call('DELETE', `/api/events/${id}`);
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).status).toBe(200);
    expect([await folderOf(first), (await get(first)).event_id]).toEqual(['2025', null]);
  });

  it('leaves no rows behind', () => {
    expect(house.db.sqlite.pragma('foreign_key_check')).toEqual([]);
    expect(house.db.prepare('SELECT count(*) FROM vault_journal').pluck().get()).toBe(0);
    expect(
      house.db
        .prepare(
          'SELECT count(*) FROM documents AS d WHERE (d.event_id IS NOT NULL) <> EXISTS (SELECT 1 ' +
            'FROM event_documents AS x WHERE x.document_id = d.id AND x.event_id = d.event_id AND ' +
            "x.relevance = 'primary')",
        )
        .pluck()
        .get(),
    ).toBe(0);
  });
});
