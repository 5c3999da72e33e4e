import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reindexDocument } from '../../src-main/documents/text-index.ts';
import { aliasKey } from '../../src-main/normalization/name-key.ts';
import type { Client } from '../support/client.ts';
import { openHousehold, type Household, type NameType } from '../support/household.ts';
import { labReport } from '../support/papers.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served;
let house: Household;
let owner: Client;
beforeAll(async () => {
  served = await serve();
  house = await openHousehold(served.url, served.vault);
  owner = house.as('owner');
});
afterAll(async () => { house.close(); await served.remove(); });
beforeEach(() => house.make.use(house.patient));

const TABLES: Record<NameType, string> = { lab_tests: 'norm_lab_tests', specialties: 'norm_specialties', diagnoses: 'norm_diagnoses', medications: 'norm_medications', doctors: 'doctors', facilities: 'facilities' };
const at = (type: NameType, tail: number | string = '') => `/api/normalization/${type}${tail === '' ? '' : `/${tail}`}`;
const insert = (table: string, values: Record<string, unknown>): number => {
  const columns = Object.keys(values);
  return Number(house.db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(values)).lastInsertRowid);
};
let count = 0;
/** An entry with its own spelling and some more. */
function entry(type: NameType, display: string, { aliases = [], auto = false, ...more }: { aliases?: string[]; auto?: boolean; [column: string]: unknown } = {}): number {
  const code = `made-${(count += 1)}`;
  const id = insert(TABLES[type], { canonical_code: code, canonical_display: display, created_at: 'x', ...((type === 'doctors' || type === 'facilities') && { name: display }), ...more });
  for (const alias of [display, ...aliases]) insert('name_aliases', { kind: type, entry_id: id, alias, alias_key: aliasKey(type, alias), auto_mapped: auto ? 1 : 0, created_at: 'x' });
  return id;
}
/** A row of a document, with its words in the search text. */
function hung(table: string, values: { document_id: number; [column: string]: unknown }): number {
  const id = insert(table, values);
  reindexDocument(house.db, values.document_id);
  return id;
}
const result = (test: number | null, name: string, patient = house.patient): number =>
  hung('lab_results', { document_id: house.make.document({ patient }), patient_id: patient, test_name_original: name, norm_lab_test_id: test, value: 5, test_date: '2025-11-12' });
const column = (table: string, name: string, id: number): unknown => house.db.prepare(`SELECT ${name} FROM ${table} WHERE id = ?`).pluck().get(id);
const patch = (client: Client, document: number, body: unknown) => client.call('PATCH', `/api/documents/${document}`, body);
/** Everything about names and what refers to them. */
const everything = () => Object.fromEntries(['norm_lab_tests', 'norm_specialties', 'norm_diagnoses', 'norm_medications', 'doctors', 'facilities', 'name_aliases'].map((table) => [table, house.db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()])
  .concat([['references', house.db.prepare('SELECT id, norm_lab_test_id FROM lab_results').all()], ['documents', house.db.prepare('SELECT id, doctor_id, facility_id, norm_specialty_id FROM documents').all()], ['encounters', house.db.prepare('SELECT id, doctor_id, norm_diagnosis_id FROM encounters').all()], ['found', house.db.prepare('SELECT id, people, labels FROM document_texts').all()]]));
const found = async (q: string): Promise<number[]> => (await owner.get(`/api/documents?q=${encodeURIComponent(q)}&limit=200`)).body.items.map((item: { id: number }) => item.id);

describe('a name that was typed', () => {
  it('is the doctor who is known, whatever title and order; another first name is another doctor', async () => {
    const ids: (number | null)[] = [];
    for (const doctor_name of ['Dr. med. Regula Anderegg', 'Anderegg Regula', 'Prof. Dr. med. Anderegg, Regula', 'REGULA ANDEREGG FMH', 'Dr. Renate Anderegg']) {
      const { status, body } = await patch(owner, house.make.document(), { doctor_name });
      expect(status).toBe(200);
      ids.push(body.doctor_id);
    }
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect(ids[4]).not.toBe(ids[0]);
    expect((await owner.get(at('doctors', ids[0] ?? 0))).body).toMatchObject({ canonical_display: 'Dr. med. Regula Anderegg', name: 'Regula Anderegg', title: 'Dr. med.', uses: 4 });
  });

  it('is the house that is known, whatever legal form and address', async () => {
    const ids: number[] = [];
    for (const facility_name of ['Klinik Sonnenhang AG', 'Klinik Sonnenhang', 'Klinik Sonnenhang AG, Musterweg 3, 3012 Bern', 'Klinik Sonnenhof']) ids.push((await patch(owner, house.make.document(), { facility_name })).body.facility_id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[3]).not.toBe(ids[0]);
  });
});

