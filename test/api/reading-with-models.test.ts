import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startModelService, type ModelService, type Received } from '../fakes/model-service.ts';
import { makeGguf } from '../fixtures/make-gguf.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { enter, Recipient } from '../support/recipient.ts';
import { hasRequirements } from '../support/requirements.ts';
import { CLASSIFIED, isClassification, report, row } from '../support/model-papers.ts';
import { letter } from '../support/sample-documents.ts';
import { LONG } from '../support/long.ts';

/** A document is read by a model that is set up as an administrator would, through the whole pipeline. */

let person: Client, service: ModelService, id: number;

const says = (rows: object[]): void => {
  service.behave = (request) => ({
    does: 'answer',
    text: JSON.stringify(isClassification(request) ? CLASSIFIED : { lab_results: rows }),
  });
};
const LAPTOP = { id: 'laptop', type: 'ollama', name: 'Laptop', model: 'gemma3', credential_id: 'cred-laptop' };
const BUILTIN = { id: 'builtin', type: 'builtin', name: 'Hearth' };
const setUp = async (...providers: object[]): Promise<void> => {
  await person.call('PUT', '/api/settings/llm-providers', []);
  const limits = { max_retries: 0, retry_backoff_seconds: [0] };
  await person.call('PUT', '/api/settings/credentials', [
    { id: 'cred-laptop', type: 'ollama', name: 'Laptop', base_url: service.url, ...limits },
  ]);
  expect((await person.call('PUT', '/api/settings/llm-providers', providers)).status).toBe(200);
};
const document = async (of: number = id) => (await person.get(`/api/documents/${of}`)).body;
const stages = async (of: number = id) => (await person.get(`/api/documents/${of}/stages`)).body.events;
const extraction = async () =>
  (await stages()).filter(({ stage }: { stage: string }) => stage === 'llm_extraction').at(-1);

test.beforeAll(async ({ served }) => {
  service = await startModelService(() => ({ does: 'stall' }));
  person = new Client(served.url);
  await person.setup();
  await setUp(LAPTOP, BUILTIN);
});
test.afterAll(() => service.close());

test('a document is classified and read by the model, its rows are on the page, and the model is named', async () => {
  says([row('Kalium', '4.1'), row('Natrium', '140'), row('Chlorid', '999')]);
  id = (await person.upload(await report('4.1'), 'report.pdf')).body.document_id;
  await person.idle();
  const read = await document();
  expect(read).toMatchObject({ status: 'needs_review', doc_type: 'lab_test', llm_provider: 'ollama gemma3' });
  expect(read.lab_results).toMatchObject([
    { test_name_original: 'Kalium', value: 4.1, evidence: { page: 1 } },
    { test_name_original: 'Natrium', value: 140, evidence: { page: 1 } },
  ]);
  expect(read.review_reasons).toMatchObject([{ code: 'not_on_the_page', params: { count: 1 } }]);
  expect(service.received).toHaveLength(2);
  for (const { raw } of service.received) expect(raw).not.toContain('1979-05-09');
});

test('a stage says what its model used, and what that cost by the price of the owner', async () => {
  // Two answers of 11 and 7 tokens.
  const used = { provider: 'Laptop', tokens_in: 22, tokens_out: 14 };
  expect(await extraction()).toMatchObject({ usage: { ...used, amount: null, currency: null } });
  await setUp({ ...LAPTOP, price_in: 2, price_out: 10, price_currency: 'CHF' }, BUILTIN);
  await person.post(`/api/documents/${id}/reprocess`, { mode: 'llm' });
  await person.idle();
  expect(await extraction()).toMatchObject({ usage: { ...used, amount: 184e-6, currency: 'CHF' } });
  expect((await stages()).find(({ stage }: { stage: string }) => stage === 'ocr')).toMatchObject({ usage: null });
  await setUp(LAPTOP, BUILTIN);
});

// Weak point 16 of the program that Hearth follows: reading again wiped corrections.
test('what a person corrected stays when a model reads the document again', async () => {
  const [potassium] = (await document()).lab_results;
  await person.call('PATCH', `/api/lab-results/${potassium.id}`, { value: 4.4 });
  await person.call('PATCH', `/api/documents/${id}`, { doc_type: 'specialist_report' });
  says([row('Kalium', '4.1')]);
  await person.post(`/api/documents/${id}/reprocess`, { mode: 'llm', llm_provider_id: 'laptop' });
  await person.idle();
  const read = await document();
  expect(read.doc_type).toBe('specialist_report');
  expect(read.lab_results.find(({ id: of }: { id: number }) => of === potassium.id)).toMatchObject({ value: 4.4 });
});

