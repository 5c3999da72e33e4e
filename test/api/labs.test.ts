import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { openHousehold, type Household } from '../support/household.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served;
let house: Household;
let owner: Client;
beforeAll(async () => {
  served = await serve();
  house = await openHousehold(served.url, served.vault);
  owner = house.as('owner');
});
afterAll(async () => {
  house.close();
  await served.remove();
});

const insert = (table: string, values: Record<string, unknown>): number => {
  const columns = Object.keys(values);
  return Number(
    house.db
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...Object.values(values)).lastInsertRowid,
  );
};
/** Makes a separate patient for tests that count. */
function freshPatient(): number {
  const id = house.make.patient();
  house.make.use(id);
  return id;
}
interface Printed {
  value?: number | null;
  value_text?: string | null;
  unit?: string | null;
  test_date?: string | null;
  document_id?: number | null;
  patient_id?: number | null;
  [column: string]: unknown;
}
const result = (test_name_original: string, printed: Printed, patient: number): number =>
  insert('lab_results', {
    document_id: house.make.document({ patient }),
    patient_id: patient,
    test_name_original,
    value_text: printed.value === undefined || printed.value === null ? null : String(printed.value),
    test_date: '2025-11-12',
    ...printed,
  });
const add = (body: Record<string, unknown>, by = owner) => by.post('/api/lab-results', body);
const change = (id: number, body: Record<string, unknown>, by = owner) =>
  by.call('PATCH', `/api/lab-results/${id}`, body);
const series = async (patient: number, test: string, unit?: string) =>
  owner.get(
    `/api/lab-results/series?patient_id=${patient}&test=${encodeURIComponent(test)}${unit ? `&unit=${encodeURIComponent(unit)}` : ''}`,
  );
const summary = async (patient: number) => (await owner.get(`/api/lab-results/summary?patient_id=${patient}`)).body;
const names = (body: { items: { test_name_original: string }[] }): string[] =>
  body.items.map((item) => item.test_name_original);

describe('the list', () => {
  it('is newest first, filtered by patient, name and date, with a total', async () => {
    const patient = freshPatient();
    for (const [name, test_date] of [
      ['Ferritin', '2023-01-02'],
      ['Hämoglobin', '2025-03-04'],
      ['Kalium', null],
      ['Ferritin', '2024-05-06'],
    ] as const)
      result(name, { value: 5, unit: 'g/L', test_date }, patient);
    const list = async (query: string) => {
      const { status, body } = await owner.get(`/api/lab-results?patient_id=${patient}${query}`);
      expect(status).toBe(200);
      return body;
    };
    expect(names(await list(''))).toEqual(['Hämoglobin', 'Ferritin', 'Ferritin', 'Kalium']);
    expect(names(await list('&test_name=hamoglo'))).toEqual(['Hämoglobin']);
    expect(names(await list('&test_name=HAEMOGLOBIN'))).toEqual(['Hämoglobin']);
    expect(names(await list('&date_from=2024-01-01&date_to=2024-12-31'))).toEqual(['Ferritin']);
    expect(await list('&limit=1&offset=1')).toMatchObject({
      total: 4,
      items: [{ test_name_original: 'Ferritin', test_date: '2024-05-06' }],
    });
    expect(await list('&test_name=nothing')).toEqual({ items: [], total: 0 });
    for (const bad of ['limit=2001', 'limit=0', 'date_from=yesterday', 'patient_id=x'])
      expect((await owner.get(`/api/lab-results?${bad}`)).status, bad).toBe(422);
  });

  it('carries the fields of the document and of the canonical entry, and finds results by it', async () => {
    const patient = freshPatient();
    const norm_lab_test_id = insert('norm_lab_tests', {
      canonical_code: 'serum-sidewalkin',
      canonical_display: 'Sidewalkin',
      loinc_code: '99999-9',
      category: 'Iron',
      unit_preferred: 'ug/L',
      created_at: 'x',
    });
    const id = result('SDW i.S.', { value: 23, unit: 'µg/L', norm_lab_test_id }, patient);
    const { body } = await owner.get(`/api/lab-results?patient_id=${patient}&test_name=sidewalk`);
    expect(body.items).toEqual([
      expect.objectContaining({
        id,
        patient_id: patient,
        test_name_original: 'SDW i.S.',
        norm_lab_test_id,
        test_name_canonical: 'Sidewalkin',
        canonical_code: 'serum-sidewalkin',
        unit_preferred: 'ug/L',
        document_doc_type: 'lab_test',
        document_doc_date: '2025-11-12',
        document_missing: false,
        document_filename: expect.any(String),
      }),
    ]);
  });

  it('without a patient holds only what the caller may see', async () => {
    const patient = freshPatient();
    const own = result('Ownin', { value: 1 }, patient),
      hidden = result(
        'Ownin',
        { value: 2, patient_id: house.otherPatient, document_id: house.make.document({ patient: house.otherPatient }) },
        patient,
      );
    const unsorted = result(
      'Ownin',
      { value: 3, patient_id: null, document_id: house.make.document({ patient: null, uploader: house.ids.owner }) },
      patient,
    );
    const ids = async (by: Client) =>
      (await by.get('/api/lab-results?test_name=ownin')).body.items.map((item: { id: number }) => item.id).sort();
    expect(await ids(owner)).toEqual([own, unsorted].sort());
    expect(await ids(house.as('viewer'))).toEqual([own]);
    expect(await ids(house.as('other'))).toEqual([hidden]);
    expect(await ids(house.as('editor'))).toEqual([]);
    expect(await ids(house.as('admin'))).toEqual([unsorted]);
  });
});