describe('a report that is read', () => {
  it('maps its tests to the knowledge base; what a machine mapped waits until it is confirmed', async () => {
    const keeper = house.as('keeper');
    await keeper.post('/api/pipeline/start');
    try {
      expect((await keeper.upload(await labReport({ seed: 3 }), 'report.pdf', house.patient)).status).toBe(201);
      await keeper.idle();
    } finally {
      await keeper.post('/api/pipeline/stop');
    }
    const rows = house.db.prepare("SELECT n.loinc_code, n.canonical_display, n.seeded, r.test_name_original, n.id FROM lab_results AS r JOIN norm_lab_tests AS n ON n.id = r.norm_lab_test_id WHERE r.test_name_original IN ('Ferritin', 'Natrium', 'CRP', 'Hämoglobin')").all() as { loinc_code: string; canonical_display: string; seeded: number; test_name_original: string; id: number }[];
    expect(rows.map(({ test_name_original, loinc_code, seeded }) => [test_name_original, loinc_code, seeded]).sort()).toEqual([['CRP', '1988-5', 1], ['Ferritin', '2276-4', 1], ['Hämoglobin', '718-7', 1], ['Natrium', '2951-2', 1]]);
    const sodium = rows.find((row) => row.test_name_original === 'Natrium');
    expect(sodium?.canonical_display).toBe('Sodium');

    // The same test under other names, by a machine and by a person.
    const document = house.make.document();
    const other = await owner.post('/api/lab-results', { document_id: document, test_name_original: 'S-Natrium im Serum', value: 140 });
    expect(other.body.norm_lab_test_id).toBe(sodium?.id);
    expect((await owner.post('/api/lab-results', { document_id: document, test_name_original: 'Natrium', sample_type: 'Spontanurin', value: 80 })).body.norm_lab_test_id).not.toBe(sodium?.id);

    const doctor = house.db.prepare("SELECT entry_id FROM name_aliases WHERE kind = 'doctors' AND alias LIKE '%Regula Aebischer'").pluck().get() as number;
    const before = await owner.get(at('doctors', doctor));
    expect(before.body).toMatchObject({ unreviewed_count: 1, aliases: [{ auto_mapped: true }] });
    expect((await owner.get(at('doctors', '?filter=unreviewed').replace('/?', '?'))).body.items.map((item: { id: number }) => item.id)).toContain(doctor);
    expect((await owner.post(at('doctors', `${doctor}/confirm`))).body).toEqual({ ok: true, confirmed: 1 });
    expect((await owner.get(at('doctors', doctor))).body).toMatchObject({ unreviewed_count: 0, aliases: [{ auto_mapped: false }] });
    // The search knows the test by its canonical name as well.
    expect(await found('Sodium')).toHaveLength(2);
  });
});

describe('a report that is read again', () => {
  it('makes no names of rows that a person removed', async () => {
    const keeper = house.as('keeper');
    const document = house.db.prepare("SELECT document_id FROM lab_results WHERE test_name_original = 'Ferritin'").pluck().get() as number;
    const row = house.db.prepare("SELECT id, norm_lab_test_id AS test FROM lab_results WHERE document_id = ? AND test_name_original = 'Ferritin'").get(document) as { id: number; test: number };
    expect((await owner.call('DELETE', `/api/lab-results/${row.id}`)).status).toBe(200);
    expect((await owner.call('DELETE', at('lab_tests', row.test))).status).toBe(200);
    await keeper.post('/api/pipeline/start');
    try {
      expect((await keeper.post(`/api/documents/${document}/reprocess`, { mode: 'llm' })).status).toBe(202);
      await keeper.idle();
    } finally {
      await keeper.post('/api/pipeline/stop');
    }
    expect(house.db.prepare("SELECT count(*) FROM norm_lab_tests WHERE loinc_code = '2276-4'").pluck().get()).toBe(0);
    expect(house.db.prepare("SELECT count(*) FROM lab_results WHERE document_id = ? AND norm_lab_test_id IS NOT NULL").pluck().get(document)).toBe(3);
  });
});