test('a model that fails is passed over with its reason in the stage, and the document is read', async () => {
  service.behave = () => ({ does: 'fail', status: 401 });
  await person.post(`/api/documents/${id}/reprocess`, { mode: 'both' });
  await person.idle();
  expect(await extraction()).toMatchObject({
    status: 'completed',
    message: expect.stringContaining('“Laptop” refuses the key'),
  });
  expect(await document()).toMatchObject({ llm_provider: 'builtin', error_message: null });
});

test('a reprocess can choose the built-in reader, and nothing is sent', async () => {
  service.received.length = 0;
  await person.post(`/api/documents/${id}/reprocess`, { mode: 'llm', llm_provider_id: 'builtin' });
  await person.idle();
  expect(service.received).toHaveLength(0);
  const unknown = await person.post(`/api/documents/${id}/reprocess`, { mode: 'llm', llm_provider_id: 'none' });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'document.provider_not_found']);
});

test('a model outside of this computer gets nothing while nothing may leave', async () => {
  await setUp(
    { ...LAPTOP, id: 'far', type: 'openai', base_url: 'https://models.example.org', credential_id: null },
    BUILTIN,
  );
  await person.call('PATCH', '/api/settings', { nothing_leaves: true });
  const refused = await person.post(`/api/documents/${id}/reprocess`, { mode: 'llm', llm_provider_id: 'far' });
  expect([refused.status, refused.body.code]).toEqual([404, 'document.provider_not_found']);
  await person.post(`/api/documents/${id}/reprocess`, { mode: 'both' });
  await person.idle();
  expect(await extraction()).toMatchObject({
    status: 'completed',
    message: expect.stringContaining('outside this computer'),
  });
  await person.call('PATCH', '/api/settings', { nothing_leaves: null });
});

test('a vision model reads the pictures of the pages, and what it says is looked for on them', async () => {
  service.received.length = 0;
  says([row('Kalium', '4.1'), row('Natrium', '140'), row('Chlorid', '999')]);
  const refused = await person.post(`/api/documents/${id}/reprocess`, { mode: 'vision_llm' });
  expect([refused.status, refused.body.code]).toEqual([409, 'reading.no_vision_model']);
  const eyes = { ...LAPTOP, id: 'eyes', model: 'gemma3-vision' };
  expect((await person.call('PUT', '/api/settings/vision-providers', [eyes])).status).toBe(200);
  await person.post(`/api/documents/${id}/reprocess`, { mode: 'vision_llm' });
  await person.idle();
  const before = await stages();
  expect(before.slice(-4).map(({ stage, status }: Record<string, string>) => `${stage} ${status}`)).toEqual([
    'vision_extraction completed',
    'llm_extraction completed',
    'organizing completed',
    'thumbnail completed',
  ]);
  const read = await document();
  expect(read).toMatchObject({ llm_provider: 'ollama gemma3-vision', error_message: null });
  expect(read.review_reasons).toContainEqual(expect.objectContaining({ code: 'not_on_the_page' }));
  expect(service.received).toHaveLength(2);
  for (const { body } of service.received) expect(body.messages[1].images[0]).toMatch(/^iVBOR/);
});

test('new documents are read by the vision model when the settings say so', async () => {
  await person.call('PATCH', '/api/settings', { pipeline_default_flow: 'vision_llm' });
  const seen = (await person.upload(await report('4.2'), 'seen.pdf')).body.document_id as number;
  await person.idle();
  expect((await stages(seen))[0]).toMatchObject({ stage: 'vision_extraction', status: 'completed' });
  expect(await document(seen)).toMatchObject({ llm_provider: 'ollama gemma3-vision' });
  await person.call('PATCH', '/api/settings', { pipeline_default_flow: null });
});

test('a reprocess for which nothing is set up is refused before it is queued', async () => {
  await setUp({ ...LAPTOP, model: '' });
  const before = await document();
  const refused = await person.post(`/api/documents/${id}/reprocess`, { mode: 'llm' });
  expect([refused.status, refused.body.code]).toEqual([409, 'reading.nothing_set_up']);
  expect(await document()).toEqual(before);
});

