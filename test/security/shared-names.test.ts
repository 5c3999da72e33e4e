import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { test, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { letter } from '../support/sample-documents.ts';
import { readAll } from './worlds.ts';

/** What people without grants for each other can find out and change through names that both use. */

const withoutInbox = test.override('serveOptions', WITHOUT_INBOX);

let house: Household, owner: Client, other: Client, editor: Client;

withoutInbox.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
  other = house.as('other');
  editor = house.as('editor');
});
beforeEach(() => house.make.use(house.patient));

const documentOf = (patient: number): number => house.make.document({ patient });
const withoutIds = (body: object) => JSON.stringify(body).replace(/("\w*id"):\d+/g, '$1:0');

/** Uploads a letter with a diagnosis and waits until it is read. */
async function uploadLetter(client: Client, patient: number, lines: readonly string[]): Promise<void> {
  const pdf = await letter([
    ['Arztbericht', 'Datum: 12.03.2025', ...lines].map((text, at) => ({ text, y: 80 + at * 24 })),
  ]);
  expect((await client.upload(pdf, 'bericht.pdf', patient)).status).toBe(201);
  await readAll(house);
}

describe('writing down a diagnosis or medicine', () => {
  it.each([
    ['encounters', { diagnosis_original: 'Multiple Sklerose', diagnosis_code: 'G35' }],
    ['encounters', { diagnosis_original: 'HIV', diagnosis_code: 'B20' }],
    ['encounters', { diagnosis_original: 'Seltenes Leiden' }],
    ['medications', { brand_name: 'Tysabri', active_ingredient_original: 'Natalizumab' }],
    ['medications', { brand_name: 'Aspirin' }],
  ])('in %s %j answers alike whether or not someone else has it', async (rows, values) => {
    const document_id = documentOf(house.patient);
    const first = await owner.post(`/api/${rows}`, { document_id, ...values });
    house.make.use(house.otherPatient, 'Haselnuss');
    const second = await other.post(`/api/${rows}`, { document_id: documentOf(house.otherPatient), ...values });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(withoutIds(second.body)).toBe(withoutIds(first.body));
  });

  it('still refuses the id of an entry that the user does not know', async () => {
    const { body } = await owner.post('/api/encounters', {
      document_id: documentOf(house.patient),
      diagnosis_original: 'Geheimes Leiden',
    });
    house.make.use(house.otherPatient, 'Haselnuss');
    const refused = await other.post('/api/encounters', {
      document_id: documentOf(house.otherPatient),
      norm_diagnosis_id: body.norm_diagnosis_id,
      encounter_date: '2025-01-01',
    });
    expect(refused).toMatchObject({ status: 404, body: { code: 'row.name_not_found' } });
  });

  it('in another letter of the same patient finds the same entry', async () => {
    const ids = new Set<number>();
    for (const diagnosis_original of ['Zoster', 'zoster', 'ZOSTER'])
      ids.add(
        (await owner.post('/api/encounters', { document_id: documentOf(house.patient), diagnosis_original })).body
          .norm_diagnosis_id,
      );
    expect(ids.size).toBe(1);
  });
});