describe('the list', () => {
  it('is by name, counts uses and spellings, and is searched by spelling, code and without accents', async () => {
    const id = entry('lab_tests', 'Zéolithe', { aliases: ['Boiling stone'], loinc_code: '11111-1' });
    result(id, 'Zéolithe');
    result(id, 'Zeolith');
    for (const query of ['search=zeolithe', 'search=Z%C3%A9olithe', 'search=11111-1', 'search=BOILING']) {
      const { body } = await owner.get(`${at('lab_tests')}?${query}`);
      expect(body, query).toEqual({ total: 1, items: [expect.objectContaining({ id, canonical_display: 'Zéolithe', uses: 2, alias_count: 2, unreviewed_count: 0, loinc_code: '11111-1' })] });
    }
    const all = (await owner.get(at('lab_tests'))).body;
    const names = all.items.map((item: { canonical_display: string }) => item.canonical_display);
    expect(names).toEqual(names.toSorted(new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare));
    expect((await owner.get(`${at('lab_tests')}?limit=1&offset=1`)).body).toEqual({ total: all.total, items: [all.items[1]] });
    expect((await owner.get(`${at('lab_tests')}?sort=uses&limit=1`)).body.items[0].uses).toBe(Math.max(...all.items.map((item: { uses: number }) => item.uses)));
    expect((await owner.get('/api/normalization/gods')).status).toBe(422);
  });

  it('leads to the documents of an entry, each once', async () => {
    const doctor = entry('doctors', 'Urs Vogelsang');
    const [direct, both] = [house.make.document(), house.make.document()];
    for (const id of [direct, both]) house.db.prepare('UPDATE documents SET doctor_id = ? WHERE id = ?').run(doctor, id);
    hung('encounters', { document_id: both, doctor_id: doctor, diagnosis_original: 'Husten' });
    const { body } = await owner.get(at('doctors', `${doctor}/documents?limit=1`));
    expect(body).toMatchObject({ total: 2, items: [{ id: both, patient_id: house.patient, doc_type: 'lab_test' }] });
    expect((await owner.get(at('doctors', `${doctor}/documents?offset=1`))).body.items.map((item: { id: number }) => item.id)).toEqual([direct]);
  });
});