describe('results of a deleted document', () => {
  const reported = () => {
    const patient = freshPatient();
    const document = house.make.document({ patient });
    const id = result('Ferritin', { value: 23, document_id: document, test_date: null }, patient);
    return { patient, document, id };
  };
  const orphans = async (patient: number) => (await owner.get(`/api/lab-results/orphans?patient_id=${patient}`)).body;

  it('go with it and come back with it', async () => {
    const { patient, document, id } = reported();
    const { body } = await owner.call('DELETE', `/api/documents/${document}`);
    expect([await orphans(patient), (await change(id, {})).body.code]).toEqual([
      { items: [], total: 0 },
      'lab_result.not_found',
    ]);
    await owner.post(`/api/trash/${body.trash_id}/restore`);
    expect((await change(id, {})).body).toMatchObject({ id, document_id: document });
  });

  it('stay as orphans of the patient when the person keeps them, and find their document again', async () => {
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
      (await summary(patient)).orphans,
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

  it('are attached to another document of the patient, and stay there', async () => {
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

  it('can be deleted by themselves, and stay orphans when they come back', async () => {
    const { patient, document, id } = reported();
    await owner.call('DELETE', `/api/documents/${document}?keep_results=1`);
    const gone = await owner.call('DELETE', `/api/lab-results/${id}`);
    expect([gone.status, (await orphans(patient)).total]).toEqual([200, 0]);
    await owner.post(`/api/trash/${gone.body.trash_id}/restore`);
    expect((await orphans(patient)).items).toMatchObject([{ id, document_id: null }]);
  });
});

describe('a result', () => {
  it('is added to a document, whose patient and day it takes', async () => {
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

  it('is refused without a document and a name, for nonsense, and for who may not', async () => {
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
      { document_id, test_name_original: 'X', value: 'high' },
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

  it('is changed field by field; number, text and flag follow each other', async () => {
    const id = result(
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

  it('goes to the trash and comes back as it was, with its words in search', async () => {
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

describe('a series', () => {
  it('joins spellings and units of one test, each result with its own range', async () => {
    const patient = freshPatient();
    const glucose = insert('norm_lab_tests', {
      canonical_code: 'glucose-of-series',
      canonical_display: 'Glucose',
      loinc_code: '14749-6',
      category: 'Glucose metabolism',
      unit_preferred: 'mmol/L',
      created_at: 'x',
    });
    const facility = (name: string) =>
      insert('facilities', { canonical_code: `${name}-${patient}`, canonical_display: name, name, created_at: 'x' });
    const at = (laboratory: string) => {
      const id = house.make.document({ patient });
      house.db.prepare('UPDATE documents SET facility_id = ? WHERE id = ?').run(facility(laboratory), id);
      return id;
    };
    result(
      'Glukose',
      {
        value: 90,
        unit: 'mg/dL',
        reference_range_low: 70,
        reference_range_high: 100,
        test_date: '2023-01-01',
        norm_lab_test_id: glucose,
        document_id: at('Lakeview'),
      },
      patient,
    );
    result(
      'Blutzucker',
      {
        value: 7.2,
        unit: 'mmol/l',
        reference_range_low: 3.9,
        reference_range_high: 5.6,
        test_date: '2024-01-01',
        norm_lab_test_id: glucose,
        document_id: at('Synlabor'),
      },
      patient,
    );
    result(
      'Glukose',
      { value: 0.6, value_text: '<0.6', unit: 'mmol/L', test_date: '2025-01-01', norm_lab_test_id: glucose },
      patient,
    );
    result(
      'Glukose',
      { value: null, value_text: 'hämolytisch', test_date: '2025-02-01', norm_lab_test_id: glucose },
      patient,
    );
    const {
      items: [item],
    } = await summary(patient);
    expect(item).toMatchObject({
      name: 'Glucose',
      category: 'Glucose metabolism',
      loinc_code: '14749-6',
      last: { value: null, value_text: 'hämolytisch' },
      trend: 'down',
    });
    const { body } = await series(patient, item.key);
    expect(body).toMatchObject({
      test: { key: item.key, name: 'Glucose' },
      unit: 'mmol/L',
      printed_names: ['Blutzucker', 'Glukose'],
      points: [
        {
          date: '2023-01-01',
          value: 4.99567,
          reference_range_low: 3.88552,
          reference_range_high: 5.55074,
          converted: true,
          flag: null,
          laboratory: 'Lakeview',
          original: { value_text: '90', unit: 'mg/dL' },
        },
        {
          date: '2024-01-01',
          value: 7.2,
          reference_range_high: 5.6,
          converted: false,
          flag: 'high',
          laboratory: 'Synlabor',
        },
        { date: '2025-01-01', value: 0.6, comparator: '<' },
      ],
      apart: [{ value_text: 'hämolytisch', reason: 'not_a_number' }],
      conversions: [{ from: 'mg/dL', by: 'substance', count: 1 }],
    });
    for (const name of ['glucose', 'Blutzucker', 'glukose'])
      expect((await series(patient, name)).body.test.key, name).toBe(item.key);
    expect((await series(patient, item.key, 'mg/dL')).body).toMatchObject({
      unit: 'mg/dL',
      points: [{ value: 90 }, { value: 129.712 }, { comparator: '<' }],
    });
    expect(
      (await owner.get(`/api/lab-results/timeline?patient_id=${patient}&test_name=blutzucker`)).body.data,
    ).toMatchObject([{ test_date: '2023-01-01', value: 90, unit: 'mg/dL' }, { value: 7.2 }, { value: 0.6 }]);
  });

  it('counts a report that came twice once and says where else it stands', async () => {
    const patient = freshPatient();
    const [first, second] = [house.make.document({ patient }), house.make.document({ patient })];
    for (const document_id of [first, second]) result('Ferritin', { value: 23, unit: 'µg/L', document_id }, patient);
    result('Ferritin', { value: 31, unit: 'µg/L', test_date: '2026-01-01' }, patient);
    const {
      items: [item],
    } = await summary(patient);
    expect([item.series, item.trend]).toMatchObject([[{ value: 23 }, { value: 31 }], 'up']);
    expect((await series(patient, item.key)).body.points).toMatchObject([
      { value: 23, document_id: first, also_in: [{ document_id: second, document_filename: expect.any(String) }] },
      { value: 31, also_in: [] },
    ]);
  });

  it('keeps samples apart that make another test, and tests apart from each other', async () => {
    const patient = freshPatient();
    result('Natrium', { value: 140, unit: 'mmol/L', sample_type: 'serum' }, patient);
    result('S-Natrium', { value: 141, unit: 'mmol/L', test_date: '2025-12-01' }, patient);
    result('Natrium', { value: 80, unit: 'mmol/L', sample_type: 'urine' }, patient);
    result('Kalium', { value: 4, unit: 'mmol/L' }, patient);
    const { items, total } = await summary(patient);
    expect([
      total,
      items
        .map((item: { key: string; series: { value: number }[] }) => [item.key, item.series.map(({ value }) => value)])
        .sort(),
    ]).toEqual([
      3,
      [
        ['t:kalium', [4]],
        ['t:natrium', [140, 141]],
        ['t:urine natrium', [80]],
      ],
    ]);
  });

  it('is annotated with events and medicines of its time', async () => {
    const patient = freshPatient();
    for (const [value, test_date] of [
      [22, '2024-01-01'],
      [96, '2025-01-01'],
    ] as const)
      result('Ferritin', { value, unit: 'µg/L', test_date }, patient);
    const event = house.make.event();
    house.db.prepare("UPDATE events SET title = 'Iron infusion', date_start = '2024-06-01' WHERE id = ?").run(event);
    house.make.event();
    const document_id = house.make.document({ patient });
    insert('medications', { document_id, brand_name: 'Ferinject', prescribed_date: '2024-06-01' });
    insert('medications', { document_id, brand_name: 'Later', prescribed_date: '2025-06-01' });
    const { body } = await series(patient, 't:ferritin');
    expect([body.events, body.medications]).toMatchObject([
      [{ id: event, title: 'Iron infusion', date_start: '2024-06-01' }],
      [{ document_id, name: 'Ferinject', date: '2024-06-01' }],
    ]);
  });

  it('of a test that the patient does not have, or of a foreign patient, is refused', async () => {
    const patient = freshPatient();
    expect((await series(patient, 't:ferritin')).body.code).toBe('lab_result.test_not_found');
    expect((await series(house.otherPatient, 't:ferritin')).status).toBe(403);
    expect(await summary(patient)).toEqual({ items: [], total: 0, orphans: 0, latest_document_id: null });
    for (const path of ['summary', 'timeline?test_name=x', 'series?test=x'])
      expect((await owner.get(`/api/lab-results/${path}`)).status, path).toBe(422);
  });
});

it('what a person changed, added and removed survives reading the document again', async () => {
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

it('a result that was added before the patient was known becomes his when reading finds him', async () => {
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
  expect(names((await keeper.get(`/api/lab-results?patient_id=${zora.id}`)).body)).toContain('Zink');
});
