import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { at, createNameRecords, found, patch, type NameRecords } from '../support/names.ts';
import { test } from '../support/fixtures.ts';

let house: Household, owner: Client, records: NameRecords;

test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
  records = createNameRecords(house);
});

beforeEach(() => house.make.use(house.patient));

describe('a name that a user types', () => {
  it('is the known doctor in any order and with any title, but not one with another first name', async () => {
    const ids: (number | null)[] = [];
    for (const doctor_name of [
      'Dr. med. Regula Anderegg',
      'Anderegg Regula',
      'Prof. Dr. med. Anderegg, Regula',
      'REGULA ANDEREGG FMH',
      'Dr. Renate Anderegg',
    ]) {
      const { status, body } = await patch(owner, house.make.document(), { doctor_name });
      expect(status).toBe(200);
      ids.push(body.doctor_id);
    }
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect(ids[4]).not.toBe(ids[0]);
    expect((await owner.get(at('doctors', ids[0] ?? 0))).body).toMatchObject({
      canonical_display: 'Dr. med. Regula Anderegg',
      name: 'Regula Anderegg',
      title: 'Dr. med.',
      uses: 4,
    });
  });

  it('is the known facility with any legal form and address', async () => {
    const ids: number[] = [];
    for (const facility_name of [
      'Klinik Sonnenhang AG',
      'Klinik Sonnenhang',
      'Klinik Sonnenhang AG, Musterweg 3, 3012 Bern',
      'Klinik Sonnenhof',
    ])
      ids.push((await patch(owner, house.make.document(), { facility_name })).body.facility_id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[3]).not.toBe(ids[0]);
  });
});

describe('the list of entries', () => {
  it('is sorted by name, counts uses and spellings, and is searched by spelling and code without accents', async () => {
    const id = records.entry('lab_tests', 'Zéolithe', { aliases: ['Boiling stone'], loinc_code: '11111-1' });
    records.entry('lab_tests', 'Aluminium');
    records.result(id, 'Zéolithe');
    records.result(id, 'Zeolith');
    for (const query of ['search=zeolithe', 'search=Z%C3%A9olithe', 'search=11111-1', 'search=BOILING']) {
      const { body } = await owner.get(`${at('lab_tests')}?${query}`);
      expect(body, query).toEqual({
        total: 1,
        items: [
          expect.objectContaining({
            id,
            canonical_display: 'Zéolithe',
            uses: 2,
            alias_count: 2,
            unreviewed_count: 0,
            loinc_code: '11111-1',
          }),
        ],
      });
    }
    const all = (await owner.get(at('lab_tests'))).body;
    const names = all.items.map((item: { canonical_display: string }) => item.canonical_display);
    expect(names).toEqual(names.toSorted(new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare));
    expect((await owner.get(`${at('lab_tests')}?limit=1&offset=1`)).body).toEqual({
      total: all.total,
      items: [all.items[1]],
    });
    expect((await owner.get(`${at('lab_tests')}?sort=uses&limit=1`)).body.items[0].uses).toBe(
      Math.max(...all.items.map((item: { uses: number }) => item.uses)),
    );
    expect((await owner.get('/api/normalization/gods')).status).toBe(422);
  });

  it('has the names of the knowledge base in the language of the reader, sorted and found in it', async () => {
    for (const specialty_original of ['Cardiology', 'Dentistry', 'Anaesthesiology', 'Occupational medicine'])
      await patch(owner, house.make.document(), { specialty_original });
    const shown = async (query: string): Promise<string[]> => {
      const { body } = await owner.get(`${at('specialties')}?${query}`);
      return body.items.map((item: { names: Record<string, string> | null; canonical_display: string }) =>
        String(item.names?.['de'] ?? item.canonical_display),
      );
    };
    const names = await shown('language=de');
    expect(names).toEqual(names.toSorted(new Intl.Collator('de', { sensitivity: 'base', numeric: true }).compare));
    expect(names).toEqual(expect.arrayContaining(['Anästhesiologie', 'Arbeitsmedizin', 'Kardiologie', 'Zahnmedizin']));
    expect(await shown('language=de&search=arbeitsm')).toEqual(['Arbeitsmedizin']);
    expect((await owner.get(`${at('specialties')}?language=not+a+tag`)).status).toBe(422);
  });

  it('calls an entry by the name that a user gave it in every language, until that is undone', async () => {
    await patch(owner, house.make.document(), { specialty_original: 'Cardiology' });
    const [before] = (await owner.get(`${at('specialties')}?search=cardiology`)).body.items;
    expect(before).toMatchObject({ canonical_display: 'Cardiology', names: { de: 'Kardiologie', fr: 'Cardiologie' } });
    const rename = async (canonical_display: string) =>
      (await owner.call('PATCH', at('specialties', before.id), { canonical_display })).body;
    expect(await rename('Heart')).toMatchObject({ canonical_display: 'Heart', names: null });
    expect(await rename('Cardiology')).toMatchObject({ names: before.names });
  });

  it('lists each document of an entry once', async () => {
    const doctor = records.entry('doctors', 'Urs Vogelsang');
    const [direct, both] = [house.make.document(), house.make.document()];
    for (const id of [direct, both])
      house.db.prepare('UPDATE documents SET doctor_id = ? WHERE id = ?').run(doctor, id);
    records.hung('encounters', { document_id: both, doctor_id: doctor, diagnosis_original: 'Husten' });
    const { body } = await owner.get(at('doctors', `${doctor}/documents?limit=1`));
    expect(body).toMatchObject({ total: 2, items: [{ id: both, patient_id: house.patient, doc_type: 'lab_test' }] });
    expect(
      (await owner.get(at('doctors', `${doctor}/documents?offset=1`))).body.items.map(
        (item: { id: number }) => item.id,
      ),
    ).toEqual([direct]);
  });
});

