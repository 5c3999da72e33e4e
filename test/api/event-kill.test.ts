/** @module-tag long */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { Client } from '../support/client.ts';
import { openHousehold } from '../support/household.ts';
import { serve, type Served } from '../support/serve.ts';

const DOCUMENTS = 60;
/** More than follow an event within one transaction. */
const MANY = 150;
const TITLES = ['Knee surgery', 'Rehabilitation', 'Something else'];
/** How long the program lives after the request was sent, ms: from before the commit to after the last file. */
const LIVES = [6, 20, 45];

/** Kills after which at least one must have come between the rename of an event and the last move of its documents. */
const MAX_KILLS = 20;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(folder, path)).isFile());

interface State {
  documents: { id: number; file_path: string; file_hash: string; event_id: number | null }[];
  slugs: string[];
  trash: number;
  promises: { from_path: string; to_path: string | null }[];
}
function stateOf(vault: string): State {
  const db = openDatabase(join(vault, 'vault.db'));
  try {
    return {
      documents: db
        .prepare('SELECT id, file_path, file_hash, event_id FROM documents ORDER BY id')
        .all() as State['documents'],
      slugs: db.prepare('SELECT slug FROM events').pluck().all() as string[],
      trash: db.prepare('SELECT count(*) FROM trash').pluck().get() as number,
      promises: db.prepare('SELECT from_path, to_path FROM vault_journal').all() as State['promises'],
    };
  } finally {
    db.close();
  }
}

/** Resolves as soon as the slug of the only event has changed, which is before most of its documents have moved. */
async function waitForRename(vault: string): Promise<void> {
  const db = openDatabase(join(vault, 'vault.db'));
  try {
    const slug = db.prepare('SELECT slug FROM events').pluck();
    const before = slug.get();
    while (slug.get() === before) await new Promise((resolve) => setTimeout(resolve, 1));
  } finally {
    db.close();
  }
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Every document has its own bytes at its own path, or at the path from which a promised move brings them. */
function requireFiles(vault: string, documents: State['documents'], promises: State['promises']): void {
  const sources = new Map(promises.map(({ from_path, to_path }) => [to_path, from_path]));
  for (const { file_path, file_hash } of documents) {
    const source = sources.get(file_path);
    const path = source !== undefined && existsSync(join(vault, source)) ? source : file_path;
    expect(hashOf(join(vault, path)), file_path).toBe(file_hash);
  }
}

/**
 * Every document has its own bytes at its own path, in the folder that its event asks for, and no file is left over.
 */
function requireWhole(vault: string, total: number = DOCUMENTS): State {
  const state = stateOf(vault);
  expect(state.promises).toEqual([]);
  requireFiles(vault, state.documents, []);
  for (const { file_path, event_id } of state.documents) {
    expect(file_path.split('/').slice(3, -1), file_path).toEqual(event_id === null ? [] : state.slugs);
  }
  expect(filesBelow(join(vault, 'patients')).length).toBe(state.documents.length);
  expect(filesBelow(join(vault, 'trash')).length).toBe(total - state.documents.length);
  return state;
}

it('a kill while an event is renamed, deleted or restored loses no file and mixes no folders', async () => {
  let served: Served = await serve();
  const house = await openHousehold(served.url, served.vault);
  house.db.prepare("UPDATE patients SET slug = 'elena' WHERE id = ?").run(house.patient);
  const person = house.as('owner');
  const { id } = (await person.post('/api/events', { patient_id: house.patient, title: 'First' })).body;
  for (let n = 0; n < DOCUMENTS; n += 1)
    await person.post(`/api/events/${id}/link`, { document_id: house.make.document() });
  house.close();
  requireWhole(served.vault);

  const during = async (lives: number, request: (client: Client) => Promise<unknown>): Promise<State> => {
    const client = new Client(served.url);
    client.cookie = person.cookie;
    const answer = request(client).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, lives));
    await served.stop('SIGKILL');
    await answer;
    served = await serve({ vault: served.vault });
    return requireWhole(served.vault);
  };
  try {
    for (const [n, lives] of LIVES.entries()) {
      await during(lives, (client) => client.call('PATCH', `/api/events/${id}`, { title: TITLES[n % TITLES.length] }));
      const { trash, documents } = await during(lives, (client) =>
        client.call('DELETE', `/api/events/${id}?delete_documents=true`),
      );
      expect([trash, documents.length]).toEqual(trash === 1 ? [1, 0] : [0, DOCUMENTS]);
      for (let tries = 0; stateOf(served.vault).trash > 0; tries += 1) {
        await during(lives * (tries + 1), async (client) => {
          const { body } = await client.get('/api/trash');
          await client.post(`/api/trash/${body.items[0].id}/restore`);
        });
      }
      expect(requireWhole(served.vault).documents.length).toBe(DOCUMENTS);
    }
    expect(existsSync(join(served.vault, 'patients/elena/2025'))).toBe(true);
  } finally {
    await served.stop('SIGKILL');
    rmSync(served.vault, { recursive: true, force: true });
  }
}, 120_000);

