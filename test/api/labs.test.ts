import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { labRecords } from '../support/lab-records.ts';
import { labReport } from '../support/sample-documents.ts';
import { test } from '../support/fixtures.ts';

let house: Household;

let owner: Client;

let lab: ReturnType<typeof labRecords>;

test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
  lab = labRecords(house, owner);
});

const add = (body: Record<string, unknown>, by = owner) => by.post('/api/lab-results', body);

const change = (id: number, body: Record<string, unknown>, by = owner) =>
  by.call('PATCH', `/api/lab-results/${id}`, body);

describe('lab results of a deleted document', () => {
  const reported = () => {
    const patient = lab.freshPatient();
    const document = house.make.document({ patient });
    const id = lab.result('Ferritin', { value: 23, document_id: document, test_date: null }, patient);
    return { patient, document, id };
  };
  const orphans = async (patient: number) => (await owner.get(`/api/lab-results/orphans?patient_id=${patient}`)).body;

  it('are deleted and restored with it', async () => {
    const { patient, document, id } = reported();
    const { body } = await owner.call('DELETE', `/api/documents/${document}`);
    expect([await orphans(patient), (await change(id, {})).body.code]).toEqual([
      { items: [], total: 0 },
      'lab_result.not_found',
    ]);
    await owner.post(`/api/trash/${body.trash_id}/restore`);
    expect((await change(id, {})).body).toMatchObject({ id, document_id: document });
  });

  it('stay with the patient without a document if the user keeps them, and are linked again on restore', async () => {
    const { patient, document, id } = reported();
    const { body } = await owner.call('DELETE', `/api/documents/${document}?keep_results=true`);
    expect(await orphans(patient)).toMatchObject({
      total: 1,
      items: [
        {
          id,
          document_id: null,
          document_missing: true,
          document_filename: null,
          patient_id: patient,
          test_date: '2025-11-12',
        },
      ],
    });
    expect([
      (await lab.summary(patient)).orphans,
      (await orphans(house.patient)).items.some((item: { id: number }) => item.id === id),
    ]).toEqual([1, false]);
    expect((await change(id, { value: 24 })).status).toBe(200);
    expect((await change(id, { value: 25 }, house.as('other'))).status).toBe(403);
    await owner.post(`/api/trash/${body.trash_id}/restore`);
    expect([
      (await orphans(patient)).total,
      (await owner.get(`/api/documents/${document}`)).body.lab_results,
    ]).toMatchObject([0, [{ id, value: 24 }]]);
  });

  it('can be linked to another document of the patient, and stay linked to it', async () => {
    const { patient, document, id } = reported();
    const { body: gone } = await owner.call('DELETE', `/api/documents/${document}?keep_results=true`);
    const another = house.make.document({ patient });
    for (const [where, by] of [
      [house.make.document({ patient: house.patient }), owner],
      [999_999, owner],
      [house.make.document({ patient: house.otherPatient }), owner],
    ] as const)
      expect((await change(id, { document_id: where }, by)).body.code).toBe('document.not_found');
    expect((await change(id, { document_id: null })).status).toBe(422);
    expect((await change(id, { document_id: another }, house.as('viewer'))).status).toBe(403);
    const before = (await owner.get(`/api/lab-results?patient_id=${patient}`)).body.items[0];
    expect((await change(id, { document_id: another })).body).toMatchObject({
      ...before,
      document_id: another,
      document_missing: false,
      document_filename: expect.any(String),
      document_doc_type: expect.anything(),
      document_doc_date: expect.anything(),
      edited_fields: expect.anything(),
    });
    expect([
      (await orphans(patient)).total,
      (await owner.get(`/api/documents/${another}`)).body.lab_results.map((row: { id: number }) => row.id),
    ]).toEqual([0, [id]]);
    expect(
      (await owner.get(`/api/documents?patient_id=${patient}&q=ferritin`)).body.items.map(
        (item: { id: number }) => item.id,
      ),
    ).toEqual([another]);
    // Its first document comes back without it, and takes it back when asked.
    await owner.post(`/api/trash/${gone.trash_id}/restore`);
    expect((await owner.get(`/api/documents/${document}`)).body.lab_results).toEqual([]);
    expect((await change(id, { document_id: document, value: 30 })).body).toMatchObject({
      document_id: document,
      value: 30,
    });
    expect((await owner.get(`/api/documents/${another}`)).body.lab_results).toEqual([]);
  });

  it('can be deleted on their own, and have no document after a restore', async () => {
    const { patient, document, id } = reported();
    await owner.call('DELETE', `/api/documents/${document}?keep_results=1`);
    const gone = await owner.call('DELETE', `/api/lab-results/${id}`);
    expect([gone.status, (await orphans(patient)).total]).toEqual([200, 0]);
    await owner.post(`/api/trash/${gone.body.trash_id}/restore`);
    expect((await orphans(patient)).items).toMatchObject([{ id, document_id: null }]);
  });
});

