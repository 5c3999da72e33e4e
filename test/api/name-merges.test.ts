import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import type { NameType } from '../support/household-scope.ts';
import { at, createNameRecords, found, patch, type NameRecords } from '../support/names.ts';
import { test } from '../support/fixtures.ts';

let house: Household, owner: Client, records: NameRecords;
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
  records = createNameRecords(house);
});
beforeEach(() => house.make.use(house.patient));

describe('merging', () => {
  it('moves references and aliases, and undo restores everything', async () => {
    const [source, target] = [
      records.entry('doctors', 'A. Tannenbaum', { phone: '031 1', aliases: ['A. B. Tannenbaum'] }),
      records.entry('doctors', 'Agnes Tannenbaum'),
    ];
    const [document, own] = [house.make.document(), house.make.document()];
    await patch(owner, document, { doctor_id: source });
    await patch(owner, own, { doctor_id: target });
    const visit = records.hung('encounters', {
      document_id: document,
      doctor_id: source,
      diagnosis_original: 'Husten',
    });
    const before = records.everything();

    const merged = await owner.post(at('doctors', 'merge'), { source_id: source, target_id: target });
    expect(merged).toMatchObject({
      status: 200,
      body: { ok: true, target_id: target, moved_references: 2, moved_aliases: 2 },
    });
    expect([
      records.column('documents', 'doctor_id', document),
      records.column('encounters', 'doctor_id', visit),
    ]).toEqual([target, target]);
    expect((await owner.get(at('doctors', target))).body).toMatchObject({ phone: '031 1', uses: 3, alias_count: 3 });
    expect((await owner.get(at('doctors', source))).status).toBe(404);
    expect((await found(owner, 'Agnes')).sort()).toEqual([document, own].sort());
    expect((await patch(owner, house.make.document(), { doctor_name: 'Dr. A. Tannenbaum' })).body.doctor_id).toBe(
      target,
    );

    const history = (await owner.get(at('doctors', 'merges'))).body.items[0];
    expect(history).toMatchObject({
      merge_id: merged.body.merge_id,
      target_display: 'Agnes Tannenbaum',
      source_displays: ['A. Tannenbaum'],
      undone_at: null,
      can_undo: true,
    });
    house.db.prepare('DELETE FROM documents WHERE id = (SELECT max(id) FROM documents)').run();
    expect(await owner.post(at('doctors', `merges/${merged.body.merge_id}/undo`))).toMatchObject({
      status: 200,
      body: { ok: true, entry_ids: [source], moved_references: 2 },
    });
    expect(records.everything()).toEqual(before);
    expect([await found(owner, 'Agnes'), (await found(owner, 'Tannenbaum')).sort()]).toEqual([
      [own],
      [document, own].sort(),
    ]);
    expect(await owner.post(at('doctors', `merges/${merged.body.merge_id}/undo`))).toMatchObject({
      status: 409,
      body: { code: 'name.merge_already_undone' },
    });

    const log = (await house.as('admin').get('/api/settings/audit-log?action=name.unmerge')).body.items[0];
    expect(log).toMatchObject({ action: 'name.unmerge', details: { type: 'doctors', merge_id: merged.body.merge_id } });
  });

  it('creates a new target, also with the code of a source', async () => {
    const [a, b] = [
      records.entry('lab_tests', 'Gelbin', { loinc_code: '22222-2' }),
      records.entry('lab_tests', 'Gelbine'),
    ];
    const results = [records.result(a, 'Gelbin'), records.result(b, 'Gelbine')];
    const before = records.everything();
    const code = (await owner.get(at('lab_tests', a))).body.canonical_code;
    const merged = await owner.post(at('lab_tests', 'merge-batch'), {
      source_ids: [a, b],
      new_target: { canonical_code: code, canonical_display: 'Yellowin' },
    });
    expect(merged).toMatchObject({ status: 200, body: { moved_references: 2 } });
    expect(results.map((id) => records.column('lab_results', 'norm_lab_test_id', id))).toEqual([
      merged.body.target_id,
      merged.body.target_id,
    ]);
    expect((await owner.get(at('lab_tests', merged.body.target_id))).body).toMatchObject({
      canonical_code: code,
      loinc_code: '22222-2',
      uses: 2,
    });
    expect((await owner.post(at('lab_tests', `merges/${merged.body.merge_id}/undo`))).status).toBe(200);
    expect(records.everything()).toEqual(before);
  });

  it('rejects the entry itself, foreign entries, used codes and ambiguous targets', async () => {
    const [a, b] = [records.entry('facilities', 'Haus A'), records.entry('facilities', 'Haus B')];
    const taken = (await owner.get(at('facilities', b))).body.canonical_code;
    const batch = (body: unknown) => owner.post(at('facilities', 'merge-batch'), body);
    expect(await owner.post(at('facilities', 'merge'), { source_id: a, target_id: a })).toMatchObject({
      status: 400,
      body: { code: 'name.self_merge' },
    });
    expect(await batch({ source_ids: [a, b], target_id: b })).toMatchObject({
      status: 400,
      body: { code: 'name.self_merge' },
    });
    expect(await batch({ source_ids: [a], target_id: 999_999 })).toMatchObject({
      status: 404,
      body: { code: 'name.not_found' },
    });
    expect(
      await batch({ source_ids: [a], new_target: { canonical_code: taken, canonical_display: 'C' } }),
    ).toMatchObject({ status: 409, body: { code: 'name.code_taken' } });
    for (const body of [
      { source_ids: [a] },
      { source_ids: [], target_id: b },
      { source_ids: [a], target_id: b, new_target: { canonical_code: 'c', canonical_display: 'C' } },
    ])
      expect((await batch(body)).status).toBe(422);
    expect([(await owner.get(at('facilities', a))).status, (await owner.get(at('facilities', b))).status]).toEqual([
      200, 200,
    ]);
  });

  it('can be undone only before later changes of its target', async () => {
    const [a, b, c] = [
      records.entry('medications', 'Alphin'),
      records.entry('medications', 'Betin'),
      records.entry('medications', 'Gammin'),
    ];
    const before = records.everything();
    const first = (await owner.post(at('medications', 'merge'), { source_id: a, target_id: b })).body.merge_id;
    const second = (await owner.post(at('medications', 'merge'), { source_id: b, target_id: c })).body.merge_id;
    const undo = (id: number) => owner.post(at('medications', `merges/${id}/undo`));
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: 'name.merge_superseded' } });
    expect([(await undo(second)).status, (await undo(first)).status]).toEqual([200, 200]);
    expect(records.everything()).toEqual(before);
    expect(await undo(999_999)).toMatchObject({ status: 404, body: { code: 'name.merge_not_found' } });
  });

  it('can be undone beside entries of other people with the same code', async () => {
    const entries = ['Deltin', 'Epsilin', 'Zetin'].map((name) => records.entry('lab_tests', name));
    const [a = 0, b = 0, c = 0] = entries;
    const code = (await owner.get(at('lab_tests', a))).body.canonical_code as string;
    // Entries that were separated by person keep the code of the test.
    for (const [i, id] of entries.entries()) {
      const born = { display_name: `Merla ${i} Holunder`, date_of_birth: '1990-01-01' };
      const home = (await owner.post('/api/patients', born)).body.id;
      house.db
        .prepare('UPDATE norm_lab_tests SET canonical_code = ?, home_patient_id = ?, created_at = ? WHERE id = ?')
        .run(code, home, '2026-01-01T00:00:00', id);
    }
    const before = records.everything();
    const merged = await owner.post(at('lab_tests', 'merge'), { source_id: a, target_id: b });
    expect(merged.status).toBe(200);
    const undo = () => owner.post(at('lab_tests', `merges/${merged.body.merge_id}/undo`));
    const add = house.db.prepare('UPDATE norm_lab_tests SET created_at = ? WHERE id = ?');
    add.run('2099-01-01T00:00:00', c);
    expect(await undo()).toMatchObject({ status: 409, body: { code: 'name.merge_superseded' } });
    add.run('2026-01-01T00:00:00', c);
    expect((await undo()).status).toBe(200);
    expect(records.everything()).toEqual(before);
  });

  it('applies to a document that is restored later', async () => {
    const [source, target] = [records.entry('facilities', 'Haus Alt'), records.entry('facilities', 'Haus Neu')];
    const document = house.make.document();
    await patch(owner, document, { facility_id: source });
    const { body } = await owner.call('DELETE', `/api/documents/${document}`);
    await owner.post(at('facilities', 'merge'), { source_id: source, target_id: target });
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).status).toBe(200);
    expect((await owner.get(`/api/documents/${document}`)).body).toMatchObject({
      facility_id: target,
      facility_name: 'Haus Neu',
    });
  });
});