describe('editing', () => {
  it('changes names, finds documents by them, and keeps the old name as a spelling', async () => {
    const document = house.make.document();
    const { body } = await patch(owner, document, { doctor_name: 'Dr. Ottilie Krautwald' });
    const edited = await owner.call('PATCH', at('doctors', body.doctor_id), { canonical_display: 'Dr. med. Ottilie Bergholz', phone: '031 300 10 10' });
    expect(edited.body).toMatchObject({ canonical_display: 'Dr. med. Ottilie Bergholz', name: 'Ottilie Bergholz', title: 'Dr. med.', phone: '031 300 10 10' });
    expect([await found('Bergholz'), await found('Krautwald')]).toEqual([[document], []]);
    expect((await patch(owner, house.make.document(), { doctor_name: 'Krautwald Ottilie' })).body.doctor_id).toBe(body.doctor_id);
  });

  it('refuses a code that is taken, a field of another kind, and nonsense', async () => {
    const [a, b] = [entry('diagnoses', 'Erste'), entry('diagnoses', 'Zweite')];
    const taken = (await owner.get(at('diagnoses', b))).body.canonical_code;
    expect(await owner.call('PATCH', at('diagnoses', a), { canonical_code: taken })).toMatchObject({ status: 409, body: { code: 'name.code_taken' } });
    expect((await owner.call('PATCH', at('diagnoses', b), { canonical_code: taken, canonical_display: 'Zweite!' })).status).toBe(200);
    expect(await owner.call('PATCH', at('diagnoses', a), { atc_code: 'A01' })).toMatchObject({ status: 422, body: { code: 'name.wrong_field' } });
    for (const body of [{ canonical_display: '' }, { canonical_code: 5 }, { nothing: 1 }]) expect((await owner.call('PATCH', at('diagnoses', a), body)).status).toBe(422);
    expect((await owner.call('PATCH', at('diagnoses', 999_999), { canonical_display: 'x' })).status).toBe(404);
  });

  it('indexes thousands of documents in the background', async () => {
    const facility = entry('facilities', 'Haus Eschenbach');
    const ids = Array.from({ length: 450 }, () => house.make.document({ file: false }));
    house.db.prepare('UPDATE documents SET facility_id = ? WHERE id >= ?').run(facility, ids[0]);
    await owner.call('PATCH', at('facilities', facility), { canonical_display: 'Haus Lindenbach' });
    const waiting = house.db.prepare('SELECT count(*) FROM name_reindexes').pluck();
    expect(waiting.get()).toBe(1);
    for (let tries = 400; tries > 0 && waiting.get() !== 0; tries -= 1) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await owner.get('/api/documents?q=Lindenbach')).body.total).toBe(ids.length);
  });

  it('deletes an entry out of every record, and brings it back from the trash', async () => {
    const doctor = entry('doctors', 'Iris Wegwerf', { aliases: ['I. Wegwerf'] });
    const document = house.make.document();
    await patch(owner, document, { doctor_id: doctor });
    const visit = hung('encounters', { document_id: document, doctor_id: doctor, diagnosis_original: 'Husten' });
    const before = everything();
    const gone = await owner.call('DELETE', at('doctors', doctor));
    expect(gone).toMatchObject({ status: 200, body: { ok: true, trash_id: expect.any(Number) } });
    expect([(await owner.get(at('doctors', doctor))).status, column('documents', 'doctor_id', document), column('encounters', 'doctor_id', visit)]).toEqual([404, null, null]);
    expect([await found('Wegwerf'), house.db.prepare("SELECT count(*) FROM name_aliases WHERE kind = 'doctors' AND entry_id = ?").pluck().get(doctor)]).toEqual([[], 0]);
    expect((await owner.post(`/api/trash/${gone.body.trash_id}/restore`)).status).toBe(200);
    expect(everything()).toEqual(before);
    expect(await found('Wegwerf')).toEqual([document]);
  });

  it('does not bring back an entry whose code is used again', async () => {
    const id = entry('specialties', 'Wiederkehr');
    const code = (await owner.get(at('specialties', id))).body.canonical_code;
    const { body } = await owner.call('DELETE', at('specialties', id));
    await owner.call('PATCH', at('specialties', entry('specialties', 'Nachfolge')), { canonical_code: code });
    expect(await owner.post(`/api/trash/${body.trash_id}/restore`)).toMatchObject({ status: 409, body: { code: 'trash.place_taken' } });
  });
});

describe('spellings', () => {
  it('are added, refused when taken, moved with the records that were read by them, and removed', async () => {
    const [wrong, right] = [entry('lab_tests', 'Falschin', { aliases: ['abc'], auto: true }), entry('lab_tests', 'Richtigin')];
    const [moves, stays] = [result(wrong, 'ABC'), result(wrong, 'Falschin')];
    expect(await owner.post(at('lab_tests', `${right}/aliases`), { alias: 'Richtigine', language: 'fr' })).toMatchObject({ status: 201, body: { alias: 'Richtigine', language: 'fr', auto_mapped: false, moved_references: 0 } });
    expect(await owner.post(at('lab_tests', `${right}/aliases`), { alias: 'S-ABC' })).toMatchObject({ status: 409, body: { code: 'name.alias_taken', detail: expect.stringContaining('Falschin') } });
    expect(await owner.post(at('lab_tests', `${right}/aliases`), { alias: '…' })).toMatchObject({ status: 422, body: { code: 'name.alias_empty' } });
    expect(await owner.post(at('lab_tests', `${right}/aliases`), { alias: 'ABC', move: true })).toMatchObject({ status: 201, body: { moved_references: 1, auto_mapped: false } });
    expect([column('lab_results', 'norm_lab_test_id', moves), column('lab_results', 'norm_lab_test_id', stays)]).toEqual([right, wrong]);
    const alias = (await owner.get(at('lab_tests', right))).body.aliases.find((one: { alias: string }) => one.alias === 'Richtigine');
    expect((await owner.call('DELETE', at('lab_tests', `aliases/${alias.alias_id}`))).body).toEqual({ ok: true, entry_id: right, alias: 'Richtigine', language: 'fr' });
    expect(await owner.call('DELETE', at('lab_tests', `aliases/${alias.alias_id}`))).toMatchObject({ status: 404, body: { code: 'name.alias_not_found' } });
    expect((await owner.get(at('lab_tests', right))).body.aliases.map((one: { alias: string }) => one.alias)).toEqual(['ABC', 'Richtigin']);
  });
});

