import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { openHousehold, type Household } from '../support/household.ts';
import { serve, type Served } from '../support/serve.ts';

/** Two patients of two owners, and `keeper`, who owns both: what the keeper does tells one owner nothing of the other. */

let served: Served, house: Household, keeper: Client, owner: Client, other: Client;

beforeAll(async () => {
  served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  house = await openHousehold(served.url, served.vault);
  [keeper, owner, other] = [house.as('keeper'), house.as('owner'), house.as('other')];
});
afterAll(async () => {
  house.close();
  await served.remove();
});
beforeEach(() => grantOther('owner'));

/** Gives the keeper a role for the patient of `other`, or takes it away. */
function grantOther(role: 'owner' | null): void {
  const of = [house.ids.keeper, house.otherPatient];
  house.db.prepare('DELETE FROM patient_access WHERE user_id = ? AND patient_id = ?').run(...of);
  if (role === 'owner')
    house.db.prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (?, ?, 'owner')").run(...of);
}

const documentOf = (patient: number): number => house.make.document({ patient });
const encounter = async (client: Client, document: number, diagnosis_original: string) =>
  (await client.post('/api/encounters', { document_id: document, diagnosis_original })).body;
const doctorOf = async (client: Client, document: number): Promise<{ id: number; name: string }> => {
  const { doctor_id, doctor_name } = (await client.get(`/api/documents/${document}`)).body;
  return { id: doctor_id, name: doctor_name };
};

describe('a merge by somebody who sees both entries', () => {
  it('is neither shown to the owner of one of them, nor undone by them', async () => {
    const mine = await encounter(owner, documentOf(house.patient), 'Virusgedöns');
    const theirs = await encounter(other, documentOf(house.otherPatient), 'Geheimleiden');
    const merged = await keeper.post('/api/normalization/diagnoses/merge', {
      source_id: theirs.norm_diagnosis_id,
      target_id: mine.norm_diagnosis_id,
    });
    expect(merged.status).toBe(200);
    expect((await owner.get('/api/normalization/diagnoses/merges')).body.items).toEqual([]);
    const undo = `/api/normalization/diagnoses/merges/${merged.body.merge_id}/undo`;
    expect((await owner.post(undo)).body.code).toBe('name.merge_not_found');
    // A change of the entry separates the records of the other owner from it, but still shows nothing of them.
    const path = `/api/normalization/diagnoses/${mine.norm_diagnosis_id}`;
    await owner.call('PATCH', path, { canonical_display: 'Virusding' });
    expect((await owner.get('/api/normalization/diagnoses/merges')).body.items).toEqual([]);
    expect((await owner.post(undo)).body.code).toBe('name.merge_not_found');
    expect((await keeper.get('/api/normalization/diagnoses/merges')).body.items).toMatchObject([
      { source_displays: ['Geheimleiden'] },
    ]);
  });

  it('makes no word of one owner known to what the other one writes', async () => {
    const mine = await encounter(owner, documentOf(house.patient), 'Zahnsache');
    const theirs = await encounter(other, documentOf(house.otherPatient), 'Heimlichkeit');
    await keeper.post('/api/normalization/diagnoses/merge', {
      source_id: theirs.norm_diagnosis_id,
      target_id: mine.norm_diagnosis_id,
    });
    const { norm_diagnosis_id: third } = await encounter(owner, documentOf(house.patient), 'Drittes Leiden');
    const added = await owner.post(`/api/normalization/diagnoses/${third}/aliases`, { alias: 'Heimlichkeit' });
    expect([added.status, added.body.moved_references]).toEqual([201, 0]);
    const written = await encounter(owner, documentOf(house.patient), 'Heimlichkeit');
    expect(written.norm_diagnosis_id).toBe(third);
    // The other owner's document is still found under its own word.
    const again = await encounter(other, documentOf(house.otherPatient), 'Heimlichkeit');
    expect(again.norm_diagnosis_id).toBe(mine.norm_diagnosis_id);
  });

  it('is shown to the other owners of the same patient, who may undo it', async () => {
    const [first, second] = [
      await encounter(owner, documentOf(house.patient), 'Kniedings'),
      await encounter(owner, documentOf(house.patient), 'Kniesache'),
    ];
    const { merge_id } = (
      await owner.post('/api/normalization/diagnoses/merge', {
        source_id: first.norm_diagnosis_id,
        target_id: second.norm_diagnosis_id,
      })
    ).body;
    expect((await keeper.get('/api/normalization/diagnoses/merges')).body.items).toContainEqual(
      expect.objectContaining({ merge_id, source_displays: ['Kniedings'], can_undo: true }),
    );
    expect((await keeper.post(`/api/normalization/diagnoses/merges/${merge_id}/undo`)).status).toBe(200);
  });
});