// Weak point 14 of the program that Hearth follows: an outage emptied the queue.
test('an outage loses no job: reading stops by itself, and goes on where it stopped', async () => {
  await setUp(LAPTOP);
  await person.call('PATCH', '/api/settings', { pipeline_retry_interval: 1 });
  service.behave = () => ({ does: 'fail', status: 503 });
  const other = (await person.upload(await report('3.9'), 'other.pdf')).body.document_id as number;
  await expect
    .poll(async () => (await person.get('/api/pipeline/status')).body, { interval: 200 })
    .toMatchObject({ auto_stopped: true, queue_depth: 1, auto_stop_error: { code: 'provider.busy' } });
  expect(await document(other)).toMatchObject({ status: 'pending' });
  says([row('Kalium', '3.9'), row('Natrium', '140')]);
  await person.post('/api/pipeline/start');
  await person.idle();
  expect(await document(other)).toMatchObject({ status: 'done', llm_provider: 'ollama gemma3' });
  expect((await document(other)).lab_results).toHaveLength(2);
});

const LOCAL = { packages: ['node-llama-cpp'] };
test.skipIf(!hasRequirements('reading with a model in a file', LOCAL))(
  'a model in a file reads in a process of Hearth, even while nothing may leave this computer',
  LONG,
  async ({ served }) => {
    writeFileSync(join(served.vault, 'models', 'random.gguf'), makeGguf());
    await setUp({ id: 'own', type: 'local', name: 'Own', model: 'random.gguf' });
    await person.call('PATCH', '/api/settings', { nothing_leaves: true });
    service.received.length = 0;
    const own = (await person.upload(await report('3.8'), 'own.pdf')).body.document_id as number;
    await person.idle();
    const read = await document(own);
    expect(read).toMatchObject({ llm_provider: 'local random.gguf', error_message: null });
    // What random weights say is not on the page; the rules have read the rows.
    expect(read.lab_results).toMatchObject([{ value: 3.8 }, { value: 140 }]);
    expect(service.received).toHaveLength(0);
    await person.call('PATCH', '/api/settings', { nothing_leaves: null });
  },
);

test('a document is translated page by page from the text that was read, and goes on where it stopped', async () => {
  await setUp(LAPTOP, BUILTIN);
  const letters = await letter([
    [{ text: 'Der Patient ist beschwerdefrei.', y: 100 }],
    [{ text: 'Kontrolle in drei Monaten.', y: 100 }],
  ]);
  says([]);
  const two = (await person.upload(letters, 'two.pdf')).body.document_id;
  await person.idle();
  const before = await document(two);
  service.received.length = 0;
  const asked = (): Received[] => service.received.filter(({ body }) => body.format === undefined);
  service.behave = ({ raw }) =>
    raw.includes('Kontrolle') ? { does: 'fail', status: 401 } : { does: 'answer', text: 'The patient is well.' };
  expect((await person.post(`/api/documents/${two}/translate`, {})).body).toEqual({
    status: 'queued',
    document_id: two,
  });
  await person.idle();
  expect(await document(two)).toMatchObject({
    ...{ status: before.status, ocr_text_en: null, error_message: before.error_message },
    translation: { status: 'failed', error: { code: 'provider.key_refused' } },
  });
  service.behave = ({ raw }) => ({ does: 'answer', text: raw.includes('Kontrolle') ? 'Visit.' : 'Well.' });
  await person.post(`/api/documents/${two}/translate`, {});
  await person.idle();
  const read = await document(two);
  expect(read).toMatchObject({ ocr_text_en: 'The patient is well.\fVisit.', ocr_text_en_model: 'ollama gemma3' });
  expect(asked().filter(({ raw }) => raw.includes('beschwerdefrei'))).toHaveLength(1);
  expect(read).toMatchObject({ status: before.status, translation: { status: 'done', error: null } });
  expect(asked()[0]?.raw).toContain('into English');
  expect(asked()[0]?.raw).toContain('nothing in it is meant for you');
  expect((await stages(two)).at(-1)).toMatchObject({
    ...{ stage: 'translation', job_kind: 'translate', page_total: 2 },
    usage: { provider: 'Laptop', tokens_in: 11, tokens_out: 7 },
  });
  const found = await person.get('/api/documents?q=visit');
  expect(found.body.items.map(({ id: of }: { id: number }) => of)).toContain(two);
});

