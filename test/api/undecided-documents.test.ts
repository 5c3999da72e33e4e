import { globSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { reindexDocument } from '../../src-main/features/documents/list/text-index-repository.ts';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';

/** A document of which it is undecided whose it is gives no value to anybody's record. */

/** In every text of the undecided document and nowhere else. */
const WORD = 'Zanthoxylin';
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

let household: Household, owner: Client;
let document: number, patient: number;

const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ household: records }) => {
  household = records;
  owner = household.as('owner');
  patient = household.make.patient();
  household.make.use(patient);
  plantOwnResults();
  household.make.use(patient, WORD);
  document = plantDocument();
});

function insert(table: string, values: Record<string, unknown>): number {
  const columns = Object.keys(values);
  return Number(
    household.db
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...Object.values(values)).lastInsertRowid,
  );
}

/** Two results of the patient, so that there is a series with medicines beside it. */
function plantOwnResults(): void {
  for (const test_date of ['2025-10-01', '2025-12-01'])
    insert('lab_results', {
      document_id: household.make.document(),
      patient_id: patient,
      test_name_original: 'Ferritin',
      value: 50,
      value_text: '50',
      test_date,
    });
}

/** A document with rows of every kind. */
function plantDocument(): number {
  const { make, db } = household;
  make.use(patient);
  const event = make.event();
  make.use(patient, WORD);
  const id = make.document({ event });
  insert('event_documents', { event_id: event, document_id: id, relevance: 'primary', auto_linked: 0 });
  const specialty = make.name('specialties');
  db.prepare('UPDATE norm_specialties SET canonical_display = ? WHERE id = ?').run(WORD, specialty);
  const doctor = make.name('doctors');
  db.prepare('UPDATE doctors SET canonical_display = ?, name = ? WHERE id = ?').run(WORD, WORD, doctor);
  insert('name_aliases', {
    kind: 'doctors',
    entry_id: doctor,
    alias: WORD,
    alias_key: WORD.toLowerCase(),
    auto_mapped: 0,
    created_at: 'x',
  });
  db.prepare('UPDATE documents SET norm_specialty_id = ?, doctor_id = ? WHERE id = ?').run(specialty, doctor, id);
  insert('lab_results', {
    document_id: id,
    patient_id: patient,
    test_name_original: WORD,
    value: 13,
    value_text: '13',
    is_abnormal: 1,
    test_date: '2025-11-12',
  });
  insert('encounters', {
    document_id: id,
    diagnosis_original: WORD,
    follow_up_date: inDays(10),
    follow_up_instructions: WORD,
  });
  insert('medications', { document_id: id, brand_name: WORD, prescribed_date: '2025-11-12' });
  insert('vaccinations', { document_id: id, vaccine_name: WORD });
  plantStudy(id);
  return id;
}

/** A study with a dose. */
function plantStudy(document_id: number): void {
  const study_id = insert('imaging_studies', {
    document_id,
    patient_id: patient,
    body_part: WORD,
    modality: 'CT',
    study_date: '2025-11-12',
    folder_path: `patients/x/${document_id}`,
    created_at: '2025-11-12T08:00:00',
  });
  const series_id = insert('imaging_series', { study_id, series_instance_uid: '1.2.3' });
  const instance_id = insert('imaging_instances', {
    series_id,
    sop_instance_uid: '1.2.3.4',
    sop_class_uid: '1.2.840.10008.5.1.4.1.1.88.67',
    transfer_syntax_uid: '1.2.840.10008.1.2.1',
    kind: 'dose',
    file_name: 'dose.dcm',
    file_size: 1,
    file_hash: '0'.repeat(64),
  });
  insert('imaging_doses', { instance_id, dlp: 120 });
}

