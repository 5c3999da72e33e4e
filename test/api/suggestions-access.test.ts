import { expect } from 'vitest';
import { startModelService, type ModelService } from '../fakes/model-service.ts';
import type { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';

/** A model may think for minutes, in which an owner can take the record from whoever asked. */

const test = base.override('serveOptions', WITHOUT_INBOX);
let house: Household, owner: Client, service: ModelService;

test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
  service = await startModelService(() => ({ does: 'stall' }));
  const keeper = house.as('keeper');
  await keeper.call('PUT', '/api/settings/credentials', [
    { id: 'laptop', type: 'ollama', name: 'Laptop', base_url: service.url, max_retries: 0 },
  ]);
  const models = [{ id: 'laptop', type: 'ollama', name: 'Laptop', model: 'gemma3', credential_id: 'laptop' }];
  expect((await keeper.call('PUT', '/api/settings/llm-providers', models)).status).toBe(200);
});
test.afterAll(() => service.close());

test.for([
  [
    'edit-with-ai',
    { instruction: 'It is from 2019' },
    { changes: [{ field: 'event_date', value: '2019-01-01' }], missing: null },
  ],
  ['suggest-links', undefined, { links: [] }],
  ['generate-filename', undefined, { filename: 'secret' }],
  ['suggest-for-document', undefined, { event_number: null, new_event: null, confidence: 0.9, reason: 'none' }],
] as const)('%s answers nobody who lost the record while the model thought', async ([action, body, answer]) => {
  const patient = house.make.patient();
  house.make.use(patient);
  const document = house.make.document();
  house.make.document();
  house.make.use(house.patient);
  service.received.length = 0;
  service.behave = () => {
    house.db.prepare('DELETE FROM patient_access WHERE patient_id = ?').run(patient);
    return { does: 'answer', text: JSON.stringify(answer) };
  };
  const path =
    action === 'suggest-for-document'
      ? `/api/events/suggest-for-document/${document}`
      : `/api/documents/${document}/${action}`;
  const { status, body: reply } = await owner.post(path, body);
  expect([service.received.length > 0, status, reply.code]).toEqual([true, 403, 'auth.forbidden']);
});
