import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMeaning, type Meaning } from '../../src-main/features/ask/service.ts';
import type { Config } from '../../src-main/platform/config/config.ts';
import { openDatabase, type Database } from '../../src-main/platform/database/connection.ts';
import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import type { ProviderEntry } from '../../src-main/reading/providers/entries.ts';
import { createEmbedder } from '../../src-main/reading/providers/models/embedder.ts';
import { createServices } from '../../src-main/reading/providers/services.ts';
import { createPagesRepository } from '../../src-main/features/ask/record/pages-repository.ts';
import { vectorAbout } from '../fakes/embedding-model.ts';
import { startModelService, type Behavior, type ModelService, type Received } from '../fakes/model-service.ts';
import { describeWith } from '../support/requirements.ts';
import { openSampleRecord, type SampleRecord } from '../support/sample-record.ts';
import { testLog } from '../support/vault.ts';

/** Ask over the sample household with a stand-in of an embedding model that knows one subject in two languages. */

const { signal } = new AbortController();
/** In words that no paper of Daniel has. Daniel and Rosa had operations under spinal anaesthesia. */
const QUESTION = 'Was I numb from the waist down?';
const vectorOf = vectorAbout(/spinal|numb/i);

let service: ModelService, sample: SampleRecord, meaning: Meaning;
let entry: ProviderEntry | null = null;
const config = {
  ...{ 'privacy.nothing_leaves': false, 'ocr.cloud_ocr_enabled': true, 'llm.extraction_timeout': 300 },
  ...{ 'llm.max_concurrent_requests': 2, 'llm.max_retries': 0, 'llm.retry_backoff_seconds': [1] },
};
const purposes: string[] = [];

const inputsOf = ({ body }: Received): string[] => body.input;
const embeds = (request: Received): Behavior => ({ does: 'embed', vectors: inputsOf(request).map(vectorOf) });
const ollama = (model: string, more: Partial<ProviderEntry> = {}): ProviderEntry => ({
  ...{ id: 'embedding-model', type: 'ollama', name: model, enabled: true, apiKey: '', model, timeoutSeconds: null },
  ...{ baseUrl: service.url, credential: null, ...more },
});
const openMeaning = (db: Database): Meaning => {
  const services = createServices({
    config: config as unknown as Config,
    clock: systemClock,
    ownPorts: () => [],
    local: { ask: () => Promise.reject(new Error('none')), embed: () => Promise.reject(new Error('none')) },
    onUsage: (purpose) => purposes.push(purpose),
  });
  const pages = createPagesRepository(db);
  const patientOf = db.prepare('SELECT patient_id FROM documents WHERE id = ?').pluck();
  return createMeaning({
    ...{ db, clock: systemClock, log: testLog() },
    embedder: createEmbedder({ services, lists: { embedding: () => entry } }),
    loadPages: (id) => Promise.resolve(pages.pages(patientOf.get(id) as number, id)),
  });
};

beforeAll(async () => {
  service = await startModelService(embeds);
  sample = await openSampleRecord(undefined, (db) => (meaning = openMeaning(db)));
  meaning.start();
});
afterAll(async () => {
  await meaning.stop();
  sample.remove();
  await service.close();
});
beforeEach(() => {
  service.behave = embeds;
});
afterEach(() => void (config['privacy.nothing_leaves'] = false));

const choose = (next: ProviderEntry | null): void => {
  entry = next;
  meaning.wake();
};
const settles = (state: string) => expect.poll(() => meaning.status().state, { timeout: 30_000 }).toBe(state);
const count = (sql: string, ...values: unknown[]): number =>
  sample.db
    .prepare(sql)
    .pluck()
    .get(...values) as number;
const passagesOf = (model: string): number =>
  count('SELECT count(*) FROM passage_vectors p JOIN document_vectors v USING (document_id) WHERE v.model = ?', model);
const ask = (of: string, message: string) =>
  sample.ask.ask({ patient_id: sample.idOf(of), message, language: 'en' }, sample.user, { signal });
const filesOf = (sources: { id: number }[]): string[] => sources.map(({ id }) => sample.filenameOf(id));