function setUndecided(undecided: boolean): void {
  const { db } = household;
  db.prepare('UPDATE documents SET patient_undecided = ?, status = ? WHERE id = ?').run(
    Number(undecided),
    undecided ? 'needs_review' : 'done',
    document,
  );
  db.prepare('UPDATE lab_results SET patient_id = ? WHERE document_id = ?').run(undecided ? null : patient, document);
  reindexDocument(db, document);
}

/** Reads of a patient's record, and whether they give values of its documents. Whoever adds one adds its line. */
const READS: Record<string, { query: string; hasValues: boolean }> = {
  // A document waits among those of the chosen patient, where it is found to be decided.
  'GET /api/documents': { query: `&q=${WORD}`, hasValues: true },
  'GET /api/documents/facets': { query: `&q=${WORD}`, hasValues: true },
  'GET /api/documents/near-hits': { query: `&q=${WORD.slice(0, -1)}`, hasValues: true },
  'GET /api/documents/suggest': { query: `&q=${WORD}`, hasValues: true },
  'GET /api/events': { query: '&event_type=surgery', hasValues: false },
  'GET /api/imaging': { query: '', hasValues: true },
  'GET /api/imaging/doses': { query: '', hasValues: true },
  'GET /api/lab-results': { query: '', hasValues: true },
  'GET /api/lab-results/orphans': { query: '', hasValues: false },
  'GET /api/lab-results/timeline': { query: `&test_name=${WORD}`, hasValues: true },
  'GET /api/lab-results/summary': { query: '', hasValues: true },
  'GET /api/lab-results/series': { query: '&test=Ferritin', hasValues: true },
  'GET /api/timeline': { query: '', hasValues: true },
  // Questions of the caller; what they are answered is tested below.
  'GET /api/chat/history': { query: '', hasValues: false },
  'GET /api/chat/suggestions': { query: '', hasValues: false },
};

const readsOfPatient = (Object.values(contract) as Record<string, Endpoint>[])
  .flatMap((area) => Object.values(area))
  .filter(({ method, query }) => method === 'GET' && query && 'patient_id' in query.shape)
  .map(({ method, path }) => `${method} ${path}`);