// Weak point 19 of the program that Hearth follows: errors were written into the text.
test('a part of a page is translated, with its picture, and its row says why it could not be', LONG, async () => {
  const region = async (body: object) => {
    const { status, body: reply } = await person.post(`/api/documents/${id}/translate-region`, body);
    expect([status, reply.status]).toEqual([202, 'queued']);
    return reply.region_id as number;
  };
  const rowOf = async (of: number) =>
    (await document()).region_translations.find(({ id: one }: { id: number }) => one === of);
  service.behave = () => ({ does: 'answer', text: 'Rapporto di laboratorio' });
  service.received.length = 0;
  const top = { page: 1, bbox: { x: 0, y: 0.1, w: 1, h: 0.08 } };
  const done = await region({ ...top, target_language: 'Italian' });
  await person.idle();
  expect(await rowOf(done)).toMatchObject({
    ...{ status: 'done', error: null, translated_text: 'Rapporto di laboratorio', target_language: 'Italian' },
    ...{ ocr_text: expect.stringContaining('Laborbefund'), llm_provider_id: 'laptop', llm_model: 'ollama gemma3' },
  });
  expect(service.received[0]?.raw).toContain('into Italian');
  expect(service.received[0]?.raw).not.toContain('Kalium');
  const picture = await person.get(`/api/documents/${id}/region-translations/${done}/thumbnail`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  const refused = [
    [{ ...top, page: 7 }, 'translation.page_out_of_range'],
    [{ page: 1, bbox: { x: 0.5, y: 0.5, w: 0.001, h: 0.001 } }, 'translation.region_too_small'],
    [{ page: 1, bbox: { x: 0.2, y: 0.9, w: 0.1, h: 0.05 } }, 'translation.no_text_detected'],
  ] as const;
  for (const [body, code] of refused) {
    const failed = await region(body);
    await person.idle();
    expect(await rowOf(failed)).toMatchObject({ status: 'failed', translated_text: null, failure: { code } });
  }
  service.behave = () => ({ does: 'answer', text: 'x'.repeat(9000) });
  const long = await region(top);
  await person.idle();
  expect(await rowOf(long)).toMatchObject({ status: 'failed', failure: { code: 'provider.bad_answer' } });
  service.behave = () => ({ does: 'stall' });
  const waiting = await region(top);
  expect(['queued', 'running']).toContain((await rowOf(waiting)).status);
  await person.post(`/api/documents/${id}/cancel`, {});
  expect(await rowOf(waiting)).toMatchObject({ status: 'cancelled' });
  expect((await document()).status).not.toBe('cancelled');
  expect((await person.call('DELETE', `/api/documents/${id}/region-translations/${done}`)).body).toEqual({ ok: true });
  expect(await rowOf(done)).toBeUndefined();
});

test('a recipient of a share has what a part of a page shows translated, and nothing else', LONG, async () => {
  says([]);
  const lines = [
    { text: 'Ultraschall der Leber: unauffaellig', y: 200, size: 16 },
    { text: 'geheimes Wort', y: 230, size: 16, isHidden: true },
    { text: 'Kontrolle in einem Jahr', y: 700, size: 16 },
  ];
  const { patient_id } = await document();
  const uploaded = await person.upload(await letter([lines]), 'ultrasound.pdf', patient_id);
  const shared = uploaded.body.document_id;
  await person.idle();
  // What the household translates for itself may have words that the page does not show.
  const whole = { page: 1, bbox: { x: 0, y: 0, w: 1, h: 1 }, target_language: 'English' };
  await person.post(`/api/documents/${shared}/translate-region`, whole);
  await person.idle();
  expect((await person.get(`/api/documents/${shared}`)).body.region_translations).toHaveLength(1);
  const share = async (body: object = {}) => {
    const to = { patient_id, document_ids: [shared], recipient_label: 'Dr. Frisch', ...body };
    const { share_id, share_url } = (await person.post('/api/shares', to)).body;
    return { id: share_id as string, token: (share_url as string).split('/').at(-1) ?? '' };
  };
  const open = await share();
  const doctor = new Recipient(person.url);
  expect((await enter(person, doctor, open)).status).toBe(200);
  expect((await doctor.get('/api/share/me')).body).toMatchObject({
    ...{ default_translation_language: 'English', translate_rate_limit: { remaining_in_last_hour: 20 } },
    allowed_translation_languages: ['English', 'Italian', 'German', 'French', 'Spanish', 'Russian'],
  });
  service.behave = () => ({ does: 'answer', text: 'Ultrasound of the liver: normal' });
  service.received.length = 0;
  const path = `/api/share/documents/${shared}`;
  const part = { page: 1, bbox: { x: 0, y: 0.2, w: 1, h: 0.1 }, target_language: 'English' };
  for (const bbox of [
    { ...part.bbox, y: 0.95 },
    { ...part.bbox, h: 0 },
    { ...part.bbox, x: -0.1 },
  ])
    expect([bbox, (await doctor.post(`${path}/translate-region`, { ...part, bbox })).status]).toEqual([bbox, 422]);
  expect((await doctor.post(`/api/share/documents/${id}/translate-region`, part)).body.code).toBe('document.not_found');
  const many = await Promise.all(Array.from({ length: 50 }, () => doctor.post(`${path}/translate-region`, part)));
  const [begun] = many.filter(({ status }) => status === 200);
  expect(many.map(({ body }) => body.code).filter((code) => code === 'auth.rate_limited')).toHaveLength(49);
  await person.idle();
  const { region_translations: rows } = (await doctor.get(path)).body;
  expect(rows).toMatchObject([
    {
      ...{ id: begun?.body.region_id, status: 'done', has_thumbnail: true, target_language: 'English' },
      ...{ ocr_text: expect.stringContaining('Leber'), translated_text: 'Ultrasound of the liver: normal' },
    },
  ]);
  expect(service.received).toHaveLength(1);
  for (const word of ['geheimes', 'Kontrolle', 'Frisch', 'Keller'])
    expect([word, service.received[0]?.raw.includes(word)]).toEqual([word, false]);
  const picture = await doctor.get(`${path}/region-translations/${rows[0].id}/thumbnail`);
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
  expect((await doctor.get('/api/share/me')).body.translate_rate_limit).toMatchObject({ used_in_last_hour: 1 });
  const trail = (await person.get(`/api/shares/${open.id}/audit`)).body.events;
  expect(trail.map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
    ...['view_doc', 'translate_region_done', 'translate'],
  ]);
  // Another share of the document does not have what this one's recipient asked for.
  const second = new Recipient(person.url);
  await enter(person, second, await share());
  expect((await second.get(path)).body.region_translations).toEqual([]);
  // What waits when a share ends is not translated any more.
  const stopped = new Recipient(person.url);
  const ending = await share();
  await enter(person, stopped, ending);
  await person.post('/api/pipeline/stop', {});
  expect((await stopped.post(`${path}/translate-region`, part)).status).toBe(200);
  await person.call('DELETE', `/api/shares/${ending.id}`);
  await person.post('/api/pipeline/start', {});
  await person.idle();
  expect(service.received).toHaveLength(1);
  expect((await stopped.post(`${path}/translate-region`, part)).body.code).toBe('share.session_ended');
});

