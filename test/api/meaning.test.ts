import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { makeGguf } from '../fixtures/make-gguf.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { report } from '../support/model-papers.ts';
import { hasRequirements } from '../support/requirements.ts';

/** Search by meaning as an administrator sets it up, with a model file that this computer runs. */

const PATH = '/api/settings/embedding-model';
const hasModels = hasRequirements('search by meaning with a model file', {
  packages: ['sqlite-vec', 'node-llama-cpp'],
});

let person: Client, vault: string, id: number;
const shown = async () => (await person.get(PATH)).body;
const vectors = (): { id: number; size: number }[] => {
  const db = openDatabase(join(vault, 'vault.db'));
  const rows = db.prepare('SELECT document_id AS id, length(vector) AS size FROM passage_vectors').all();
  db.close();
  return rows as { id: number; size: number }[];
};

test.beforeAll(async ({ served }) => {
  vault = served.vault;
  person = new Client(served.url);
  await person.setup();
  id = (await person.upload(await report('4.1'), 'report.pdf')).body.document_id;
  await person.idle();
});

test('it is off at first', async () => {
  expect(await shown()).toMatchObject({ type: null, configured: false, state: 'off', failure: null });
});

test.skipIf(!hasModels)('a file of this computer makes vectors of what is there and of what is added', async () => {
  const folder = join(vault, 'models');
  if (!existsSync(folder)) mkdirSync(folder);
  writeFileSync(join(folder, 'random.gguf'), makeGguf());
  expect((await person.call('PUT', PATH, { type: 'local', model: 'random.gguf' })).status).toBe(200);
  await expect.poll(async () => (await shown()).state, { timeout: 60_000 }).toBe('complete');
  expect(await shown()).toMatchObject({ type: 'local', available: true, reach: 'this-computer', failure: null });
  expect(vectors().length).toBeGreaterThan(0);
  expect(vectors().every((row) => row.id === id && row.size === 64)).toBe(true);
  const second = (await person.upload(await report('4.2'), 'second.pdf')).body.document_id;
  await person.idle();
  await expect.poll(() => vectors().some((row) => row.id === second), { timeout: 60_000 }).toBe(true);
  const [patient] = (await person.get('/api/patients')).body;
  const asked = await person.post('/api/chat', { patient_id: patient.id, message: 'Mittelland Synlabor?' });
  expect(asked.body.sources.length).toBeGreaterThan(0);
});

test.skipIf(!hasModels)('vectors leave with a deleted document, and come back with it', async () => {
  expect((await person.call('DELETE', `/api/documents/${id}`)).status).toBe(200);
  expect(vectors().some((row) => row.id === id)).toBe(false);
  const { items } = (await person.get('/api/trash')).body;
  const [item] = items;
  expect((await person.post(`/api/trash/${item.id}/restore`)).status).toBe(200);
  await expect.poll(() => vectors().some((row) => row.id === id), { timeout: 60_000 }).toBe(true);
});

test.skipIf(!hasModels)('a file that is missing is named, and vectors go when the model goes', async () => {
  await person.call('PUT', PATH, { type: 'local', model: 'other.gguf' });
  await expect.poll(async () => (await shown()).state, { timeout: 60_000 }).toBe('waiting');
  expect((await shown()).failure).toMatchObject({ code: 'provider.file_missing', params: { file: 'other.gguf' } });
  await person.call('PUT', PATH, { type: null });
  await expect.poll(() => vectors(), { timeout: 60_000 }).toEqual([]);
  expect(await shown()).toMatchObject({ configured: false, state: 'off', failure: null });
});

test('wrong models are refused', async () => {
  for (const body of [{ type: 'claude', model: 'm' }, { type: 'ollama', base_url: 'http://169.254.169.254' }, {}])
    expect((await person.call('PUT', PATH, body)).status).toBe(422);
});
