import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test } from '../support/fixtures.ts';

let house: Household;
let owner: Client;
let patient: number;
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});

const line = async (query = '', by = owner) => (await by.get(`/api/timeline?patient_id=${patient}${query}`)).body;
const run = (sql: string, ...values: (string | number | null)[]): number =>
  Number(house.db.prepare(sql).run(...values).lastInsertRowid);
const titles = (spans: { title: string }[]): string[] => spans.map((span) => span.title);
function fresh(): void {
  patient = house.make.patient();
  house.make.use(patient);
}
const documentOn = (date: string | null, specialty: number | null = null): number => {
  const id = house.make.document({ file: false });
  run('UPDATE documents SET event_date = ?, norm_specialty_id = ? WHERE id = ?', date, specialty, id);
  return id;
};
const result = (document: number, date: string, abnormal: number): number =>
  run(
    'INSERT INTO lab_results (document_id, patient_id, test_name_original, value, is_abnormal, ' +
      "test_date) VALUES (?, ?, 'Ferritin', 1, ?, ?)",
    document,
    patient,
    abnormal,
    date,
  );
const episode = async (title: string, fields: object = {}): Promise<number> =>
  (await owner.post('/api/events', { patient_id: patient, title, ...fields })).body.id;

it('is empty without records, and lists the items between two days', async () => {
  fresh();
  expect(await line()).toEqual({
    extent: null,
    range: null,
    events: [],
    documents: [],
    labs: [],
    imaging: [],
    unit: 'day',
    intervals: [],
    totals: { documents: 0, results: 0, imaging: 0, undated_documents: 0 },
    undated_events: [],
    specialties: [],
  });
  const [first, second] = [documentOn('2024-03-01'), documentOn('2024-03-05')];
  documentOn(null);
  for (const abnormal of [1, 0, 1]) result(first, '2024-03-01', abnormal);
  result(second, '2024-03-09', 0);
  run(
    'INSERT INTO imaging_studies (document_id, patient_id, modality, body_part, study_date, ' +
      "created_at) VALUES (?, ?, 'MR', 'KNEE', '2024-03-04', 'x')",
    second,
    patient,
  );
  const all = await line();
  expect(all).toMatchObject({
    extent: { from: '2024-03-01', to: '2024-03-09' },
    unit: 'day',
    intervals: [],
    totals: { documents: 2, results: 4, imaging: 1, undated_documents: 1 },
    documents: [
      { id: first, date: '2024-03-01', doc_type: 'lab_test' },
      { id: second, date: '2024-03-05' },
    ],
    labs: [
      { document_id: first, date: '2024-03-01', results: 3, abnormal: 2, uncertain: 0 },
      { document_id: second, date: '2024-03-09', results: 1, abnormal: 0, uncertain: 0 },
    ],
    imaging: [{ document_id: second, date: '2024-03-04', modality: 'MR', body_part: 'KNEE' }],
  });
  expect(await line('&from=2024-03-05&to=2024-03-05')).toMatchObject({
    documents: [{ id: second }],
    labs: [],
    imaging: [],
    extent: { from: '2024-03-01' },
  });
  expect((await line('&from=2030-01-01')).documents).toEqual([]);
});

it('counts results that may have been read wrongly apart from those out of range', async () => {
  fresh();
  const document = documentOn('2024-03-01');
  for (const doubt of ['["readings_differ"]', '[]', null])
    run('UPDATE lab_results SET doubt = ? WHERE id = ?', doubt, result(document, '2024-03-01', 1));
  const counts = { date: '2024-03-01', results: 3, abnormal: 2, uncertain: 1 };
  expect((await line()).labs).toEqual([{ document_id: document, ...counts }]);
});