describe('a lab result', () => {
  it('is added to a document and gets its patient and date', async () => {
    const document_id = house.make.document({ patient: house.patient });
    const made = await add({
      document_id,
      test_name_original: ' Zitronin ',
      value_text: '< 0,3',
      unit: 'mg/L',
      reference_range_high: 5,
    });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        document_id,
        patient_id: house.patient,
        test_name_original: 'Zitronin',
        value: 0.3,
        value_text: '< 0,3',
        unit: 'mg/L',
        is_abnormal: false,
        test_date: '2025-11-12',
        document_missing: false,
        evidence: null,
      }),
    ]);
    expect((await owner.get('/api/documents?q=Zitronin')).body.items).toMatchObject([{ id: document_id }]);
    expect(
      (await add({ document_id, test_name_original: 'CRP', value: 8, reference_range_high: 5 })).body,
    ).toMatchObject({ value: 8, value_text: '8', is_abnormal: true });
  });

  it.each([
    ['<5', 5, '<5'],
    ['5.4', 5.4, '5.4'],
    ['positive', null, 'positive'],
    ['', null, null],
  ])('takes the value %j as a text', async (value, number, text) => {
    const body = { document_id: house.make.document(), test_name_original: 'CRP', value };
    const { status, body: added } = await owner.post('/api/lab-results', body);
    expect([status, added.value, added.value_text]).toEqual([201, number, text]);
    const path = `/api/lab-results/${added.id}`;
    const { body: changed } = await owner.call('PATCH', path, { value: '>100', value_text: '>100' });
    expect([changed.value, changed.value_text]).toEqual([100, '>100']);
    const { status: refused, body: why } = await owner.call('PATCH', path, { value: '>100', value_text: '<3' });
    expect([refused, why.issues[0]]).toMatchObject([422, { path: 'body.value_text', code: 'field.given_twice' }]);
  });

  it('is rejected without document or name, with invalid values, and without permission', async () => {
    const document_id = house.make.document({ patient: house.patient });
    const refused = async (body: Record<string, unknown>, by = owner) => {
      const {
        status,
        body: { code },
      } = await add(body, by);
      return [status, code];
    };
    for (const bad of [
      { document_id },
      { test_name_original: 'X' },
      { document_id, test_name_original: ' ' },
      { document_id, test_name_original: 'X', test_date: '2025-02-30' },
      { document_id, test_name_original: 'X', value: true },
      { document_id, test_name_original: 'X', value: 'x'.repeat(201) },
      { document_id, test_name_original: 'X', patient_id: 2 },
    ])
      expect(await refused(bad)).toEqual([422, 'request.invalid']);
    expect(
      await refused({ document_id, test_name_original: 'X', reference_range_low: 5, reference_range_high: 3 }),
    ).toEqual([422, 'lab_result.invalid_range']);
    expect(await refused({ document_id, test_name_original: 'X', norm_lab_test_id: 987_654 })).toEqual([
      404,
      'lab_result.test_not_found',
    ]);
    expect(await refused({ document_id: 987_654, test_name_original: 'X' })).toEqual([404, 'document.not_found']);
    for (const by of ['viewer', 'reader', 'other'] as const)
      expect((await refused({ document_id, test_name_original: 'X' }, house.as(by)))[0], by).toBe(403);
  });

  it('is changed field by field, and number, text and flag stay consistent', async () => {
    const id = lab.result(
      'Ferritin',
      { value: 23, unit: 'µg/L', reference_range_low: 30, reference_range_high: 300, is_abnormal: 1 },
      house.patient,
    );
    expect((await change(id, { value: 45 })).body).toMatchObject({
      value: 45,
      value_text: '45',
      is_abnormal: false,
      edited_fields: expect.arrayContaining(['value']),
    });
    expect((await change(id, { value_text: '>400' })).body).toMatchObject({
      value: 400,
      value_text: '>400',
      is_abnormal: true,
    });
    expect((await change(id, { value_text: 'negativ' })).body).toMatchObject({
      value: null,
      value_text: 'negativ',
      is_abnormal: null,
    });
    expect(
      (
        await change(id, {
          is_abnormal: true,
          unit: null,
          test_date: '2024-01-02',
          test_name_original: 'Ferritin i.S.',
        })
      ).body,
    ).toMatchObject({ is_abnormal: true, unit: null, test_date: '2024-01-02', test_name_original: 'Ferritin i.S.' });
    expect((await change(id, { reference_range_high: 10 })).body.code).toBe('lab_result.invalid_range');
    expect((await change(987_654, { value: 1 })).body.code).toBe('lab_result.not_found');
    for (const by of ['viewer', 'reader', 'other'] as const)
      expect((await change(id, { value: 1 }, house.as(by))).status, by).toBe(403);
  });

  it('is moved to the trash and restored unchanged, and search finds it again', async () => {
    const document_id = house.make.document({ patient: house.patient });
    const { body: made } = await add({ document_id, test_name_original: 'Pomeranzin', value: 3 });
    const gone = await owner.call('DELETE', `/api/lab-results/${made.id}`);
    expect([gone.status, gone.body]).toEqual([
      200,
      { ok: true, trash_id: expect.any(Number), undo_until: expect.any(String) },
    ]);
    const found = async () => (await owner.get('/api/documents?q=Pomeranzin')).body.total;
    expect([await found(), (await owner.get('/api/trash')).body.items[0]]).toMatchObject([
      0,
      { kind: 'lab_result', label: 'Pomeranzin', patient_id: house.patient },
    ]);
    await owner.post(`/api/trash/${gone.body.trash_id}/restore`);
    expect([await found(), (await change(made.id, {})).body]).toEqual([1, made]);
  });
});

