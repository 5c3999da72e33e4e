import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN_WORDS, startModelService, type ModelService } from '../fakes/model-service.ts';
import { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

const KEY = 'sk-of-the-household-1234';
const RIGHT = JSON.stringify({ number: 4821 });
let served: Served, admin: Client, service: ModelService;
beforeAll(async () => {
  service = await startModelService(() => ({ does: 'answer', text: RIGHT }));
  served = await serve();
  admin = new Client(served.url);
  await admin.setup();
});
afterAll(async () => {
  await served.remove();
  await service.close();
});
beforeEach(() => {
  service.behave = () => ({ does: 'answer', text: RIGHT });
  service.received.length = 0;
});

const path = (name: string): string => `/api/settings/${name}`;
const get = async (name: string) => (await admin.get(path(name))).body;
const put = (name: string, body: unknown) => admin.call('PUT', path(name), body);
const test = async (kind: string, body: unknown) =>
  (await admin.call('POST', path(`test-${kind}-provider`), body)).body;
const ollama = (more: object = {}) => ({
  type: 'ollama',
  name: 'Laptop',
  model: 'gemma3',
  base_url: service.url,
  ...more,
});

describe('the lists of providers', () => {
  it('begin with what reads without any set up', async () => {
    expect(await get('llm-providers')).toMatchObject([{ id: 'builtin', type: 'builtin', reach: 'this-computer' }]);
    expect(await get('ocr-providers')).toMatchObject([{ type: 'tesseract', enabled: true, priority: 1 }]);
    expect(await get('vision-providers')).toEqual([]);
    expect(await get('credentials')).toEqual([]);
  });

  it('are replaced as a whole, in the order that was sent', async () => {
    const list = [ollama({ id: 'b' }), { id: 'builtin', type: 'builtin', name: 'Hearth' }, ollama({ name: 'Second' })];
    expect((await put('llm-providers', list)).body).toEqual({ status: 'saved', count: 3 });
    const saved = await get('llm-providers');
    expect(saved).toMatchObject([
      { id: 'b', priority: 1, model: 'gemma3', has_api_key: false, timeout: null },
      { id: 'builtin', priority: 2 },
      { name: 'Second', priority: 3 },
    ]);
    expect(saved[2].id).toMatch(/^llm-[0-9a-f]{12}$/);
    // A reply can be sent back as it came.
    expect((await put('llm-providers', saved.reverse())).status).toBe(200);
    expect((await get('llm-providers')).map(({ name }: { name: string }) => name)).toEqual([
      'Second',
      'Hearth',
      'Laptop',
    ]);
  });

  it('keep a key that is sent empty, remove one that is null, and never show any', async () => {
    await put('llm-providers', [{ id: 'c', type: 'claude', name: 'Claude', model: 'm', api_key: KEY }]);
    await put('llm-providers', [{ id: 'c', type: 'claude', name: 'Renamed', model: 'm', api_key: '' }]);
    const answer = await admin.get(path('llm-providers'));
    expect(answer.body).toMatchObject([{ name: 'Renamed', api_key: '', has_api_key: true, reach: 'internet' }]);
    expect(JSON.stringify(answer.body)).not.toContain(KEY);
    expect(readFileSync(join(served.vault, 'vault.db')).includes(KEY)).toBe(false);
    await put('llm-providers', [{ id: 'c', type: 'claude', name: 'Renamed', model: 'm', api_key: null }]);
    expect(await get('llm-providers')).toMatchObject([{ has_api_key: false }]);
  });

  it.each([
    ['llm-providers', [{ type: 'other', name: 'x' }]],
    [
      'llm-providers',
      [
        { id: 'a', type: 'builtin', name: 'x' },
        { id: 'a', type: 'builtin', name: 'y' },
      ],
    ],
    ['llm-providers', [{ type: 'ollama', name: 'x', base_url: 'http://169.254.169.254' }]],
    ['llm-providers', [{ type: 'ollama', name: 'x', base_url: 'http://models.example.org' }]],
    ['vision-providers', [{ type: 'builtin', name: 'x' }]],
    ['ocr-providers', [{ type: 'llm', name: 'x' }]],
    ['credentials', [{ type: 'ollama', name: 'x', max_concurrent: 0 }]],
  ])('refuse a wrong entry of %s', async (name, body) => {
    const before = await get(name);
    expect((await put(name, body)).status).toBe(422);
    expect(await get(name)).toEqual(before);
  });
});

describe('credentials', () => {
  it('are shared, counted, and not removed while they are used', async () => {
    await put('credentials', [{ type: 'ollama', name: 'Cellar', base_url: service.url, api_key: KEY, max_retries: 0 }]);
    const [cellar] = await get('credentials');
    expect(cellar.id).toMatch(/^cred-[0-9a-f]{12}$/);
    expect(cellar).toMatchObject({
      max_concurrent: 2,
      max_retries: 0,
      retry_backoff_seconds: [30, 60, 120],
      has_api_key: true,
    });
    await put('llm-providers', [ollama({ id: 'one', base_url: '', credential_id: cellar.id })]);
    await put('vision-providers', [ollama({ id: 'two', base_url: '', credential_id: cellar.id })]);
    expect(await get('credentials')).toMatchObject([{ references: { llm: 1, vision: 1, ocr: 0, total: 2 } }]);
    const refused = await put('credentials', []);
    expect([refused.status, refused.body.code]).toEqual([409, 'provider.credential_in_use']);
    expect(await test('llm', { provider_id: 'one' })).toMatchObject({ ok: true, detail: '4821' });
    expect(service.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('must exist and be for the same kind of service', async () => {
    const [cellar] = await get('credentials');
    for (const [entry, code] of [
      [ollama({ credential_id: 'cred-none' }), 'provider.unknown_credential'],
      [{ type: 'claude', name: 'x', model: 'm', credential_id: cellar.id }, 'provider.credential_mismatch'],
    ]) {
      const answer = await put('llm-providers', [entry]);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    }
  });
});

describe('the model for questions, translations and suggestions', () => {
  const general = 'general-llm';

  it('is none at first, and the models for reading take its place', async () => {
    await put('llm-providers', [{ id: 'builtin', type: 'builtin', name: 'Hearth' }]);
    expect(await get(general)).toMatchObject({ type: null, configured: false, available: false, timeout: 120 });
    await put('llm-providers', [ollama()]);
    expect(await get(general)).toMatchObject({ configured: false, available: true });
  });

  it('is counted in sums of a month by purpose, without words of anybody', async () => {
    await put('llm-providers', [ollama({ price_in: 2, price_out: 10, price_currency: 'CHF' })]);
    const tests = async () =>
      (await get('model-usage')).uses.find(
        ({ purpose, currency }: { purpose: string; currency: string }) => purpose === 'trial' && currency === 'CHF',
      );
    expect(await tests()).toBeUndefined();
    const [{ id }] = await get('llm-providers');
    for (let time = 0; time < 2; time += 1) expect(await test('llm', { provider_id: id })).toMatchObject({ ok: true });
    // Two answers of 11 and 7 tokens.
    expect(await tests()).toEqual({
      ...{ purpose: 'trial', provider: 'Laptop', answers: 2, tokens_in: 22, tokens_out: 14 },
      ...{ amount: 184e-6, currency: 'CHF' },
    });
    service.behave = () => ({ does: 'fail', status: 500 });
    await test('llm', { provider_id: id });
    expect((await tests()).answers).toBe(2);
    await put('llm-providers', [ollama()]);
  });

  it('is chosen with a credential, keeps its key, and is tested like a reader', async () => {
    await put('vision-providers', []);
    await put('credentials', [{ id: 'cred-b', type: 'ollama', name: 'Attic', base_url: service.url, max_retries: 0 }]);
    const chosen = { type: 'ollama', model: 'gemma3', credential_id: 'cred-b', api_key: KEY };
    expect((await put(general, chosen)).body).toEqual({ status: 'saved' });
    expect((await put(general, { ...chosen, api_key: '' })).status).toBe(200);
    const saved = await get(general);
    expect(saved).toMatchObject({ model: 'gemma3', configured: true, has_api_key: true, reach: 'this-computer' });
    expect(JSON.stringify(saved)).not.toContain(KEY);
    expect(await test('llm', { provider_id: 'general-llm' })).toMatchObject({ ok: true });
    expect(service.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(await get('credentials')).toMatchObject([{ references: { general: 1, total: 1 } }]);
    expect((await put('credentials', [])).body.code).toBe('provider.credential_in_use');
    expect((await put(general, { ...chosen, credential_id: 'none' })).body.code).toBe('provider.unknown_credential');
    // A reply can be sent back as it came.
    expect((await put(general, saved)).status).toBe(200);
    await put(general, { type: null });
    expect(await get(general)).toMatchObject({ configured: false, has_api_key: false });
  });
});

describe('a test of a provider', () => {
  it('lets the built-in reader and engine read', async () => {
    await put('llm-providers', [{ id: 'builtin', type: 'builtin', name: 'Hearth' }]);
    expect(await test('llm', { provider_id: 'builtin' })).toMatchObject({ ok: true, detail: '4821' });
    expect(await test('ocr', { provider: { type: 'builtin', name: 'Hearth' } })).toMatchObject({ ok: true });
  });

  it('shows a picture to a vision model and to an OCR service', async () => {
    expect(await test('vision', { provider: ollama() })).toMatchObject({ ok: true, detail: '4821' });
    expect(service.received[0]?.body.messages[1].images[0]).toMatch(/^iVBOR/);
    service.behave = () => ({ does: 'answer', text: 'Ferritin 4821' });
    const google = { type: 'google_vision', name: 'Google', remote_url: service.url, google_vision_key: KEY };
    expect(await test('ocr', { provider: google })).toMatchObject({ ok: true, detail: '4821' });
    expect(service.received[1]?.headers['x-goog-api-key']).toBe(KEY);
  });

  it('lets a vision model recognize text, whose places a local engine finds', async () => {
    const cloud = await admin.call('PATCH', '/api/settings', { cloud_ocr_enabled: false });
    expect(cloud.status).toBe(200);
    await put('vision-providers', [ollama({ id: 'eyes', model: 'gemma3-vision' })]);
    const engine = { type: 'llm_vision', name: 'Eyes', llm_provider: 'eyes' };
    service.behave = () => ({ does: 'answer', text: JSON.stringify({ lines: ['Ferritin 4821'] }) });
    expect(await test('ocr', { provider: engine })).toMatchObject({ ok: true, detail: '4821' });
    const body = service.received[0]?.body;
    expect([body.model, body.messages[1].images[0].slice(0, 5)]).toEqual(['gemma3-vision', 'iVBOR']);
    expect((await put('ocr-providers', [engine, { type: 'tesseract', name: 'Tesseract' }])).status).toBe(200);
    expect(await get('ocr-providers')).toMatchObject([
      { type: 'llm_vision', llm_provider: 'eyes', llm_model: '', reach: 'this-computer' },
      { type: 'tesseract' },
    ]);
    // A model that is not there can't be used.
    expect(await test('ocr', { provider: { ...engine, llm_provider: 'gone' } })).toMatchObject({
      failure: { code: 'provider.no_model_name' },
    });
    // Outside of this computer, the switches for text recognition hold.
    await put('vision-providers', [{ id: 'eyes', type: 'claude', name: 'C', model: 'm', api_key: KEY }]);
    expect(await get('ocr-providers')).toMatchObject([{ reach: 'internet' }, {}]);
    service.received.length = 0;
    expect(await test('ocr', { provider: engine })).toMatchObject({ failure: { code: 'provider.stays_here' } });
    expect(service.received).toEqual([]);
    await put('ocr-providers', [{ type: 'tesseract', name: 'Tesseract' }]);
    await put('vision-providers', []);
  });

  it('names what a model in a file lacks', async () => {
    const local = { type: 'local', name: 'Own', model: 'gone.gguf' };
    expect(await test('llm', { provider: local })).toMatchObject({
      ok: false,
      failure: { code: 'provider.file_missing' },
    });
    writeFileSync(join(served.vault, 'models', 'broken.gguf'), 'GGUF');
    const { folder, models, free_bytes } = await get('local-models');
    expect([folder, models]).toEqual([join(served.vault, 'models'), [{ name: 'broken.gguf', size_bytes: 4 }]]);
    expect(free_bytes).toBeGreaterThan(1e6);
    const failed = await test('llm', { provider: { ...local, model: 'broken.gguf' } });
    expect(['provider.file_unreadable', 'provider.local_missing']).toContain(failed.failure.code);
    await put('llm-providers', [local]);
    expect(await get('llm-providers')).toMatchObject([{ type: 'local', model: 'gone.gguf', reach: 'this-computer' }]);
  });

  it('fills an empty key of an unsaved entry from the saved one', async () => {
    await put('llm-providers', [ollama({ id: 'k', api_key: KEY, base_url: 'http://127.0.0.1:9' })]);
    expect(await test('llm', { provider: ollama({ id: 'k', api_key: '' }) })).toMatchObject({ ok: true });
    expect(service.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  // Weak point 7 of the program that Hearth follows: errors had 300 characters of any reply.
  it('fails in the words of Hearth, without those of the service', async () => {
    service.behave = () => ({ does: 'fail', status: 401 });
    const answer = await test('llm', { provider: ollama() });
    expect(answer).toMatchObject({
      ok: false,
      failure: { code: 'provider.key_refused', params: { provider: 'Laptop' } },
    });
    expect(answer.error).toContain('Laptop');
    expect(JSON.stringify(answer)).not.toContain(FOREIGN_WORDS.slice(0, 8));
    service.behave = () => ({ does: 'answer', text: '{"number": 7}' });
    expect(await test('llm', { provider: ollama() })).toMatchObject({
      ok: false,
      failure: { code: 'provider.bad_answer' },
    });
  });

  it('never reaches Hearth itself or a metadata service', async () => {
    const own = await test('llm', { provider: ollama({ base_url: served.url }) });
    expect(own).toMatchObject({ ok: false, failure: { code: 'provider.own_address' } });
    const answer = await admin.call('POST', path('test-llm-provider'), {
      provider: ollama({ base_url: 'http://169.254.169.254/latest' }),
    });
    expect(answer.status).toBe(422);
  });

  it('sends nothing outside while nothing may leave this computer', async () => {
    await admin.call('PATCH', '/api/settings', { nothing_leaves: true });
    const outside = { type: 'openai', name: 'OpenAI', model: 'm', api_key: KEY };
    expect(await test('llm', { provider: outside })).toMatchObject({ failure: { code: 'provider.stays_here' } });
    expect(await test('llm', { provider: ollama() })).toMatchObject({ ok: true });
    await admin.call('PATCH', '/api/settings', { nothing_leaves: null });
  });

  it('of an unknown provider says so', async () => {
    const answer = await admin.call('POST', path('test-llm-provider'), { provider_id: 'none' });
    expect([answer.status, answer.body.code]).toEqual([404, 'provider.not_found']);
  });
});