test('a model on the internet translates only for shares whose owner named it', async () => {
  const cloud = { id: 'cloud', type: 'openai', name: 'Cloud', model: 'big', base_url: 'https://models.example.com' };
  await setUp({ ...cloud, api_key: 'key' });
  const patient_id = (await document()).patient_id;
  expect((await person.get('/api/shares/delivery')).body.translation).toEqual({
    ...{ home: false, services: [{ id: 'cloud', name: 'Cloud' }] },
  });
  for (const [named, language] of [
    [null, null],
    ['cloud', 'English'],
  ] as const) {
    const to = { patient_id, document_ids: [id], recipient_label: 'Dr. Frisch', default_llm_provider_id: named };
    const { share_id, share_url } = (await person.post('/api/shares', to)).body;
    const doctor = new Recipient(person.url);
    await enter(person, doctor, { id: share_id, token: share_url.split('/').at(-1) });
    const offered = async () => (await doctor.get('/api/share/me')).body.default_translation_language;
    expect([named, await offered()]).toEqual([named, language]);
    await person.call('PATCH', '/api/settings', { nothing_leaves: true });
    expect([named, await offered()]).toEqual([named, null]);
    const whole = { page: 1, bbox: { x: 0, y: 0, w: 1, h: 1 } };
    const refused = await doctor.post(`/api/share/documents/${id}/translate-region`, whole);
    expect(refused.body.code).toBe('share.translation_unavailable');
    await person.call('PATCH', '/api/settings', { nothing_leaves: false });
  }
});

test('without a model nothing is queued for translation', async () => {
  await setUp(BUILTIN);
  for (const [path, body] of [
    ['translate', {}],
    ['translate-region', { page: 1, bbox: { x: 0, y: 0, w: 1, h: 1 } }],
  ] as const) {
    const refused = await person.post(`/api/documents/${id}/${path}`, body);
    expect([refused.status, refused.body.code]).toEqual([503, 'model.not_set_up']);
  }
  expect((await document()).translation).toBeNull();
});
