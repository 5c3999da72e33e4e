import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import { openHousehold, type Household } from '../support/household.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served, house: Household, owner: Client, admin: Client;

beforeAll(async () => {
  served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  house = await openHousehold(served.url, served.vault);
  [owner, admin] = [house.as('owner'), house.as('admin')];
});
afterAll(async () => {
  house.close();
  await served.remove();
});

const stateOf = async (client: Client) => (await client.get('/api/vault/check')).body;

async function checkVault(): Promise<void> {
  await admin.post('/api/vault/check');
  await vi.waitFor(async () => expect((await stateOf(admin)).check.status).toBe('done'), { timeout: 30_000 });
}

it('a fault of a file that the user may not see is neither counted nor shown, and neither is progress', async () => {
  const stop = new AbortController();
  const stream = await fetch(`${owner.url}/api/pipeline/events`, {
    headers: { cookie: owner.cookie },
    signal: stop.signal,
  });
  const theirs = house.make.document({ patient: house.otherPatient });
  const { file_path } = (await house.as('other').get(`/api/documents/${theirs}`)).body;
  rmSync(join(served.vault, file_path));
  await checkVault();
  expect((await stateOf(house.as('other'))).check.faults).toMatchObject([{ kind: 'missing', document_id: theirs }]);
  expect((await stateOf(admin)).check.faults).toContainEqual(
    expect.objectContaining({ kind: 'missing', path: null, document_id: null }),
  );
  const { check, last_whole_at } = await stateOf(owner);
  expect(check).toMatchObject({ fault_count: 0, faults: [] });
  expect(last_whole_at).toBe(check.finished_at);
  let heard = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
    heard += decoder.decode(chunk, { stream: true });
    if (heard.includes('"status":"done"')) break;
  }
  stop.abort();
  await house.as('other').call('DELETE', `/api/documents/${theirs}`);
  const messages = heard.match(/\{"kind":"check"[^}]*\}/g) ?? [];
  for (const message of messages) expect(JSON.parse(message)).toMatchObject({ documents: 0, total: 0, fault_count: 0 });
});

it('the check of the vault tells nobody that somebody else has the same file', async () => {
  const pdf = await letter([[{ text: 'Einladung an alle Haushalte', y: 80 }]]);
  await house.as('other').upload(pdf, 'einladung.pdf', house.otherPatient);
  await checkVault();
  const before = await stateOf(owner);
  expect(before).toMatchObject({ check: { fault_count: 0, faults: [] }, last_whole_at: expect.any(String) });

  const { document_id } = (await owner.upload(pdf, 'einladung.pdf', house.patient)).body;
  const loose = house.make.looseFile();
  await checkVault();
  expect((await stateOf(admin)).check.faults).toContainEqual(expect.objectContaining({ kind: 'doubled' }));
  const { check, last_whole_at } = await stateOf(owner);
  expect(check).toMatchObject({ fault_count: 1, faults: [{ kind: 'foreign', path: loose, same_as: null }] });
  expect(last_whole_at).toBe(before.last_whole_at);

  await owner.call('DELETE', `/api/vault/file?path=${encodeURIComponent(loose)}`);
  await checkVault();
  const after = await stateOf(owner);
  expect(after.check).toMatchObject({ fault_count: 0, faults: [] });
  expect(after.last_whole_at).toBe(after.check.finished_at);

  // What it counts are only documents that the user may see.
  const { documents, files, bytes } = house.db
    .prepare(
      `SELECT count(*) AS documents, count(*) AS files, sum(file_size) AS bytes FROM documents WHERE patient_id = ?`,
    )
    .get(house.patient) as Record<string, number>;
  expect(after.check).toMatchObject({ documents, total: documents, files, bytes });
  expect((await stateOf(admin)).check.documents).toBeGreaterThan(documents ?? 0);

  // Copies among the documents of the same user are still listed.
  await owner.call('DELETE', `/api/documents/${document_id}`);
  const [first, second] = [house.make.document(), house.make.document()];
  house.db
    .prepare('UPDATE documents SET file_hash = (SELECT file_hash FROM documents WHERE id = ?) WHERE id = ?')
    .run(first, second);
  await checkVault();
  expect((await stateOf(owner)).check.faults).toContainEqual(
    expect.objectContaining({ kind: 'doubled', document_id: second, same_as: first }),
  );
});

it('copies of the same user are listed, whoever else had the file first', async () => {
  const first = house.make.document({ patient: house.otherPatient });
  const [second, third] = [house.make.document(), house.make.document()];
  house.db
    .prepare('UPDATE documents SET file_hash = (SELECT file_hash FROM documents WHERE id = ?) WHERE id IN (?, ?)')
    .run(first, second, third);
  await checkVault();
  expect((await stateOf(owner)).check.faults).toContainEqual(
    expect.objectContaining({ kind: 'doubled', document_id: third, same_as: second }),
  );
  expect((await stateOf(owner)).check.faults).not.toContainEqual(
    expect.objectContaining({ kind: 'doubled', document_id: second }),
  );
});