it('results that a user changed, added or removed survive reading the document again', async () => {
  const keeper = house.as('keeper');
  house.make.emptyQueue();
  await keeper.post('/api/pipeline/start');
  const {
    body: { document_id },
  } = await keeper.upload(await labReport({ seed: 4 }), 'report.pdf', house.patient);
  await keeper.idle();
  const results = async (): Promise<
    { id: number; test_name_original: string; value: number; norm_lab_test_id: number | null }[]
  > => (await keeper.get(`/api/documents/${document_id}`)).body.lab_results;
  const of = async (name: string) => (await results()).find((row) => row.test_name_original === name);
  expect((await results()).map((row) => row.test_name_original)).toEqual(['Hämoglobin', 'Ferritin', 'Natrium', 'CRP']);
  const [hb, natrium] = [await of('Hämoglobin'), await of('Natrium')];
  await change(hb?.id ?? 0, { value: 14.8, unit: 'g/dl' });
  await add({ document_id, test_name_original: 'Zink', value: 12, unit: 'µmol/L' });
  await owner.call('DELETE', `/api/lab-results/${natrium?.id}`);
  await keeper.post(`/api/documents/${document_id}/reprocess`, { mode: 'both' });
  await keeper.idle();
  expect((await results()).map((row) => [row.test_name_original, row.value]).sort()).toEqual([
    ['CRP', 4.5],
    ['Ferritin', 24],
    ['Hämoglobin', 14.8],
    ['Zink', 12],
  ]);
});

it('assigns a result that was added before reading found the patient', async () => {
  const keeper = house.as('keeper');
  const {
    body: { document_id },
  } = await keeper.upload(await labReport({ seed: 5, patient: 'Zora Weber' }), 'zora.pdf', null);
  await keeper.idle();
  expect((await add({ document_id, test_name_original: 'Zink', value: 12 }, keeper)).body).toMatchObject({
    patient_id: null,
  });
  const { body: zora } = await keeper.post('/api/patients', {
    display_name: 'Zora Weber',
    date_of_birth: '1979-05-09',
  });
  await keeper.post(`/api/documents/${document_id}/reprocess`, { mode: 'both' });
  await keeper.idle();
  expect(lab.names((await keeper.get(`/api/lab-results?patient_id=${zora.id}`)).body)).toContain('Zink');
});