describe('proposals', () => {
  const propose = async (type: NameType) =>
    (await owner.post(at(type, 'auto-merge'))).body as {
      proposals: {
        target_id: number;
        source_ids: number[];
        reason: string;
        reason_code: string;
        source: string;
        confidence: string;
        code: string | null;
      }[];
      entries: { id: number }[];
    };
  const about = async (type: NameType, ids: number[]) =>
    (await propose(type)).proposals.filter(
      ({ target_id, source_ids }) => ids.includes(target_id) || source_ids.some((id) => ids.includes(id)),
    );

  it('come from the knowledge base with a code and from similarity with a reason, and change nothing', async () => {
    const coded = [
      records.entry('lab_tests', 'Magnesium gesamt', { loinc_code: '19123-9' }),
      records.entry('lab_tests', 'Mg total', { loinc_code: '19123-9' }),
    ];
    const named = [records.entry('medications', 'Dafalgan'), records.entry('medications', 'Paracétamol')];
    const slip = [
      records.entry('diagnoses', 'Quittenbaumitis chronica'),
      records.entry('diagnoses', 'Quittenbaumitls chronica'),
    ];
    const initial = [records.entry('doctors', 'dora sonderegger'), records.entry('doctors', 'd sonderegger')];
    const writes = house.writes();
    expect(await about('lab_tests', coded)).toEqual([
      {
        target_id: coded[0],
        source_ids: [coded[1]],
        reason: 'Both have the code 19123-9.',
        reason_code: 'same_code',
        code: '19123-9',
        source: 'knowledge_base',
        confidence: 'high',
      },
    ]);
    expect(await about('medications', named)).toMatchObject([
      { reason_code: 'same_in_knowledge', code: 'N02BE01', source: 'knowledge_base', confidence: 'high' },
    ]);
    expect(await about('diagnoses', slip)).toMatchObject([
      { reason_code: 'slip_of_letters', source: 'similarity', confidence: 'review' },
    ]);
    expect(await about('doctors', initial)).toMatchObject([
      { reason_code: 'initial', source: 'similarity', confidence: 'review' },
    ]);
    expect((await propose('doctors')).entries.map(({ id }) => id)).toEqual(expect.arrayContaining(initial));
    expect(house.writes()).toBe(writes);
  });

  it('omit different people and pairs that a user declared different', async () => {
    const people = [records.entry('doctors', 'andrea kummer'), records.entry('doctors', 'peter kummer')];
    expect(await about('doctors', people)).toEqual([]);
    const houses = [records.entry('facilities', 'labor hasenbuehl'), records.entry('facilities', 'labor hasenbuhel')];
    expect(await about('facilities', houses)).toHaveLength(1);
    expect((await owner.post(at('facilities', 'keep-apart'), { entry_ids: houses })).body).toEqual({ ok: true });
    expect(await about('facilities', houses)).toEqual([]);
    await owner.post(at('facilities', 'keep-apart'), { entry_ids: houses, apart: false });
    expect(await about('facilities', houses)).toHaveLength(1);
  });
});