it('documents follow their event after a restart when the core was killed before, and their rows are always right', async () => {
  let served: Served = await serve();
  const house = await openHousehold(served.url, served.vault);
  house.db.prepare("UPDATE patients SET slug = 'elena' WHERE id = ?").run(house.patient);
  const person = house.as('owner');
  const { id } = (await person.post('/api/events', { patient_id: house.patient, title: 'First' })).body;
  for (let n = 0; n < MANY; n += 1) {
    const document = house.make.document();
    house.db.prepare('UPDATE documents SET event_id = ? WHERE id = ?').run(id, document);
    house.db
      .prepare("INSERT INTO event_documents (event_id, document_id, relevance) VALUES (?, ?, 'primary')")
      .run(id, document);
  }
  house.close();
  let left = 0,
    title = '';
  try {
    for (let n = 0; n < TITLES.length || (left === 0 && n < MAX_KILLS); n += 1) {
      const client = new Client(served.url);
      client.cookie = person.cookie;
      title = TITLES[n % TITLES.length]!;
      const renamed = waitForRename(served.vault);
      const answer = client.call('PATCH', `/api/events/${id}`, { title }).catch(() => undefined);
      await renamed;
      await served.stop('SIGKILL');
      await answer;
      // Looked at while no core runs: one that has started moves on at once.
      const { documents, slugs, promises } = stateOf(served.vault);
      expect(documents.length).toBe(MANY);
      requireFiles(served.vault, documents, promises);
      left += documents.filter(({ file_path }) => !file_path.includes(`/${slugs[0]}/`)).length;
      served = await serve({ vault: served.vault });
      const again = new Client(served.url);
      again.cookie = person.cookie;
      // Asked for the name that it has, it waits for those that are on their way.
      expect(
        (await again.call('PATCH', `/api/events/${id}`, { title: (await again.get(`/api/events/${id}`)).body.title }))
          .status,
      ).toBe(200);
      requireWhole(served.vault, MANY);
    }
    expect(left).toBeGreaterThan(0);
    // Its documents leave it, and come back, many at once.
    const client = new Client(served.url);
    client.cookie = person.cookie;
    const gone = (await client.call('DELETE', `/api/events/${id}`)).body;
    expect(gone.document_ids).toHaveLength(MANY);
    requireWhole(served.vault, MANY);
    expect((await client.post(`/api/trash/${gone.trash_id}/restore`)).status).toBe(200);
    expect(requireWhole(served.vault, MANY).documents.every(({ event_id }) => event_id === id)).toBe(true);
    expect((await client.get(`/api/documents?q=${encodeURIComponent(title.split(' ')[0]!)}&limit=1`)).body.total).toBe(
      MANY,
    );
  } finally {
    await served.stop('SIGKILL');
    rmSync(served.vault, { recursive: true, force: true });
  }
}, 120_000);