describe('merging', () => {
  it('moves references and spellings, and undoing puts everything back as it was', async () => {
    const [source, target] = [entry('doctors', 'A. Tannenbaum', { phone: '031 1', aliases: ['A. B. Tannenbaum'] }), entry('doctors', 'Agnes Tannenbaum')];
    const [document, own] = [house.make.document(), house.make.document()];
    await patch(owner, document, { doctor_id: source });
    await patch(owner, own, { doctor_id: target });
    const visit = hung('encounters', { document_id: document, doctor_id: source, diagnosis_original: 'Husten' });
    const before = everything();

    const merged = await owner.post(at('doctors', 'merge'), { source_id: source, target_id: target });
    expect(merged).toMatchObject({ status: 200, body: { ok: true, target_id: target, moved_references: 2, moved_aliases: 2 } });
    expect([column('documents', 'doctor_id', document), column('encounters', 'doctor_id', visit)]).toEqual([target, target]);
    expect((await owner.get(at('doctors', target))).body).toMatchObject({ phone: '031 1', uses: 3, alias_count: 3 });
    expect((await owner.get(at('doctors', source))).status).toBe(404);
    expect((await found('Agnes')).sort()).toEqual([document, own].sort());
    expect((await patch(owner, house.make.document(), { doctor_name: 'Dr. A. Tannenbaum' })).body.doctor_id).toBe(target);

    const history = (await owner.get(at('doctors', 'merges'))).body.items[0];
    expect(history).toMatchObject({ merge_id: merged.body.merge_id, target_display: 'Agnes Tannenbaum', source_displays: ['A. Tannenbaum'], undone_at: null, can_undo: true });
    house.db.prepare('DELETE FROM documents WHERE id = (SELECT max(id) FROM documents)').run();
    expect(await owner.post(at('doctors', `merges/${merged.body.merge_id}/undo`))).toMatchObject({ status: 200, body: { ok: true, entry_ids: [source], moved_references: 2 } });
    expect(everything()).toEqual(before);
    expect([(await found('Agnes')), (await found('Tannenbaum')).sort()]).toEqual([[own], [document, own].sort()]);
    expect(await owner.post(at('doctors', `merges/${merged.body.merge_id}/undo`))).toMatchObject({ status: 409, body: { code: 'name.merge_undone' } });

    const log = (await house.as('admin').get('/api/settings/audit-log?action=name.unmerge')).body.items[0];
    expect(log).toMatchObject({ action: 'name.unmerge', details: { type: 'doctors', merge_id: merged.body.merge_id } });
  });

  it('makes a target of its own, also under the code of a source', async () => {
    const [a, b] = [entry('lab_tests', 'Gelbin', { loinc_code: '22222-2' }), entry('lab_tests', 'Gelbine')];
    const results = [result(a, 'Gelbin'), result(b, 'Gelbine')];
    const before = everything();
    const code = (await owner.get(at('lab_tests', a))).body.canonical_code;
    const merged = await owner.post(at('lab_tests', 'merge-batch'), { source_ids: [a, b], new_target: { canonical_code: code, canonical_display: 'Yellowin' } });
    expect(merged).toMatchObject({ status: 200, body: { moved_references: 2 } });
    expect(results.map((id) => column('lab_results', 'norm_lab_test_id', id))).toEqual([merged.body.target_id, merged.body.target_id]);
    expect((await owner.get(at('lab_tests', merged.body.target_id))).body).toMatchObject({ canonical_code: code, loinc_code: '22222-2', uses: 2 });
    expect((await owner.post(at('lab_tests', `merges/${merged.body.merge_id}/undo`))).status).toBe(200);
    expect(everything()).toEqual(before);
  });

  it('refuses itself, strangers, taken codes and undecided targets', async () => {
    const [a, b] = [entry('facilities', 'Haus A'), entry('facilities', 'Haus B')];
    const taken = (await owner.get(at('facilities', b))).body.canonical_code;
    const batch = (body: unknown) => owner.post(at('facilities', 'merge-batch'), body);
    expect(await owner.post(at('facilities', 'merge'), { source_id: a, target_id: a })).toMatchObject({ status: 400, body: { code: 'name.merge_itself' } });
    expect(await batch({ source_ids: [a, b], target_id: b })).toMatchObject({ status: 400, body: { code: 'name.merge_itself' } });
    expect(await batch({ source_ids: [a], target_id: 999_999 })).toMatchObject({ status: 404, body: { code: 'name.not_found' } });
    expect(await batch({ source_ids: [a], new_target: { canonical_code: taken, canonical_display: 'C' } })).toMatchObject({ status: 409, body: { code: 'name.code_taken' } });
    for (const body of [{ source_ids: [a] }, { source_ids: [], target_id: b }, { source_ids: [a], target_id: b, new_target: { canonical_code: 'c', canonical_display: 'C' } }]) expect((await batch(body)).status).toBe(422);
    expect([(await owner.get(at('facilities', a))).status, (await owner.get(at('facilities', b))).status]).toEqual([200, 200]);
  });

  it('is not undone once its target went further; in the right order it is', async () => {
    const [a, b, c] = [entry('medications', 'Alphin'), entry('medications', 'Betin'), entry('medications', 'Gammin')];
    const before = everything();
    const first = (await owner.post(at('medications', 'merge'), { source_id: a, target_id: b })).body.merge_id;
    const second = (await owner.post(at('medications', 'merge'), { source_id: b, target_id: c })).body.merge_id;
    const undo = (id: number) => owner.post(at('medications', `merges/${id}/undo`));
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: 'name.merge_overtaken' } });
    expect([(await undo(second)).status, (await undo(first)).status]).toEqual([200, 200]);
    expect(everything()).toEqual(before);
    expect(await undo(999_999)).toMatchObject({ status: 404, body: { code: 'name.merge_not_found' } });
  });

  it('is followed by a document that comes back from the trash', async () => {
    const [source, target] = [entry('facilities', 'Haus Alt'), entry('facilities', 'Haus Neu')];
    const document = house.make.document();
    await patch(owner, document, { facility_id: source });
    const { body } = await owner.call('DELETE', `/api/documents/${document}`);
    await owner.post(at('facilities', 'merge'), { source_id: source, target_id: target });
    expect((await owner.post(`/api/trash/${body.trash_id}/restore`)).status).toBe(200);
    expect((await owner.get(`/api/documents/${document}`)).body).toMatchObject({ facility_id: target, facility_name: 'Haus Neu' });
  });
});