describeWith({ packages: ['sqlite-vec'] }, 'questions by meaning', () => {
  it('change nothing and send nothing without a model', async () => {
    expect((await ask('Daniel', QUESTION)).response).toMatch(/^This is not in the record\./);
    expect(service.received).toEqual([]);
    expect(meaning.status().state).toBe('off');
    expect(count('SELECT count(*) FROM document_vectors')).toBe(0);
  });

  it('fill all documents of records, with passages of one document in a request', async () => {
    choose(ollama('first'));
    await settles('complete');
    const waiting = count(
      `SELECT count(*) FROM record_documents d WHERE patient_id IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM document_vectors v WHERE v.document_id = d.id AND v.passages > 0)`,
    );
    expect(waiting).toBe(0);
    // A document whose patient is undecided waits for a person.
    expect(count('SELECT count(*) FROM documents WHERE patient_undecided = 1')).toBeGreaterThan(0);
    expect(
      count('SELECT count(*) FROM document_vectors JOIN documents ON id = document_id WHERE patient_undecided = 1'),
    ).toBe(0);
    const mixed = service.received.filter((request) => {
      const text = inputsOf(request).join('\n');
      return text.includes('Spinal') && /spinale|spinalenne/.test(text);
    });
    expect(mixed).toEqual([]);
    expect(new Set(purposes)).toEqual(new Set(['search']));
  });

  it('find a passage in other words, marked on its page, of this patient only', async () => {
    const { response, sources } = await ask('Daniel', QUESTION);
    expect(response).toMatch(/not in the record\.[\s\S]*may be about it in other words/);
    expect(filesOf(sources)).toContain('op-bericht_knie.pdf');
    const own = sample.db.prepare('SELECT id FROM record_documents WHERE patient_id = ?').pluck();
    const ids = new Set(own.all(sample.idOf('Daniel')));
    expect(sources.filter(({ id }) => !ids.has(id))).toEqual([]);
    const [found] = sources.filter(({ id }) => sample.filenameOf(id) === 'op-bericht_knie.pdf');
    expect(found).toMatchObject({ page: 1, quote: expect.stringMatching(/Spinal/), bbox: expect.any(Array) });
    // Rosa's own operation is found in hers.
    expect(filesOf((await ask('Rosa', QUESTION)).sources).join()).toMatch(/anca/);
  });

  it('join both lists by rank where the words are found, too', async () => {
    const words = 'Reizzustand Lauftraining';
    const byWords = filesOf((await ask('Daniel', words)).sources);
    expect(byWords).toContain('verlaufskontrolle_knie.pdf');
    expect(byWords).not.toContain('op-bericht_knie.pdf');
    const { response, sources } = await ask('Daniel', `${words} numb`);
    expect(response).not.toMatch(/not in the record|nicht in den Unterlagen/);
    expect(filesOf(sources)).toEqual(expect.arrayContaining(['verlaufskontrolle_knie.pdf', 'op-bericht_knie.pdf']));
  });

  it('send nothing for values and lists', async () => {
    service.received.length = 0;
    await ask('Claire', 'What was the last TSH?');
    await ask('Claire', 'What is Daniel’s knee like?');
    expect(service.received).toEqual([]);
    await ask('Claire', QUESTION);
    expect(service.received.map(inputsOf)).toEqual([[QUESTION]]);
  });

  it('forget vectors with the pages, and make them again', async () => {
    const id = count("SELECT id FROM documents WHERE original_filename = 'op-bericht_knie.pdf'");
    const ofDocument = () => count('SELECT count(*) FROM passage_vectors WHERE document_id = ?', id);
    const before = ofDocument();
    expect(before).toBeGreaterThan(3);
    service.behave = () => ({ does: 'stall' });
    sample.db.transaction(() =>
      sample.db.prepare('UPDATE document_pages SET page = page WHERE document_id = ?').run(id),
    );
    expect(ofDocument()).toBe(0);
    await expect.poll(() => service.open()).toBe(1);
    // It is read again while its vectors are made: they would be of old pages.
    sample.db.transaction(() =>
      sample.db.prepare('UPDATE document_pages SET page = page WHERE document_id = ?').run(id),
    );
    service.behave = embeds;
    choose(ollama('first', { timeoutSeconds: 60 }));
    await meaning.stop();
    expect(ofDocument()).toBe(0);
    // As after a restart.
    meaning = openMeaning(sample.db);
    meaning.start();
    await expect.poll(ofDocument, { timeout: 20_000 }).toBe(before);
    await settles('complete');
  });

  it('disappear with a deleted document', () => {
    const id = count("SELECT id FROM documents WHERE original_filename = 'check-up_2018.pdf'");
    sample.db.transaction(() => {
      sample.db.prepare('DELETE FROM documents WHERE id = ?').run(id);
      expect(count('SELECT count(*) FROM passage_vectors WHERE document_id = ?', id)).toBe(0);
    });
  });

  it('are made anew for another model, and deleted without one', async () => {
    const before = passagesOf('ollama first');
    expect(before).toBeGreaterThan(100);
    choose(ollama('second'));
    await expect.poll(() => passagesOf('ollama second'), { timeout: 30_000 }).toBe(before);
    expect(passagesOf('ollama first')).toBe(0);
    choose(null);
    await expect.poll(() => count('SELECT count(*) FROM passage_vectors'), { timeout: 20_000 }).toBe(0);
    await settles('off');
  });

  it('speak to servers like OpenAI, whatever the order of their answer', async () => {
    choose(ollama('third', { type: 'openai', baseUrl: `${service.url}/v1` }));
    await settles('complete');
    expect(passagesOf('openai third')).toBeGreaterThan(100);
    expect((await ask('Daniel', QUESTION)).response).toContain('in other words');
  });

  it('wait during an outage without losing a document, and say why', async () => {
    service.behave = () => ({ does: 'fail', status: 500 });
    choose(ollama('fourth'));
    await settles('waiting');
    expect(meaning.status().failure).toMatchObject({ code: 'provider.failed' });
    // Words are still found.
    expect(filesOf((await ask('Daniel', 'Kniegelenk?')).sources).length).toBeGreaterThan(0);
    service.behave = embeds;
    choose(ollama('fourth', { timeoutSeconds: 61 }));
    await settles('complete');
    expect(passagesOf('ollama fourth')).toBeGreaterThan(100);
  });

  it('leave out a document that the model refuses, and go on', async () => {
    service.behave = (request) =>
      inputsOf(request).join().includes('Spinalan') ? { does: 'fail', status: 400 } : embeds(request);
    choose(ollama('fifth'));
    await settles('complete');
    expect(meaning.status().failure).toMatchObject({ code: 'provider.refused' });
    expect(passagesOf('ollama fifth')).toBeGreaterThan(100);
  });

  it.each([
    ['too few', (vectors: number[][]) => vectors.slice(1)],
    ['of different lengths', ([first = [], ...rest]: number[][]) => [first.slice(1), ...rest]],
    ['empty', (vectors: number[][]) => vectors.map(() => [])],
  ])('refuse vectors that are %s', async (_title, change) => {
    service.behave = (request) => ({ does: 'embed', vectors: change(inputsOf(request).map(vectorOf)) });
    choose(ollama(`bad ${_title}`));
    await settles('waiting');
    expect(meaning.status().failure).toMatchObject({ code: 'provider.bad_answer' });
    expect(count('SELECT count(*) FROM passage_vectors')).toBe(0);
  });

  it('send nothing to another computer while nothing may leave, and keep the vectors', async () => {
    service.behave = embeds;
    choose(ollama('sixth'));
    await settles('complete');
    const before = passagesOf('ollama sixth');
    config['privacy.nothing_leaves'] = true;
    choose(ollama('sixth', { type: 'openai', baseUrl: 'https://models.example.org/v1' }));
    await settles('waiting');
    expect(meaning.status().failure).toMatchObject({ code: 'provider.stays_here' });
    service.received.length = 0;
    expect((await ask('Daniel', QUESTION)).response).not.toContain('in other words');
    expect(service.received).toEqual([]);
    expect(passagesOf('ollama sixth')).toBe(before);
  });
});

it('a vault with vectors is opened and emptied without the vector functions', () => {
  const plain = openDatabase(sample.db.sqlite.name);
  expect(() => plain.sqlite.prepare("SELECT vec_distance_cosine('[1]', '[1]')").get()).toThrow('no such function');
  expect(plain.sqlite.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  plain.prepare('DELETE FROM document_vectors').run();
  expect(plain.prepare('SELECT count(*) FROM passage_vectors').pluck().get()).toBe(0);
  plain.close();
});