describe('spellings', () => {
  it('in letters of others are not shown, found or counted', async () => {
    await uploadLetter(other, house.otherPatient, ['Diagnose: Schlotterkraut Hypertonie I10.90']);
    await uploadLetter(owner, house.patient, ['Diagnose: Hypertonie I10.90']);
    for (const name of ['owner', 'viewer', 'editor', 'admin'] as const) {
      const client = house.as(name);
      const { body: found } = await client.get('/api/normalization/diagnoses?search=Schlotter');
      const { body: all } = await client.get('/api/normalization/diagnoses');
      const proposals = await client.post('/api/normalization/diagnoses/auto-merge');
      expect([name, found.total, `${JSON.stringify(all)}${JSON.stringify(proposals.body)}`]).toEqual([
        name,
        0,
        expect.not.stringContaining('Schlotter'),
      ]);
    }
    const own = (await other.get('/api/normalization/diagnoses?search=Schlotter')).body.items;
    expect(own).toMatchObject([
      { aliases: expect.arrayContaining([expect.objectContaining({ alias: 'Schlotterkraut Hypertonie' })]) },
    ]);
  });

  it('of an entry with records of two owners are shown to those who see their document', async () => {
    const entry = house.make.name('diagnoses');
    for (const [patient, printed] of [
      [house.patient, 'Unser Leiden'],
      [house.otherPatient, 'Deren Leiden'],
    ] as const) {
      const row = house.db
        .prepare('INSERT INTO encounters (document_id, diagnosis_original, norm_diagnosis_id) VALUES (?, ?, ?)')
        .run(documentOf(patient), printed, entry);
      expect(row.changes).toBe(1);
      const alias = house.db
        .prepare(
          `INSERT INTO name_aliases (kind, entry_id, alias, alias_key, auto_mapped, printed, created_at)
            VALUES ('diagnoses', ?, ?, ?, 1, 1, 'x')`,
        )
        .run(entry, printed, printed.toLowerCase()).lastInsertRowid;
      house.db.prepare('INSERT INTO name_alias_sources (alias_id, patient_id) VALUES (?, ?)').run(alias, patient);
    }
    const path = `/api/normalization/diagnoses/${entry}`;
    const shown = async (client: Client) => {
      const { alias_count, unreviewed_count, uses, aliases } = (await client.get(path)).body;
      return [alias_count, unreviewed_count, uses, ...aliases.map((one: { alias: string }) => one.alias)];
    };
    expect(await shown(owner)).toEqual([1, 1, 1, 'Unser Leiden']);
    expect(await shown(house.as('viewer'))).toEqual([1, 1, 1, 'Unser Leiden']);
    expect(await shown(other)).toEqual([1, 1, 1, 'Deren Leiden']);
    expect((await owner.get('/api/normalization/diagnoses?search=deren')).body.total).toBe(0);

    // A change is made to the own records only, and nobody notices that there are others.
    const merged = await owner.post('/api/normalization/diagnoses/merge', {
      source_id: entry,
      target_id: house.make.name('diagnoses'),
    });
    expect(merged.body).toMatchObject({ ok: true, moved_references: 1, moved_aliases: 1 });
    const [kept] = (await other.get('/api/normalization/diagnoses?search=deren')).body.items;
    expect(kept).toMatchObject({ uses: 1, alias_count: 1, unreviewed_count: 1 });
  });
});

describe('an editor without grants', () => {
  it('cannot rename or merge what records of others use, by using it', async () => {
    const document = documentOf(house.patient);
    await owner.post('/api/encounters', {
      document_id: document,
      diagnosis_original: 'HIV-Krankheit',
      diagnosis_code: 'B20',
    });
    await owner.call('PATCH', `/api/documents/${document}`, { doctor_name: 'Dr. Quirin Zabelstein' });
    const before = (await owner.get(`/api/documents/${document}`)).body;
    const [encounter] = before.encounters;

    const patient = (await editor.post('/api/patients', { display_name: 'Nora Neu', date_of_birth: null, sex: 'F' }))
      .body.id;
    const event = { patient_id: patient, title: 't', diagnosis_text: 'HIV-Krankheit', icd10_code: 'B20' };
    expect((await editor.post('/api/events', event)).status).toBe(201);
    const own = documentOf(patient);
    await editor.call('PATCH', `/api/documents/${own}`, { doctor_name: 'Dr. Quirin Zabelstein' });
    for (const path of [`diagnoses/${encounter.norm_diagnosis_id}`, `doctors/${before.doctor_id}`])
      expect((await editor.call('PATCH', `/api/normalization/${path}`, { canonical_display: 'Falsch' })).status).toBe(
        404,
      );

    const [mine] = (await editor.get('/api/normalization/diagnoses')).body.items;
    const [doctor] = (await editor.get('/api/normalization/doctors')).body.items;
    const rename = { canonical_display: 'Verunstaltet' };
    expect((await editor.call('PATCH', `/api/normalization/diagnoses/${mine.id}`, rename)).status).toBe(200);
    expect((await editor.call('PATCH', `/api/normalization/doctors/${doctor.id}`, rename)).status).toBe(200);
    await editor.post('/api/events', { patient_id: patient, title: 't', diagnosis_text: 'Brustkrebs' });
    const [target] = (await editor.get('/api/normalization/diagnoses')).body.items.filter(
      ({ id }: { id: number }) => id !== mine.id,
    );
    const merged = await editor.post('/api/normalization/diagnoses/merge', {
      source_id: mine.id,
      target_id: target.id,
    });
    expect(merged.body).toMatchObject({ moved_references: 1 });

    expect((await owner.get(`/api/documents/${document}`)).body).toEqual(before);
    expect((await owner.get('/api/documents?q=Verunstaltet')).body.total).toBe(0);
  });
});