describe('proposals', () => {
  const propose = async (type: NameType) => (await owner.post(at(type, 'auto-merge'))).body as { proposals: { target_id: number; source_ids: number[]; reason: string; reason_code: string; source: string; confidence: string; code: string | null }[]; entries: { id: number }[] };
  const about = async (type: NameType, ids: number[]) => (await propose(type)).proposals.filter(({ target_id, source_ids }) => ids.includes(target_id) || source_ids.some((id) => ids.includes(id)));

  it('come from the knowledge base with the code, and from likeness with the reason; nothing is done', async () => {
    const coded = [entry('lab_tests', 'Magnesium gesamt', { loinc_code: '19123-9' }), entry('lab_tests', 'Mg total', { loinc_code: '19123-9' })];
    const named = [entry('medications', 'Dafalgan'), entry('medications', 'Paracétamol')];
    const slip = [entry('diagnoses', 'Quittenbaumitis chronica'), entry('diagnoses', 'Quittenbaumitls chronica')];
    const initial = [entry('doctors', 'dora sonderegger'), entry('doctors', 'd sonderegger')];
    const writes = house.writes();
    expect(await about('lab_tests', coded)).toEqual([{ target_id: coded[0], source_ids: [coded[1]], reason: 'Both have the code 19123-9.', reason_code: 'same_code', code: '19123-9', source: 'knowledge_base', confidence: 'high' }]);
    expect(await about('medications', named)).toMatchObject([{ reason_code: 'same_in_knowledge', code: 'N02BE01', source: 'knowledge_base', confidence: 'high' }]);
    expect(await about('diagnoses', slip)).toMatchObject([{ reason_code: 'slip_of_letters', source: 'likeness', confidence: 'review' }]);
    expect(await about('doctors', initial)).toMatchObject([{ reason_code: 'initial', source: 'likeness', confidence: 'review' }]);
    expect((await propose('doctors')).entries.map(({ id }) => id)).toEqual(expect.arrayContaining(initial));
    expect(house.writes()).toBe(writes);
  });

  it('leave different people alone, and what a person parted', async () => {
    const people = [entry('doctors', 'andrea kummer'), entry('doctors', 'peter kummer')];
    expect(await about('doctors', people)).toEqual([]);
    const houses = [entry('facilities', 'labor hasenbuehl'), entry('facilities', 'labor hasenbuhel')];
    expect(await about('facilities', houses)).toHaveLength(1);
    expect((await owner.post(at('facilities', 'keep-apart'), { entry_ids: houses })).body).toEqual({ ok: true });
    expect(await about('facilities', houses)).toEqual([]);
    await owner.post(at('facilities', 'keep-apart'), { entry_ids: houses, apart: false });
    expect(await about('facilities', houses)).toHaveLength(1);
  });
});

