import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';

let household: Household, owner: Client;
let patient: number;

const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ household: records }) => {
  household = records;
  owner = household.as('owner');
});
test.beforeEach(() => {
  // A user decided about all documents of earlier tests.
  household.db.prepare(`UPDATE documents SET patient_undecided = 0, edited_fields = '["patient_id"]'`).run();
  patient = household.make.patient();
  household.make.use(patient);
});

/** An undecided document whose page names this person. */
function waiting(name: string | null, birth: string | null, chosen: number | null = patient): number {
  const { db, make, ids } = household;
  const id = make.document({ patient: chosen, uploader: ids.owner, status: 'needs_review' });
  const reasons = JSON.stringify([{ code: chosen === null ? 'no_patient' : 'other_patient', field: 'patient_id' }]);
  db.prepare(
    `UPDATE documents SET patient_undecided = 1, review_reasons = ?, extracted_patient_name = ?,
      extracted_birth_date = ? WHERE id = ?`,
  ).run(reasons, name, birth, id);
  const found = (value: string | null) => value && { value, confidence: 0.9, place: null };
  const read = { patient: { name: found(name), date_of_birth: found(birth), sex: null, match: null } };
  db.prepare('INSERT INTO document_extractions (document_id, raw_extraction) VALUES (?, ?)').run(
    id,
    JSON.stringify(read),
  );
  db.prepare("INSERT INTO lab_results (document_id, test_name_original, value) VALUES (?, 'Ferritin', 1)").run(id);
  return id;
}

interface Question {
  name: string | null;
  date_of_birth: string | null;
  chosen: { id: number } | null;
  candidates: { id: number }[];
  may_answer: boolean;
  documents: { id: number }[];
}
const questions = async (client = owner): Promise<Question[]> => (await client.get('/api/review')).body.questions;
const answer = (body: object, client = owner) => client.post('/api/review/answers', body);
const owners = (...ids: number[]) =>
  ids.map((id) => {
    const { patient_id, patient_undecided } = household.db
      .prepare('SELECT patient_id, patient_undecided FROM documents WHERE id = ?')
      .get(id) as { patient_id: number | null; patient_undecided: number };
    const results = household.db.prepare('SELECT patient_id FROM lab_results WHERE document_id = ?').pluck().all(id);
    return [patient_id, patient_undecided, ...results];
  });
const audited = (action: string): number =>
  household.db.prepare('SELECT count(*) FROM audit_log WHERE action = ?').pluck().get(action) as number;

describe('the questions', () => {
  test('group documents by the printed person and the chosen one', async () => {
    const [a, b] = [waiting('Margaret Osei', '1949-08-03'), waiting('OSEI Margaret', null)];
    const other = waiting('Margaret Osei', '1990-01-01');
    const unassigned = waiting('Margaret Osei', '1949-08-03', null);
    const nameless = waiting(null, null);
    expect(
      (await questions()).map(({ documents, name, date_of_birth }) => [
        documents.map(({ id }) => id),
        name,
        date_of_birth,
      ]),
    ).toEqual([
      [[a, b], 'Margaret Osei', '1949-08-03'],
      [[other], 'Margaret Osei', '1990-01-01'],
      [[unassigned], 'Margaret Osei', '1949-08-03'],
      [[nameless], null, null],
    ]);
  });

  test('propose the person who is named there, but nobody to whom the caller may not write', async () => {
    waiting('Marco Bianchi', null);
    const marco = household.otherPatient;
    expect((await questions())[0]).toMatchObject({ chosen: { id: patient }, candidates: [], may_answer: true });
    expect(JSON.stringify(await questions())).not.toContain(`"id":${marco},"display_name"`);
    const grant = (role: string) =>
      household.db
        .prepare('INSERT OR REPLACE INTO patient_access (user_id, patient_id, role) VALUES (?, ?, ?)')
        .run(household.ids.owner, marco, role);
    grant('viewer');
    expect((await questions())[0]?.candidates).toEqual([]);
    grant('owner');
    expect((await questions())[0]?.candidates).toMatchObject([{ id: marco }]);
    household.db
      .prepare('DELETE FROM patient_access WHERE user_id = ? AND patient_id = ?')
      .run(household.ids.owner, marco);
  });

  test('are shown to those who may see the document, and others may not answer', async () => {
    const id = waiting('Margaret Osei', null);
    expect(await questions(household.as('viewer'))).toMatchObject([{ may_answer: false, documents: [{ id }] }]);
    expect(await questions(household.as('other'))).toEqual([]);
    expect(
      (await answer({ answer: 'assign', document_ids: [id], patient_id: patient }, household.as('viewer'))).status,
    ).toBe(403);
    expect(owners(id)).toEqual([[patient, 1, null]]);
  });

  test('of a person are also about documents of others that may name them, as is what waits today', async () => {
    const { db, ids, otherPatient: marco } = household;
    const [named, other] = [waiting('Marco Bianchi', null), waiting('Margaret Osei', null)];
    const asked = async () => {
      const review = (await owner.get(`/api/review?patient_id=${marco}`)).body;
      const today = (await owner.get(`/api/today?patient_id=${marco}`)).body;
      return [
        review.questions.map((one: Question) => one.documents.map(({ id }) => id)),
        today.to_review.map(({ id }: { id: number }) => id),
        today.to_review_total,
      ];
    };
    const grant = db.prepare('INSERT OR REPLACE INTO patient_access (user_id, patient_id, role) VALUES (?, ?, ?)');
    grant.run(ids.owner, marco, 'owner');
    expect(await asked()).toEqual([[[named]], [named], 1]);
    // Who may only look at the person is not asked which papers are theirs.
    grant.run(ids.owner, marco, 'viewer');
    expect(await asked()).toEqual([[], [], 0]);
    const { body } = await owner.get(`/api/review?patient_id=${patient}`);
    expect(body.questions.flatMap((one: Question) => one.documents.map(({ id }) => id))).toEqual([named, other]);
    db.prepare('DELETE FROM patient_access WHERE user_id = ? AND patient_id = ?').run(ids.owner, marco);
  });

  test('do not repeat the document among the others to review', async () => {
    const id = waiting('Margaret Osei', null);
    const other = household.make.document({ status: 'needs_review' });
    const { body } = await owner.get(`/api/review?patient_id=${patient}`);
    expect(body.questions.flatMap((one: Question) => one.documents.map((row) => row.id))).toEqual([id]);
    expect(body.documents.map((row: { id: number }) => row.id)).toEqual([other]);
    expect(body.documents_total).toBe(1);
  });
});