it('a file that someone else has is stored like any other', async () => {
  const pdf = await letter([[{ text: 'An alle Haushalte', y: 80 }]]);
  const [first, second] = [
    await other.upload(pdf, 'alle.pdf', house.otherPatient),
    await owner.upload(pdf, 'alle.pdf', house.patient),
  ];
  expect([second.status, withoutIds(second.body)]).toEqual([first.status, withoutIds(first.body)]);
  expect(await owner.upload(pdf, 'nochmals.pdf', house.patient)).toMatchObject({
    status: 200,
    body: { status: 'duplicate', existing_document_id: second.body.document_id },
  });
});

describe('a document that moves', () => {
  const doctorOf = async (client: Client, document: number) => {
    const { doctor_id, doctor_name } = (await client.get(`/api/documents/${document}`)).body;
    return { doctor_id, doctor_name };
  };

  it('to another owner takes a name of its own along, if others use it', async () => {
    const keeper = house.as('keeper');
    const [moved, stays] = [documentOf(house.patient), documentOf(house.patient)];
    for (const document of [moved, stays])
      await keeper.call('PATCH', `/api/documents/${document}`, { doctor_name: 'Dr. Moritz Mitgift' });
    const born = { display_name: 'Kuno Keeper', date_of_birth: null, sex: 'M' };
    const patient = (await keeper.post('/api/patients', born)).body.id;
    expect((await keeper.post(`/api/documents/${moved}/move`, { patient_id: patient })).status).toBe(200);
    const [one, two] = [await doctorOf(keeper, moved), await doctorOf(keeper, stays)];
    expect([one.doctor_name, two.doctor_name]).toEqual(['Dr. Moritz Mitgift', 'Dr. Moritz Mitgift']);
    expect(one.doctor_id).not.toBe(two.doctor_id);
  });

  it('to its patient for the first time uses the names of that patient', async () => {
    const [known, loose] = [
      documentOf(house.otherPatient),
      house.make.document({ patient: null, uploader: house.ids.other }),
    ];
    for (const document of [known, loose])
      await other.call('PATCH', `/api/documents/${document}`, { doctor_name: 'Dr. Wanda Wechsel' });
    expect((await doctorOf(other, loose)).doctor_id).not.toBe((await doctorOf(other, known)).doctor_id);
    await other.post(`/api/documents/${loose}/move`, { patient_id: house.otherPatient });
    expect(await doctorOf(other, loose)).toEqual(await doctorOf(other, known));
    expect((await other.get('/api/normalization/doctors?search=wechsel')).body).toMatchObject({
      total: 1,
      items: [{ uses: 2 }],
    });
  });
});

it('a change of names is announced only to those who may see records of its author', async () => {
  const document = documentOf(house.patient);
  house.make.use(house.otherPatient, 'Haselnuss');
  const theirs = documentOf(house.otherPatient);
  const mine = (await owner.call('PATCH', `/api/documents/${document}`, { doctor_name: 'Dr. Laut' })).body.doctor_id;
  const { norm_specialty_id } = (
    await other.call('PATCH', `/api/documents/${theirs}`, { specialty_original: 'Leisekunde' })
  ).body;
  const stop = new AbortController();
  const stream = await fetch(`${other.url}/api/pipeline/events`, {
    headers: { cookie: other.cookie },
    signal: stop.signal,
  });
  await owner.call('PATCH', `/api/normalization/doctors/${mine}`, { phone: '1' });
  await other.call('PATCH', `/api/normalization/specialties/${norm_specialty_id}`, { canonical_display: 'Stille' });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('"names"')) break;
  }
  stop.abort();
  expect(/\{"kind":"names"[^}]*\}/.exec(text)?.[0]).toBe('{"kind":"names","type":"specialties"}');
});