describe('what is restored from the trash', () => {
  it.each([
    ['encounters', { diagnosis_original: 'Gicht' }],
    ['medications', { brand_name: 'Maltofer' }],
    ['vaccinations', { vaccine_name: 'Boostrix' }],
    ['lab-results', { test_name_original: 'Ferritin', value: 1 }],
  ])('does not come back as a row of %s into a document of another patient now', async (rows, fields) => {
    const document = documentOf(house.patient);
    const { id } = (await owner.post(`/api/${rows}`, { document_id: document, ...fields })).body;
    const { trash_id } = (await owner.call('DELETE', `/api/${rows}/${id}`)).body;
    await keeper.post(`/api/documents/${document}/move`, { patient_id: house.otherPatient });
    const before = (await other.get(`/api/documents/${document}`)).body;
    expect((await owner.post(`/api/trash/${trash_id}/restore`)).body.code).toBe('trash.parent_deleted');
    expect((await other.get(`/api/documents/${document}`)).body).toEqual(before);
    expect((await keeper.post(`/api/trash/${trash_id}/restore`)).status).toBe(200);
  });

  it('does not come back as a name into records that its deleter may no longer change', async () => {
    const [mine, theirs] = [documentOf(house.patient), documentOf(house.otherPatient)];
    await keeper.call('PATCH', `/api/documents/${theirs}`, { doctor_name: 'Dr. Weg' });
    const { id } = await doctorOf(keeper, theirs);
    await keeper.call('PATCH', `/api/documents/${mine}`, { doctor_id: id });
    const { trash_id } = (await keeper.call('DELETE', `/api/normalization/doctors/${id}`)).body;
    grantOther(null);
    expect((await keeper.post(`/api/trash/${trash_id}/restore`)).status).toBe(200);
    expect(await doctorOf(owner, mine)).toEqual({ id, name: 'Dr. Weg' });
    expect((await doctorOf(other, theirs)).id).toBeNull();
  });
});

it('a document whose patient is open again takes a name of its own along', async () => {
  const [loose, stays] = [
    house.make.document({ patient: null, uploader: house.ids.other }),
    house.make.document({ patient: house.patient }),
  ];
  await keeper.post(`/api/documents/${loose}/move`, { patient_id: house.patient });
  for (const document of [loose, stays])
    await owner.call('PATCH', `/api/documents/${document}`, { doctor_name: 'Dr. Moritz Mitgift' });
  const { id } = await doctorOf(owner, stays);
  await owner.post(`/api/normalization/doctors/${id}/aliases`, { alias: 'Geheimpraxis' });
  await keeper.post('/api/review/answers', { answer: 'reopen', document_ids: [loose], patient_id: null });
  expect((await doctorOf(other, loose)).name).toBe('Dr. Moritz Mitgift');
  expect((await other.get('/api/normalization/doctors?search=Geheimpraxis')).body.total).toBe(0);
  expect((await other.get(`/api/normalization/doctors/${id}`)).status).toBe(404);
});

it('the order of search hits does not depend on the words of other people’s documents', async () => {
  const written = (patient: number, body: string): number => {
    const id = documentOf(patient);
    house.db.prepare("UPDATE document_texts SET title = 'a', body = ? WHERE id = ?").run(body, id);
    return id;
  };
  const mine = [written(house.patient, 'Bericht Zwetschge'), written(house.patient, 'Bericht Mirabelle')];
  const theirs = written(house.otherPatient, 'Bericht');
  const order = async (word: string): Promise<number[]> => {
    house.db.prepare('UPDATE document_texts SET body = ? WHERE id = ?').run(`Bericht ${word}`, theirs);
    const { items } = (await owner.get('/api/documents?q=Zwetschge%20OR%20Mirabelle')).body;
    return items.map((item: { id: number }) => item.id);
  };
  for (const word of ['Zwetschge', 'Mirabelle', 'Pflaume'])
    expect([word, await order(word)]).toEqual([word, mine.toReversed()]);
});