describe('an answer', () => {
  test('adds the person and files the group and all that certainly name them, and can be undone', async () => {
    const group = [waiting('Margaret Osei', '1949-08-03'), waiting('Margaret Osei', '1949-08-03')];
    const unassigned = waiting('Margaret Osei', '1949-08-03', null);
    const stranger = waiting('Luca Rossi', null);
    const before = audited('patient.create');
    const { body } = await answer({
      answer: 'add_person',
      document_ids: group,
      display_name: 'Margaret Osei',
      date_of_birth: '1949-08-03',
    });
    const margaret = body.added_patient_id;
    expect(body).toEqual({
      document_ids: expect.arrayContaining([...group, unassigned]),
      patient_id: margaret,
      added_patient_id: margaret,
    });
    expect(audited('patient.create')).toBe(before + 1);
    expect(owners(...group, unassigned, stranger)).toEqual([
      ...Array.from({ length: 3 }, () => [margaret, 0, margaret]),
      [patient, 1, null],
    ]);

    const undone = await answer({ answer: 'reopen', document_ids: group, patient_id: patient });
    expect(undone.status).toBe(200);
    expect(owners(...group)).toEqual([
      [patient, 1, null],
      [patient, 1, null],
    ]);
    const refused = { answer: 'reopen', document_ids: group, patient_id: patient, remove_patient_id: margaret };
    expect((await answer(refused)).body.code).toBe('patient.has_documents');
    const last = { ...refused, document_ids: [unassigned], patient_id: null };
    expect((await answer(last)).status).toBe(200);
    expect(owners(unassigned)).toEqual([[null, 1, null]]);
    expect((await owner.get(`/api/patients/${margaret}`)).status).toBe(404);
  });

  test('confirms the chosen person or gives the documents to another', async () => {
    const [a, b] = [waiting('Margaret Osei', null), waiting('Margaret Osei', null)];
    const other = household.make.patient();
    expect((await answer({ answer: 'assign', document_ids: [a], patient_id: patient })).status).toBe(200);
    expect((await answer({ answer: 'assign', document_ids: [b], patient_id: other })).status).toBe(200);
    expect(owners(a, b)).toEqual([
      [patient, 0, patient],
      [other, 0, other],
    ]);
    expect((await owner.get(`/api/documents/${a}`)).body).toMatchObject({ status: 'done', patient_source: 'user' });
  });

  test('says that the person was chosen at upload as long as the page contradicts, even if it names them', async () => {
    const { display_name: name } = (await owner.get(`/api/patients/${patient}`)).body;
    const id = waiting(name, '1950-01-01');
    const source = async () => (await owner.get(`/api/documents/${id}`)).body.patient_source;
    household.db.prepare('UPDATE documents SET uploaded_by_user_id = ? WHERE id = ?').run(household.ids.owner, id);
    expect(await source()).toBe('upload');
    household.db.prepare('UPDATE documents SET patient_undecided = 0 WHERE id = ?').run(id);
    expect(await source()).toBe('page');
  });

  test('changes nothing if one of the documents or the person is not the caller’s', async () => {
    const id = waiting('Margaret Osei', null);
    const hidden = household.make.document({ patient: household.otherPatient });
    for (const body of [
      { answer: 'assign', document_ids: [id, hidden], patient_id: patient },
      { answer: 'assign', document_ids: [id], patient_id: household.otherPatient },
      { answer: 'add_person', document_ids: [id, hidden], display_name: 'Margaret Osei' },
      { answer: 'reopen', document_ids: [id], patient_id: household.otherPatient },
    ])
      expect((await answer(body)).status).toBe(403);
    expect(owners(id)).toEqual([[patient, 1, null]]);
    expect(
      (await owner.get('/api/patients')).body.map((one: { display_name: string }) => one.display_name),
    ).not.toContain('Margaret Osei');
  });
});