describe('who sees and changes a name', () => {
  it('is who may see and change a record that uses it', async () => {
    const doctor = entry('doctors', 'Vera Geheim');
    await patch(owner, house.make.document(), { doctor_id: doctor });
    const statuses = async (client: Client) => [(await client.get(at('doctors', doctor))).status, (await client.call('PATCH', at('doctors', doctor), { phone: '1' })).status, (await client.call('DELETE', at('doctors', doctor))).status];
    const listed = async (client: Client) => (await client.get(`${at('doctors')}?search=geheim`)).body.total;
    expect(await statuses(house.as('viewer'))).toEqual([200, 403, 403]);
    expect(await statuses(house.as('reader'))).toEqual([200, 403, 403]);
    for (const name of ['other', 'editor', 'admin'] as const) expect([name, await statuses(house.as(name)), await listed(house.as(name))]).toEqual([name, [404, 404, 404], 0]);
    expect(await listed(house.as('viewer'))).toBe(1);
    expect((await house.as('other').get(`${at('doctors')}/${doctor}/documents`)).status).toBe(404);
    expect(await house.as('other').post(at('doctors', 'merge'), { source_id: doctor, target_id: entry('doctors', 'Wer Anders') })).toMatchObject({ status: 404 });
  });

  it('of a shared name counts the own records only, and deletes it only for all of them', async () => {
    const test = entry('lab_tests', 'Teilin');
    result(test, 'Teilin');
    result(test, 'Teilin', house.otherPatient);
    const other = house.as('other');
    expect([(await owner.get(at('lab_tests', test))).body.uses, (await other.get(at('lab_tests', test))).body.uses]).toEqual([1, 1]);
    expect((await other.get(at('lab_tests', `${test}/documents`))).body.total).toBe(1);
    expect((await owner.call('PATCH', at('lab_tests', test), { category: 'Shared' })).status).toBe(200);
    expect(await owner.call('DELETE', at('lab_tests', test))).toMatchObject({ status: 403, body: { code: 'auth.read_only' } });
  });

  it('of an unused name is who may tidy up', async () => {
    const id = entry('specialties', 'Brachland');
    expect([(await house.as('reader').get(at('specialties', id))).status, (await house.as('editor').get(at('specialties', id))).status]).toEqual([404, 200]);
    expect((await owner.get(`${at('specialties')}?filter=unused`)).body.items.map((item: { id: number }) => item.id)).toContain(id);
    const overview = (await owner.get('/api/normalization')).body.types;
    expect(overview.map(({ type }: { type: string }) => type)).toEqual(['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities']);
    expect(overview[1].entries).toBe((await owner.get(at('specialties'))).body.total);
  });
});