it('contains events that overlap the range: ongoing ones, ones that started before, and ones of a day', async () => {
  fresh();
  documentOn('2020-01-01');
  await episode('Past', { date_start: '2010-01-01', date_end: '2011-01-01' });
  await episode('Across', { date_start: '2010-06-01', date_end: '2020-06-01' });
  await episode('Running', { date_start: '2012-01-01', is_ongoing: true });
  await episode('One day', { date_start: '2019-05-05' });
  await episode('Undated');
  expect(titles((await line('&from=2019-01-01&to=2019-12-31')).events)).toEqual(['Across', 'Running', 'One day']);
  expect(titles((await line('&from=2010-12-01&to=2010-12-31')).events)).toEqual(['Past', 'Across']);
  expect(titles((await line('&from=2026-01-01&to=2026-12-31')).events)).toEqual(['Running']);
  expect(titles((await line()).events)).toEqual(['Past', 'Across', 'Running', 'One day']);
  expect(await line()).toMatchObject({
    extent: { from: '2010-01-01', to: '2020-06-01' },
    undated_events: [{ title: 'Undated' }],
  });
});

it('is filtered by specialty', async () => {
  fresh();
  const heart = run(
    "INSERT INTO norm_specialties (canonical_code, canonical_display, created_at) VALUES ('cardio', 'Cardiology', 'x')",
  );
  const [of, without] = [documentOn('2024-03-01', heart), documentOn('2024-03-02')];
  result(of, '2024-03-01', 0);
  result(without, '2024-03-02', 0);
  const own = await episode('Heart', { date_start: '2024-01-01', specialty_text: 'Cardiology' });
  run('UPDATE events SET norm_specialty_id = ? WHERE id = ?', heart, own);
  await owner.post(`/api/events/${await episode('By document', { date_start: '2024-02-01' })}/link`, {
    document_id: of,
  });
  await episode('Skin', { date_start: '2024-02-01', specialty_text: 'Dermatology' });
  for (const value of [String(heart), 'cardio']) {
    const { documents, labs, events, totals } = await line(`&specialty=${value}`);
    expect([documents.map((mark: { id: number }) => mark.id), labs.length, titles(events), totals.results]).toEqual([
      [of],
      1,
      ['Heart', 'By document'],
      1,
    ]);
  }
  expect((await line('&specialty=__blank__')).documents.map((mark: { id: number }) => mark.id)).toEqual([without]);
  expect((await line(`&specialty=__blank__,${heart}`)).documents).toHaveLength(2);
  expect((await line('&specialty=none-such')).documents).toEqual([]);
  expect((await line()).specialties).toEqual(
    expect.arrayContaining([
      { value: String(heart), label: 'Cardiology', count: 1 },
      { value: '__blank__', label: '', count: 1 },
    ]),
  );
});

it('counts many items by interval without losing any', async () => {
  fresh();
  const total = 900;
  house.db.transaction(() => {
    for (let i = 0; i < total; i += 1) documentOn(`${2000 + (i % 25)}-${String(1 + (i % 12)).padStart(2, '0')}-15`);
  });
  const decades = await line();
  expect([decades.documents, decades.unit, decades.totals.documents]).toEqual([null, 'month', total]);
  expect(decades.intervals.reduce((sum: number, interval: { documents: number }) => sum + interval.documents, 0)).toBe(
    total,
  );
  expect(decades.intervals.map((interval: { date: string }) => interval.date)).toEqual(
    decades.intervals.map((interval: { date: string }) => interval.date).toSorted(),
  );
  // Room around what there is makes nothing coarser.
  expect((await line('&from=1950-01-01&to=2080-12-31')).intervals).toEqual(decades.intervals);
  const year = await line('&from=2003-01-01&to=2003-12-31');
  expect([year.unit, year.documents.length, year.intervals]).toEqual(['day', 36, []]);
});

it('requires access to the patient and a valid range', async () => {
  const status = async (query: string, by = owner) => (await by.get(`/api/timeline${query}`)).status;
  expect([
    await status(`?patient_id=${patient}`, house.as('viewer')),
    await status(`?patient_id=${patient}`, house.as('other')),
    await status(`?patient_id=${patient}`, house.as('nobody')),
    await status('?patient_id=999999'),
  ]).toEqual([200, 403, 401, 404]);
  expect((await house.as('other').get('/api/timeline')).body.documents).toEqual([]);
  expect((await owner.get('/api/timeline')).body.totals.documents).toBeGreaterThan(900);
  for (const query of ['&from=2024-02-30', '&to=x', '&from=2024-02-02&to=2024-02-01'])
    expect((await owner.get(`/api/timeline?patient_id=${patient}${query}`)).status).toBe(422);
});
