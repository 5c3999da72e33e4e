import { expect } from 'vitest';
import { startModelService, type ModelService } from '../fakes/model-service.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { CLASSIFIED, isClassification, report, row } from '../support/model-papers.ts';

/** A model is tried on documents, beside what is stored. */

let person: Client, service: ModelService, id: number;
const tryOut = (body: object) => person.post('/api/settings/try-llm-provider', { document_ids: [id], ...body });
const laptop = () => ({ type: 'ollama', name: 'Laptop', model: 'gemma3', base_url: service.url });

test.beforeAll(async ({ served }) => {
  service = await startModelService((request) => ({
    does: 'answer',
    text: JSON.stringify(isClassification(request) ? CLASSIFIED : { lab_results: [row('Kalium', '4.1')] }),
  }));
  person = new Client(served.url);
  await person.setup();
  id = (await person.upload(await report('4.1'), 'report.pdf')).body.document_id;
  await person.idle();
});
test.beforeEach(() => void (service.received.length = 0));
test.afterAll(() => service.close());

test('a reader that is not saved reads documents, each value is beside the stored one, and nothing changes', async () => {
  const [potassium] = (await person.get(`/api/documents/${id}`)).body.lab_results;
  await person.call('PATCH', `/api/lab-results/${potassium.id}`, { value: 4.4 });
  const before = (await person.get(`/api/documents/${id}`)).body;
  const { status, body } = await tryOut({ provider: laptop(), prompts: { classification: 'Name the kind. Quokka.' } });
  expect(status).toBe(200);
  const [trial] = body.trials;
  expect(trial).toMatchObject({ document_id: id, original_filename: 'report.pdf', failure: null });
  const field = (name: string) => trial.fields.find((one: { name: string }) => one.name === name);
  expect(field('doc_type')).toMatchObject({ kind: 'details', stored: 'lab_test', found: 'lab_test', is_same: true });
  expect(field('Kalium')).toMatchObject({ kind: 'lab_results', found: '4.1 mmol/L', is_same: false });
  expect(field('Kalium').stored).toContain('4.4');
  expect(field('Natrium')).toMatchObject({ is_same: true });
  expect(trial.same).toBe(trial.fields.length - 1);
  // Two answers of 11 and 7 tokens.
  expect(body.usage).toMatchObject({ provider: 'Laptop', tokens_in: 22, tokens_out: 14 });
  expect(service.received[0]?.body.messages[0].content).toContain('Quokka');
  expect((await person.get(`/api/documents/${id}`)).body).toEqual(before);
  expect((await person.get(`/api/documents/${id}/stages`)).body.events.at(-1).job_kind).toBe('upload');
  const prompts = (await person.get('/api/settings/prompts')).body;
  expect(JSON.stringify(prompts)).not.toContain('Quokka');
});

test('the built-in reader can be tried, and a failure stands with its document', async () => {
  const { body } = await tryOut({ provider_id: 'builtin' });
  expect(body).toMatchObject({ trials: [{ failure: null }], usage: null });
  expect(service.received).toEqual([]);
  service.behave = () => ({ does: 'fail', status: 401 });
  expect((await tryOut({ provider: laptop() })).body.trials).toMatchObject([
    { document_id: id, failure: { code: 'provider.key_refused' }, fields: [] },
  ]);
});

test('six documents, others than one may change, and unknown readers are refused before anything is sent', async () => {
  expect((await tryOut({ provider: laptop(), document_ids: [1, 2, 3, 4, 5, 6] })).status).toBe(422);
  expect((await tryOut({ provider: laptop(), document_ids: [id, 9999] })).body.code).toBe('document.not_found');
  expect((await tryOut({ provider_id: 'gone' })).body.code).toBe('provider.not_found');
  expect(service.received).toEqual([]);
  const audit = (await person.get('/api/audit?action=document.trial')).body;
  expect(JSON.stringify(audit)).not.toContain('report.pdf');
});