test('a person who is added in the settings gets the waiting documents that name them', async () => {
  const [free, chosen] = [waiting('Ada Osei', '1949-08-03', null), waiting('Ada Osei', '1949-08-03')];
  const { body } = await owner.post('/api/patients', { display_name: 'Ada Osei', date_of_birth: '1949-08-03' });
  expect(owners(free, chosen)).toEqual([
    [body.id, 0, body.id],
    [patient, 1, null],
  ]);
  expect((await questions())[0]).toMatchObject({ candidates: [{ id: body.id }] });
});

test('a person who is restored from the trash gets the waiting documents that name them', async () => {
  const { body } = await owner.post('/api/patients', { display_name: 'Nils Osei', date_of_birth: '1949-08-03' });
  const { trash_id: trash } = (await owner.call('DELETE', `/api/patients/${body.id}`)).body;
  const id = waiting('Nils Osei', '1949-08-03', null);
  expect(owners(id)).toEqual([[null, 1, null]]);
  expect((await owner.post(`/api/trash/${trash}/restore`)).status).toBe(200);
  expect(owners(id)).toEqual([[body.id, 0, body.id]]);
});

test('a user who gets access to a person gets the waiting documents that name them', async () => {
  const { db, ids } = household;
  db.prepare("UPDATE patients SET display_name = 'Ottilie Brunner', date_of_birth = '1951-02-03' WHERE id = ?").run(
    patient,
  );
  const id = waiting('Ottilie Brunner', '1951-02-03', null);
  db.prepare('UPDATE documents SET uploaded_by_user_id = ? WHERE id = ?').run(ids.editor, id);
  const ownerOf = () =>
    db.prepare('SELECT patient_id, patient_undecided FROM documents WHERE id = ?').get(id) as Record<string, unknown>;
  const { status } = await household
    .as('keeper')
    .post(`/api/settings/users/${ids.editor}/access`, { patient_id: patient, role: 'owner' });
  expect(status).toBeLessThan(300);
  expect(ownerOf()).toEqual({ patient_id: patient, patient_undecided: 0 });
});

test('a document that was marked as reviewed gets back the reasons that nobody settled', async () => {
  const { db, make } = household;
  const id = make.document({ status: 'needs_review' });
  const reasons = [{ code: 'no_event_date' }, { code: 'unknown_type' }, { code: 'low_ocr_confidence' }];
  db.prepare('UPDATE documents SET review_reasons = ?, edited_fields = ? WHERE id = ?').run(
    JSON.stringify(reasons.slice(1)),
    '["event_date"]',
    id,
  );
  db.prepare('INSERT INTO document_extractions (document_id, raw_extraction) VALUES (?, ?)').run(
    id,
    JSON.stringify({ review_reasons: reasons }),
  );
  const state = async () => {
    const { status, review_reasons } = (await owner.get(`/api/documents/${id}`)).body;
    return [
      status,
      review_reasons.map(({ code }: { code: string }) => code).filter((code: string) => !/patient/.test(code)),
    ];
  };
  const before = await state();
  expect(before).toEqual(['needs_review', ['unknown_type', 'low_ocr_confidence']]);
  await owner.post(`/api/documents/${id}/mark-reviewed`);
  expect(await state()).toEqual(['done', []]);
  expect((await answer({ answer: 'reopen_review', document_ids: [id] })).status).toBe(200);
  expect(await state()).toEqual(before);
  expect((await answer({ answer: 'reopen_review', document_ids: [id] }, household.as('other'))).status).toBe(403);
});