describe('editing', () => {
  it('renames entries, updates search, and keeps the old name as a spelling', async () => {
    const document = house.make.document();
    const { body } = await patch(owner, document, { doctor_name: 'Dr. Ottilie Krautwald' });
    const edited = await owner.call('PATCH', at('doctors', body.doctor_id), {
      canonical_display: 'Dr. med. Ottilie Bergholz',
      phone: '031 300 10 10',
    });
    expect(edited.body).toMatchObject({
      canonical_display: 'Dr. med. Ottilie Bergholz',
      name: 'Ottilie Bergholz',
      title: 'Dr. med.',
      phone: '031 300 10 10',
    });
    expect([await found(owner, 'Bergholz'), await found(owner, 'Krautwald')]).toEqual([[document], []]);
    expect((await patch(owner, house.make.document(), { doctor_name: 'Krautwald Ottilie' })).body.doctor_id).toBe(
      body.doctor_id,
    );
  });

  it('rejects a code in use, a field of another kind, and invalid values', async () => {
    const [a, b] = [records.entry('diagnoses', 'Erste'), records.entry('diagnoses', 'Zweite')];
    const taken = (await owner.get(at('diagnoses', b))).body.canonical_code;
    expect(await owner.call('PATCH', at('diagnoses', a), { canonical_code: taken })).toMatchObject({
      status: 409,
      body: { code: 'name.code_taken' },
    });
    expect(
      (await owner.call('PATCH', at('diagnoses', b), { canonical_code: taken, canonical_display: 'Zweite!' })).status,
    ).toBe(200);
    expect(await owner.call('PATCH', at('diagnoses', a), { atc_code: 'A01' })).toMatchObject({
      status: 422,
      body: { code: 'name.unknown_field' },
    });
    for (const body of [{ canonical_display: '' }, { canonical_code: 5 }, { nothing: 1 }])
      expect((await owner.call('PATCH', at('diagnoses', a), body)).status).toBe(422);
    // Invisible characters do not make a name, and names may not contain them.
    for (const unseen of ['\u200b', '\u202e', ' \u2066\u2069 ', '\ud800', 'a\u0000b'])
      expect([unseen, (await owner.call('PATCH', at('diagnoses', a), { canonical_display: unseen })).status]).toEqual([
        unseen,
        422,
      ]);
    expect(
      (await owner.call('PATCH', at('diagnoses', a), { canonical_display: '\u202eEr\u200bste\u2069' })).body
        .canonical_display,
    ).toBe('Erste');
    expect((await owner.call('PATCH', at('diagnoses', 999_999), { canonical_display: 'x' })).status).toBe(404);
  });

  it('gives names without letters entries of their own, and clears a name of invisible characters', async () => {
    const document = house.make.document();
    const named = async (name: string): Promise<[number | null, string | null]> => {
      const { body } = await owner.call('PATCH', `/api/documents/${document}`, { doctor_name: name });
      return [body.doctor_id, body.doctor_name];
    };
    const [[pill, shown], [dash], [again], [none]] = [
      await named('💊'),
      await named('-'),
      await named(' 💊 '),
      await named('\u200b\u202e'),
    ];
    expect([shown, again === pill, dash === pill, typeof dash, none]).toEqual(['💊', true, false, 'number', null]);
  });

  it('indexes thousands of documents in the background', async () => {
    const facility = records.entry('facilities', 'Haus Eschenbach');
    const ids = Array.from({ length: 450 }, () => house.make.document({ file: false }));
    house.db.prepare('UPDATE documents SET facility_id = ? WHERE id >= ?').run(facility, ids[0]);
    await owner.call('PATCH', at('facilities', facility), { canonical_display: 'Haus Lindenbach' });
    const waiting = house.db.prepare('SELECT count(*) FROM name_reindexes').pluck();
    expect(waiting.get()).toBe(1);
    for (let tries = 400; tries > 0 && waiting.get() !== 0; tries -= 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await owner.get('/api/documents?q=Lindenbach')).body.total).toBe(ids.length);
  });

  it('removes a deleted entry from every record, and restores it from the trash', async () => {
    const doctor = records.entry('doctors', 'Iris Wegwerf', { aliases: ['I. Wegwerf'] });
    const document = house.make.document();
    await patch(owner, document, { doctor_id: doctor });
    const visit = records.hung('encounters', {
      document_id: document,
      doctor_id: doctor,
      diagnosis_original: 'Husten',
    });
    const before = records.everything();
    const gone = await owner.call('DELETE', at('doctors', doctor));
    expect(gone).toMatchObject({ status: 200, body: { ok: true, trash_id: expect.any(Number) } });
    expect([
      (await owner.get(at('doctors', doctor))).status,
      records.column('documents', 'doctor_id', document),
      records.column('encounters', 'doctor_id', visit),
    ]).toEqual([404, null, null]);
    expect([
      await found(owner, 'Wegwerf'),
      house.db.prepare("SELECT count(*) FROM name_aliases WHERE kind = 'doctors' AND entry_id = ?").pluck().get(doctor),
    ]).toEqual([[], 0]);
    expect((await owner.post(`/api/trash/${gone.body.trash_id}/restore`)).status).toBe(200);
    expect(records.everything()).toEqual(before);
    expect(await found(owner, 'Wegwerf')).toEqual([document]);
  });

  it('does not restore an entry whose code is in use again', async () => {
    const id = records.entry('specialties', 'Wiederkehr');
    const code = (await owner.get(at('specialties', id))).body.canonical_code;
    const { body } = await owner.call('DELETE', at('specialties', id));
    await owner.call('PATCH', at('specialties', records.entry('specialties', 'Nachfolge')), { canonical_code: code });
    expect(await owner.post(`/api/trash/${body.trash_id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'trash.path_conflict' },
    });
  });
});

describe('aliases', () => {
  it('are added, rejected when in use, moved with the records printed under them, and removed', async () => {
    const [wrong, right] = [
      records.entry('lab_tests', 'Falschin', { aliases: ['abc'], auto: true }),
      records.entry('lab_tests', 'Richtigin'),
    ];
    const [moves, stays] = [records.result(wrong, 'ABC'), records.result(wrong, 'Falschin')];
    expect(
      await owner.post(at('lab_tests', `${right}/aliases`), { alias: 'Richtigine', language: 'fr' }),
    ).toMatchObject({
      status: 201,
      body: { alias: 'Richtigine', language: 'fr', auto_mapped: false, moved_references: 0 },
    });
    expect(await owner.post(at('lab_tests', `${right}/aliases`), { alias: 'S-ABC' })).toMatchObject({
      status: 409,
      body: { code: 'name.alias_taken', detail: expect.stringContaining('Falschin') },
    });
    expect(await owner.post(at('lab_tests', `${right}/aliases`), { alias: '…' })).toMatchObject({
      status: 422,
      body: { code: 'name.alias_empty' },
    });
    expect(await owner.post(at('lab_tests', `${right}/aliases`), { alias: 'ABC', move: true })).toMatchObject({
      status: 201,
      body: { moved_references: 1, auto_mapped: false },
    });
    expect([
      records.column('lab_results', 'norm_lab_test_id', moves),
      records.column('lab_results', 'norm_lab_test_id', stays),
    ]).toEqual([right, wrong]);
    const alias = (await owner.get(at('lab_tests', right))).body.aliases.find(
      (one: { alias: string }) => one.alias === 'Richtigine',
    );
    expect((await owner.call('DELETE', at('lab_tests', `aliases/${alias.alias_id}`))).body).toEqual({
      ok: true,
      entry_id: right,
      alias: 'Richtigine',
      language: 'fr',
    });
    expect(await owner.call('DELETE', at('lab_tests', `aliases/${alias.alias_id}`))).toMatchObject({
      status: 404,
      body: { code: 'name.alias_not_found' },
    });
    expect((await owner.get(at('lab_tests', right))).body.aliases.map((one: { alias: string }) => one.alias)).toEqual([
      'ABC',
      'Richtigin',
    ]);
  });
});

describe('permission to see and change a name', () => {
  it('follows the records that use it', async () => {
    const doctor = records.entry('doctors', 'Vera Geheim');
    await patch(owner, house.make.document(), { doctor_id: doctor });
    const statuses = async (client: Client) => [
      (await client.get(at('doctors', doctor))).status,
      (await client.call('PATCH', at('doctors', doctor), { phone: '1' })).status,
      (await client.call('DELETE', at('doctors', doctor))).status,
    ];
    const listed = async (client: Client) => (await client.get(`${at('doctors')}?search=geheim`)).body.total;
    expect(await statuses(house.as('viewer'))).toEqual([200, 403, 403]);
    expect(await statuses(house.as('reader'))).toEqual([200, 403, 403]);
    for (const name of ['other', 'editor', 'admin'] as const)
      expect([name, await statuses(house.as(name)), await listed(house.as(name))]).toEqual([name, [404, 404, 404], 0]);
    expect(await listed(house.as('viewer'))).toBe(1);
    expect((await house.as('other').get(`${at('doctors')}/${doctor}/documents`)).status).toBe(404);
    expect(
      await house
        .as('other')
        .post(at('doctors', 'merge'), { source_id: doctor, target_id: records.entry('doctors', 'Wer Anders') }),
    ).toMatchObject({ status: 404 });
  });

  it('of a shared name ends at the records of others, who keep the name in an entry of their own', async () => {
    const test = records.entry('lab_tests', 'Teilin');
    records.result(test, 'Teilin');
    records.result(test, 'Teilin', house.otherPatient);
    const other = house.as('other');
    expect([
      (await owner.get(at('lab_tests', test))).body.uses,
      (await other.get(at('lab_tests', test))).body.uses,
    ]).toEqual([1, 1]);
    expect((await other.get(at('lab_tests', `${test}/documents`))).body.total).toBe(1);
    const before = (await other.get(at('lab_tests', test))).body;
    expect((await owner.call('PATCH', at('lab_tests', test), { canonical_display: 'Ganzin' })).body).toMatchObject({
      id: test,
      canonical_display: 'Ganzin',
      uses: 1,
    });
    expect((await other.get(at('lab_tests', test))).status).toBe(404);
    const [kept] = (await other.get(`${at('lab_tests')}?search=teilin`)).body.items;
    expect({ ...kept, id: 0, aliases: kept.aliases.map((one: { alias: string }) => one.alias) }).toEqual({
      ...before,
      id: 0,
      aliases: ['Teilin'],
    });
    expect((await owner.call('DELETE', at('lab_tests', test))).status).toBe(200);
    expect((await other.get(at('lab_tests', kept.id))).body).toMatchObject({ canonical_display: 'Teilin', uses: 1 });
  });

  it('of an unused name is granted to those who may change the records of its patient', async () => {
    const id = records.entry('specialties', 'Brachland');
    const statuses: number[] = [];
    for (const name of ['owner', 'keeper', 'viewer', 'reader', 'other', 'editor', 'admin'] as const)
      statuses.push((await house.as(name).get(at('specialties', id))).status);
    expect(statuses).toEqual([200, 200, 404, 404, 404, 404, 404]);
    expect(
      (await owner.get(`${at('specialties')}?filter=unused`)).body.items.map((item: { id: number }) => item.id),
    ).toContain(id);
    const overview = (await owner.get('/api/normalization')).body.types;
    expect(overview.map(({ type }: { type: string }) => type)).toEqual([
      'lab_tests',
      'specialties',
      'diagnoses',
      'medications',
      'doctors',
      'facilities',
    ]);
    expect(overview[1].entries).toBe((await owner.get(at('specialties'))).body.total);
  });
});