describe('an undecided document', () => {
  test('is known to every read of a patient’s record', () => {
    // The list of shares has ids only; which documents can be shared, and so looked at for it, is tested below.
    const others = ['GET /api/today', 'GET /api/review', 'GET /api/shares', 'GET /api/shares/unopenable'];
    expect([...Object.keys(READS), ...others].sort()).toEqual(expect.arrayContaining(readsOfPatient));
  });

  test('can be shared with nobody until it is decided', async () => {
    const share = { patient_id: patient, document_ids: [document], recipient_label: 'Dr. Rossi' };
    setUndecided(true);
    expect((await owner.post('/api/shares', share)).body.code).toBe('share.documents_not_shareable');
    setUndecided(false);
    const { share_id } = (await owner.post('/api/shares', share)).body;
    expect((await owner.get(`/api/shares/${share_id}/documents`)).body).toHaveLength(1);
    setUndecided(true);
    expect((await owner.get(`/api/shares/${share_id}/documents`)).body).toEqual([]);
  });

  test.for(Object.entries(READS))('gives no value to %s', async ([route, { query, hasValues }]) => {
    const read = async () => JSON.stringify((await owner.get(`${route.slice(4)}?patient_id=${patient}${query}`)).body);
    setUndecided(true);
    const undecided = await read();
    setUndecided(false);
    // The search is echoed nowhere, so a decided document shows that the word can be found at all.
    expect((await read()).includes(hasValues ? valueOf(route) : WORD)).toBe(hasValues);
    expect(undecided).not.toContain(valueOf(route));
  });

  test('is in no answer to a question', async () => {
    const ask = async () => {
      const { body } = await owner.post('/api/chat', { patient_id: patient, message: `${WORD}?` });
      return [body.response.includes('not in the record'), body.sources.length > 0];
    };
    setUndecided(true);
    expect(await ask()).toEqual([true, false]);
    setUndecided(false);
    expect(await ask()).toEqual([false, true]);
  });

  test('shows neither results, follow-ups nor itself as new on Today, but that it is to review', async () => {
    const today = async () => (await owner.get(`/api/today?patient_id=${patient}`)).body;
    setUndecided(true);
    const { to_review, ...rest } = await today();
    expect(to_review.map(({ id }: { id: number }) => id)).toEqual([document]);
    expect(JSON.stringify(rest)).not.toContain(WORD);
    setUndecided(false);
    const { recent, abnormal, follow_ups } = await today();
    for (const part of [recent, abnormal, follow_ups]) expect(JSON.stringify(part)).toContain(WORD);
  });

  test('is not found under the name of the chosen patient, and relates to none of their documents', async () => {
    household.db.prepare("UPDATE patients SET display_name = 'Xaverine Holunder' WHERE id = ?").run(patient);
    const found = async () => {
      const { body } = await owner.get('/api/documents?q=xaverine&limit=500');
      const { body: relevant } = await owner.get(`/api/documents/${document}/relevant`);
      return [body.items.some(({ id }: { id: number }) => id === document), relevant.items.length > 0];
    };
    setUndecided(true);
    expect(await found()).toEqual([false, false]);
    setUndecided(false);
    expect(await found()).toEqual([true, true]);
  });

  test('keeps its results for those who may see the document, and moves them to the trash with it', async () => {
    setUndecided(true);
    const { body } = await owner.get(`/api/documents/${document}`);
    expect(body).toMatchObject({ patient_id: patient, patient_undecided: true, lab_results: [{ patient_id: null }] });
    const [result] = body.lab_results;
    const change = (client: Client) => client.call('PATCH', `/api/lab-results/${result.id}`, { value: 14 });
    expect((await change(owner)).status).toBe(200);
    expect((await change(household.as('viewer'))).status).toBe(403);
    expect((await change(household.as('admin'))).status).toBe(403);
    const added = await owner.post('/api/lab-results', { document_id: document, test_name_original: 'Kalium' });
    expect(added.body).toMatchObject({ patient_id: null });
  });
});

/** What a read shows of the planted document: a word of it, or its id where the answer has none. */
function valueOf(route: string): string {
  if (route === 'GET /api/lab-results/timeline') return '"value":13';
  return route === 'GET /api/documents/facets' ? '"count":1' : WORD;
}

/**
 * Queries over all documents or studies of a patient have to read the views. These files read the tables, for the
 * reason beside them.
 */
const READ_THE_TABLES: Record<string, string> = {
  'src-main/features/documents/': 'lists, the document itself and its files; values of a person are tested above',
  'src-main/features/ask/meaning/repository.ts':
    'begins the vectors of one document; what is found comes from the views',
  'src-main/features/document-links/': 'links of one document',
  'src-main/features/events/': 'the documents of an event by id',
  'src-main/features/imaging/': 'one study by id, its files, and lists; values of a person are tested above',
  'src-main/features/labs/list-repository.ts': 'no documents',
  'src-main/features/labs/trend-repository.ts': 'documents of results that have a patient',
  'src-main/features/names/': 'uses of a name, by who may see the document',
  'src-main/features/suggestions/repository.ts': 'the details of one document by id; its test tries what is proposed',
  'src-main/features/trash/repository.ts': 'documents and studies of an item, by id',
  'src-main/features/vault-files/check-repository.ts': 'files of documents, by who may see them',
  'src-main/platform/access/': 'whose one document is, by id',
  'src-main/platform/vault/': 'files',
  'src-main/reading/pipeline/': 'the queue',
};

test('no other query reads documents or studies without the views', () => {
  const readers = globSync('src-main/**/*.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /\b(?:FROM|JOIN)\s+(?:documents|imaging_studies)\b/.test(readFileSync(file, 'utf8')));
  const unknown = readers.filter((file) => !Object.keys(READ_THE_TABLES).some((known) => file.startsWith(known)));
  expect(unknown).toEqual([]);
});
