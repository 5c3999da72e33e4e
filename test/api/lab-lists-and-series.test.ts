import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { labRecords } from '../support/lab-records.ts';
import { test } from '../support/fixtures.ts';

let house: Household;

let owner: Client;

let lab: ReturnType<typeof labRecords>;

test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
  lab = labRecords(house, owner);
});

describe('the list of entries', () => {
  it('is newest first, filtered by patient, name and date, and has a total', async () => {
    const patient = lab.freshPatient();
    for (const [name, test_date] of [
      ['Ferritin', '2023-01-02'],
      ['Hämoglobin', '2025-03-04'],
      ['Kalium', null],
      ['Ferritin', '2024-05-06'],
    ] as const)
      lab.result(name, { value: 5, unit: 'g/L', test_date }, patient);
    const list = async (query: string) => {
      const { status, body } = await owner.get(`/api/lab-results?patient_id=${patient}${query}`);
      expect(status).toBe(200);
      return body;
    };
    expect(lab.names(await list(''))).toEqual(['Hämoglobin', 'Ferritin', 'Ferritin', 'Kalium']);
    expect(lab.names(await list('&test_name=hamoglo'))).toEqual(['Hämoglobin']);
    expect(lab.names(await list('&test_name=HAEMOGLOBIN'))).toEqual(['Hämoglobin']);
    expect(lab.names(await list('&date_from=2024-01-01&date_to=2024-12-31'))).toEqual(['Ferritin']);
    expect(await list('&limit=1&offset=1')).toMatchObject({
      total: 4,
      items: [{ test_name_original: 'Ferritin', test_date: '2024-05-06' }],
    });
    expect(await list('&test_name=nothing')).toEqual({ items: [], total: 0 });
    for (const bad of ['limit=2001', 'limit=0', 'date_from=yesterday', 'patient_id=x'])
      expect((await owner.get(`/api/lab-results?${bad}`)).status, bad).toBe(422);
  });

  it('includes fields of the document and the canonical entry, and finds results by the entry', async () => {
    const patient = lab.freshPatient();
    const norm_lab_test_id = lab.insert('norm_lab_tests', {
      canonical_code: 'serum-sidewalkin',
      canonical_display: 'Sidewalkin',
      loinc_code: '99999-9',
      category: 'Iron',
      unit_preferred: 'ug/L',
      created_at: 'x',
    });
    const id = lab.result('SDW i.S.', { value: 23, unit: 'µg/L', norm_lab_test_id }, patient);
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

  it('without a patient contains only results that the caller may see', async () => {
    const patient = lab.freshPatient();
    const own = lab.result('Ownin', { value: 1 }, patient),
      hidden = lab.result(
        'Ownin',
        { value: 2, patient_id: house.otherPatient, document_id: house.make.document({ patient: house.otherPatient }) },
        patient,
      );
    lab.result(
      'Ownin',
      { value: 3, patient_id: null, document_id: house.make.document({ patient: null, uploader: house.ids.owner }) },
      patient,
    );
    const ids = async (by: Client) =>
      (await by.get('/api/lab-results?test_name=ownin')).body.items.map((item: { id: number }) => item.id).sort();
    expect(await ids(owner)).toEqual([own]);
    expect(await ids(house.as('viewer'))).toEqual([own]);
    expect(await ids(house.as('other'))).toEqual([hidden]);
    expect(await ids(house.as('editor'))).toEqual([]);
    expect(await ids(house.as('admin'))).toEqual([]);
  });
});

describe('a series of lab results', () => {
  it('joins spellings and units of one test, each result with its own range', async () => {
    const patient = lab.freshPatient();
    const glucose = lab.insert('norm_lab_tests', {
      canonical_code: 'glucose-of-series',
      canonical_display: 'Glucose',
      loinc_code: '14749-6',
      category: 'Glucose metabolism',
      unit_preferred: 'mmol/L',
      created_at: 'x',
    });
    const facility = (name: string) =>
      lab.insert('facilities', {
        canonical_code: `${name}-${patient}`,
        canonical_display: name,
        name,
        created_at: 'x',
      });
    const at = (laboratory: string) => {
      const id = house.make.document({ patient });
      house.db.prepare('UPDATE documents SET facility_id = ? WHERE id = ?').run(facility(laboratory), id);
      return id;
    };
    lab.result(
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
    lab.result(
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
    lab.result(
      'Glukose',
      { value: 0.6, value_text: '<0.6', unit: 'mmol/L', test_date: '2025-01-01', norm_lab_test_id: glucose },
      patient,
    );
    lab.result(
      'Glukose',
      { value: null, value_text: 'hämolytisch', test_date: '2025-02-01', norm_lab_test_id: glucose },
      patient,
    );
    const {
      items: [item],
    } = await lab.summary(patient);
    expect(item).toMatchObject({
      name: 'Glucose',
      category: 'Glucose metabolism',
      loinc_code: '14749-6',
      last: { value: null, value_text: 'hämolytisch' },
      trend: 'down',
    });
    const { body } = await lab.series(patient, item.key);
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
      expect((await lab.series(patient, name)).body.test.key, name).toBe(item.key);
    expect((await lab.series(patient, item.key, 'mg/dL')).body).toMatchObject({
      unit: 'mg/dL',
      points: [{ value: 90 }, { value: 129.712 }, { comparator: '<' }],
    });
    expect(
      (await owner.get(`/api/lab-results/timeline?patient_id=${patient}&test_name=blutzucker`)).body.data,
    ).toMatchObject([
      { test_date: '2023-01-01', value: 90, unit: 'mg/dL', comparator: null, doubt: [] },
      { value: 7.2 },
      { value: 0.6, comparator: '<' },
      { value: null, value_text: 'hämolytisch' },
    ]);
  });

  it('is drawn on Today in the unit of its last value, without values that may have been read wrongly', async () => {
    const patient = lab.freshPatient();
    const document_id = house.make.document({ patient });
    const hemoglobin = (test_date: string, value: number, more: object = {}): number =>
      lab.result('Hämoglobin', { value, unit: 'g/dL', test_date, document_id, ...more }, patient);
    hemoglobin('2023-01-01', 131, { unit: 'g/L' });
    hemoglobin('2024-01-01', 12.5);
    hemoglobin('2024-06-01', 125, { doubt: '["decimals_differ"]' });
    hemoglobin('2025-01-01', 11.5, { is_abnormal: 1 });
    const [shown] = (await owner.get(`/api/today?patient_id=${patient}`)).body.abnormal[0].results;
    expect(shown.series.map(({ value }: { value: number }) => value)).toEqual([12.5, 11.5]);
  });

  it('is on Today only while the newest report with ranges is out of range', async () => {
    const patient = lab.freshPatient();
    const report = (day: string, value: number, more: object): number => {
      const document_id = house.make.document({ patient });
      house.db.prepare('UPDATE documents SET event_date = ? WHERE id = ?').run(day, document_id);
      return lab.result('Ferritin', { value, unit: 'µg/L', test_date: day, document_id, ...more }, patient);
    };
    const range = { reference_range_low: 30, reference_range_high: 300 };
    const shown = async (): Promise<number[][]> =>
      (await owner.get(`/api/today?patient_id=${patient}`)).body.abnormal.map(
        ({ results }: { results: { value: number }[] }) => results.map(({ value }) => value),
      );
    report('2024-01-01', 12, { ...range, is_abnormal: 1 });
    report('2024-02-01', 12, { is_abnormal: 0 });
    expect(await shown()).toEqual([[12]]);
    report('2025-01-01', 44, { ...range, is_abnormal: 0 });
    expect(await shown()).toEqual([]);
  });

  it('counts a report uploaded twice once and lists the other copy', async () => {
    const patient = lab.freshPatient();
    const [first, second] = [house.make.document({ patient }), house.make.document({ patient })];
    for (const document_id of [first, second])
      lab.result('Ferritin', { value: 23, unit: 'µg/L', document_id }, patient);
    lab.result('Ferritin', { value: 31, unit: 'µg/L', test_date: '2026-01-01' }, patient);
    const {
      items: [item],
    } = await lab.summary(patient);
    expect([item.series, item.trend]).toMatchObject([[{ value: 23 }, { value: 31 }], 'up']);
    expect((await lab.series(patient, item.key)).body.points).toMatchObject([
      { value: 23, document_id: first, also_in: [{ document_id: second, document_filename: expect.any(String) }] },
      { value: 31, also_in: [] },
    ]);
  });

  it('shows the newest of many results that only their document dates', async () => {
    const patient = lab.freshPatient();
    // More than the summary reads, the newest added first.
    for (let value = 1; value <= 40; value += 1) {
      const document_id = house.make.document({ patient });
      house.db.prepare('UPDATE documents SET event_date = ? WHERE id = ?').run(`20${50 - value}-01-01`, document_id);
      lab.result('Ferritin', { value, unit: 'µg/L', document_id, test_date: null }, patient);
    }
    const {
      items: [item],
    } = await lab.summary(patient);
    expect([item.last.value, item.last.date]).toEqual([1, '2049-01-01']);
    expect(item.series.map((point: { value: number }) => point.value)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('separates tests of different samples', async () => {
    const patient = lab.freshPatient();
    lab.result('Natrium', { value: 140, unit: 'mmol/L', sample_type: 'serum' }, patient);
    lab.result('S-Natrium', { value: 141, unit: 'mmol/L', test_date: '2025-12-01' }, patient);
    lab.result('Natrium', { value: 80, unit: 'mmol/L', sample_type: 'urine' }, patient);
    lab.result('Kalium', { value: 4, unit: 'mmol/L' }, patient);
    const { items, total } = await lab.summary(patient);
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

  it('includes events and medications of the same period', async () => {
    const patient = lab.freshPatient();
    for (const [value, test_date] of [
      [22, '2024-01-01'],
      [96, '2025-01-01'],
    ] as const)
      lab.result('Ferritin', { value, unit: 'µg/L', test_date }, patient);
    const event = house.make.event();
    house.db.prepare("UPDATE events SET title = 'Iron infusion', date_start = '2024-06-01' WHERE id = ?").run(event);
    house.make.event();
    const document_id = house.make.document({ patient });
    lab.insert('medications', { document_id, brand_name: 'Ferinject', prescribed_date: '2024-06-01' });
    lab.insert('medications', { document_id, brand_name: 'Later', prescribed_date: '2025-06-01' });
    const { body } = await lab.series(patient, 't:ferritin');
    expect([body.events, body.medications]).toMatchObject([
      [{ id: event, title: 'Iron infusion', date_start: '2024-06-01' }],
      [{ document_id, name: 'Ferinject', date: '2024-06-01' }],
    ]);
  });

  it('is rejected for a test without results and for a patient of another user', async () => {
    const patient = lab.freshPatient();
    expect((await lab.series(patient, 't:ferritin')).body.code).toBe('lab_result.test_not_found');
    expect((await lab.series(house.otherPatient, 't:ferritin')).status).toBe(403);
    expect(await lab.summary(patient)).toEqual({ items: [], total: 0, orphans: 0, latest_document_id: null });
    for (const path of ['summary', 'timeline?test_name=x', 'series?test=x'])
      expect((await owner.get(`/api/lab-results/${path}`)).status, path).toBe(422);
  });
});

describe('the results of the household', () => {
  it('are summed up for each patient that the caller may see, doubtful ones apart', async () => {
    const patient = lab.freshPatient();
    const range = { reference_range_low: 30, reference_range_high: 300 };
    const result = (name: string, value: number, more: object = {}) =>
      lab.result(
        name,
        { value, value_text: String(value), unit: 'µg/L', test_date: '2025-03-04', ...range, ...more },
        patient,
      );
    result('Ferritin', 24, { is_abnormal: 1 });
    result('Zink', 900, { is_abnormal: 1, test_date: '2025-05-06', doubt: '["readings_differ"]' });
    result('Kupfer', 100, { is_abnormal: 0 });
    const of = async (by: Client) =>
      (await by.get('/api/lab-results/household')).body.patients.find(
        (one: { patient_id: number }) => one.patient_id === patient,
      );
    expect(await of(owner)).toMatchObject({
      total: 3,
      out_of_range: 1,
      doubtful: 1,
      latest_date: '2025-05-06',
      notable: [{ name: 'Zink' }, { name: 'Ferritin', last: { flag: 'low' } }],
    });
    expect(await of(house.as('other'))).toBeUndefined();
  });
});
