import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  FOREIGN_WORDS,
  startModelService,
  type Behavior,
  type ModelService,
} from '../../../test/fakes/model-service.ts';
import { testClock, type TestClock } from '../../../test/support/vault.ts';
import type { Config } from '../../platform/config/config.ts';
import type { ProviderEntry } from './entries.ts';
import type { ModelRequest } from './models/model.ts';
import { createLocalModels } from './local/local-models.ts';
import { createServices, type Services } from './services.ts';

const ANSWER = JSON.stringify({ number: 4821, text: 'Ferritin, gemessen am 12.11.2025' });
const REQUEST: ModelRequest = {
  purpose: 'reading',
  system: 'Read.',
  user: 'Ferritin 4821',
  schemaName: 'result',
  schema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  maxTokens: 100,
};
const TYPES = ['ollama', 'vllm', 'openai', 'claude'] as const;

let service: ModelService, clock: TestClock, config: Record<string, unknown>, services: Services;
const ownPorts: number[] = [];
beforeAll(async () => {
  service = await startModelService(() => ({ does: 'answer', text: ANSWER }));
});
afterAll(() => service.close());
beforeEach(() => {
  clock = testClock();
  service.received.length = 0;
  ownPorts.length = 0;
  config = {
    'privacy.nothing_leaves': false,
    'ocr.cloud_ocr_enabled': true,
    'llm.extraction_timeout': 300,
    'llm.max_concurrent_requests': 2,
    'llm.max_retries': 3,
    'llm.retry_backoff_seconds': [30, 60, 120],
  };
  services = createServices({
    config: config as unknown as Config,
    clock,
    ownPorts: () => ownPorts,
    local: createLocalModels({ clock: testClock(), folder: '' }),
  });
});

const entryOf = (type: string, more: Partial<ProviderEntry> = {}): ProviderEntry => ({
  ...{ id: 'one', type, name: 'My model', enabled: true, apiKey: 'sk-mine', model: 'small', timeoutSeconds: null },
  baseUrl: type === 'openai' || type === 'vllm' ? `${service.url}/v1` : service.url,
  credential: null,
  ...more,
});
const ask = (entry: ProviderEntry, signal: AbortSignal = new AbortController().signal) =>
  services.ask('llm', entry, REQUEST, signal);
const behave = (...behaviors: Behavior[]): void => {
  const rest = [...behaviors];
  service.behave = () => (rest.length > 1 ? rest.shift() : rest[0]) ?? { does: 'stall' };
};
const noRetry = {
  credential: { id: 'c', baseUrl: '', apiKey: '', maxConcurrent: 2, maxRetries: 0, backoffSeconds: [1] },
};
/** Lets time pass until a promise is settled. */
async function inTime<T>(work: Promise<T>, stepMs: number = 10_000): Promise<T> {
  let isSettled = false;
  const end = work.finally(() => (isSettled = true));
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(stepMs);
  }
  return end;
}

describe.each(TYPES)('a model behind the interface of %s', (type) => {
  it('answers with the text that was streamed, and the tokens', async () => {
    behave({ does: 'answer', text: ANSWER });
    expect(await ask(entryOf(type))).toEqual({
      ok: true,
      value: { text: ANSWER, isCut: false, tokensIn: 11, tokensOut: 7 },
    });
    const [request] = service.received;
    expect(request?.raw).toContain('"number"');
    expect(request?.body).toMatchObject({ model: 'small', stream: true });
    const key = request?.headers['x-api-key'] ?? request?.headers.authorization;
    expect(key).toMatch(/^(Bearer )?sk-mine$/);
  });

  it('says that an answer is cut off at the limit of tokens', async () => {
    behave({ does: 'stop_at_limit', text: ANSWER.slice(0, 20) });
    expect(await ask(entryOf(type))).toMatchObject({ ok: true, value: { text: ANSWER.slice(0, 20), isCut: true } });
  });

  it.each([
    [401, 'provider.key_refused', 1],
    [404, 'provider.model_missing', 1],
    [400, 'provider.refused', 1],
    [413, 'provider.too_large', 1],
    [408, 'provider.failed', 4],
    [429, 'provider.busy', 4],
    [500, 'provider.failed', 4],
    [529, 'provider.busy', 4],
  ])('turns status %i into %s after %i requests, without a word of the service', async (status, code, requests) => {
    behave({ does: 'fail', status });
    const outcome = await inTime(ask(entryOf(type)));
    expect(outcome).toMatchObject({ ok: false, code, params: { provider: 'My model' } });
    expect(service.received).toHaveLength(requests);
    expect(JSON.stringify(outcome)).not.toContain(FOREIGN_WORDS.slice(0, 8));
  });

  it('waits as long as Retry-After says, and then asks again', async () => {
    behave({ does: 'fail', status: 429, headers: { 'retry-after': '7' } }, { does: 'answer', text: ANSWER });
    const began = clock.now();
    const outcome = await inTime(ask(entryOf(type)), 1000);
    expect(outcome.ok).toBe(true);
    expect(service.received).toHaveLength(2);
    expect(clock.now() - began).toBeGreaterThanOrEqual(7000);
    expect(clock.now() - began).toBeLessThan(30_000);
  });

  it.each([
    ['broken JSON', { does: 'break_json' }],
    ['a connection that is cut in the middle', { does: 'cut', text: ANSWER }],
  ] as [string, Behavior][])('never takes %s for an answer', async (_, behavior) => {
    behave(behavior);
    const printed = (['log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level));
    const outcome = await ask(entryOf(type, noRetry));
    // What a model writes is about a patient, so that no client may print it.
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(outcome).toMatchObject({ ok: false, params: { provider: 'My model' } });
    expect(['provider.unreachable', 'provider.bad_answer']).toContain((outcome as { code: string }).code);
  });

  it('gives up a request that stalls, and ends it', async () => {
    behave({ does: 'stall' });
    const work = ask(entryOf(type, noRetry));
    await expect.poll(() => service.received.length).toBe(1);
    expect(await inTime(work, 301_000)).toMatchObject({ ok: false, reason: 'too_slow', code: 'provider.too_slow' });
    await service.quiet();
  });

  it('ends the request when it is cancelled', async () => {
    behave({ does: 'stall' });
    const controller = new AbortController();
    const work = ask(entryOf(type), controller.signal);
    await expect.poll(() => service.open()).toBe(1);
    controller.abort();
    expect(await work).toMatchObject({ ok: false, reason: 'cancelled' });
    await service.quiet();
  });
});

describe('the gate of a credential', () => {
  it('never has more requests open than allowed, whichever provider asks', async () => {
    const before = service.mostOpen();
    const shared = { ...noRetry.credential, maxConcurrent: 3 };
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    service.behave = async () => (await gate, { does: 'answer', text: ANSWER });
    const work = Array.from({ length: 12 }, (_, index) =>
      ask(entryOf(TYPES[index % 2] ?? 'ollama', { id: `p${index}`, credential: shared })),
    );
    await expect.poll(() => service.open()).toBe(3);
    expect(services.counts()).toEqual([{ id: 'c', running: 3, waiting: 9 }]);
    release();
    expect((await Promise.all(work)).every(({ ok }) => ok)).toBe(true);
    expect(service.mostOpen()).toBeLessThanOrEqual(Math.max(3, before));
    expect(services.counts()).toEqual([{ id: 'c', running: 0, waiting: 0 }]);
  });

  it('begins no waiting request before the pause that the service asked for is over', async () => {
    behave(
      { does: 'fail', status: 429, headers: { 'retry-after': '40' } },
      { does: 'fail', status: 429, headers: { 'retry-after': '40' } },
      { does: 'answer', text: ANSWER },
    );
    const times: number[] = [];
    const { behave: next } = service;
    service.behave = (request) => (times.push(clock.now()), next(request));
    const began = clock.now();
    const work = Promise.all(Array.from({ length: 6 }, () => ask(entryOf('ollama'))));
    await expect.poll(() => times.length).toBe(2);
    expect((await inTime(work, 1000)).every(({ ok }) => ok)).toBe(true);
    expect(times).toHaveLength(8);
    expect(times.slice(2).filter((moment) => moment < began + 40_000)).toEqual([]);
  });

  // Weak point 21 of the program that Hearth follows: cancelled requests kept their slots.
  it('loses no slot when 1000 requests are cancelled, running or waiting', async () => {
    behave({ does: 'stall' });
    const entry = entryOf('ollama', noRetry);
    for (let round = 0; round < 10; round += 1) {
      const controller = new AbortController();
      const work = Array.from({ length: 100 }, () => ask(entry, controller.signal));
      await expect.poll(() => service.open()).toBe(2);
      controller.abort();
      expect((await Promise.all(work)).every((outcome) => !outcome.ok && outcome.reason === 'cancelled')).toBe(true);
      await service.quiet();
    }
    expect(services.counts()).toEqual([{ id: 'c', running: 0, waiting: 0 }]);
    behave({ does: 'answer', text: ANSWER });
    expect((await Promise.all([ask(entry), ask(entry)])).every(({ ok }) => ok)).toBe(true);
  });

  it('tries a service that is down once only, until its first pause is over', async () => {
    const down = entryOf('ollama', { baseUrl: 'http://127.0.0.1:9' });
    const first = clock.now();
    expect(await inTime(ask(down))).toMatchObject({ code: 'provider.unreachable' });
    expect(clock.now() - first).toBeGreaterThanOrEqual(210_000);
    const second = clock.now();
    expect(await ask(down)).toMatchObject({ code: 'provider.unreachable' });
    expect(clock.now()).toBe(second);
  });
});

describe('what may be called', () => {
  it('nothing leaves this computer while the switch is on, whatever is set up', async () => {
    config['privacy.nothing_leaves'] = true;
    behave({ does: 'answer', text: ANSWER });
    const outside = [
      entryOf('openai', { baseUrl: '' }),
      entryOf('claude', { baseUrl: '' }),
      entryOf('vllm', { baseUrl: 'http://192.168.1.5:8000/v1' }),
      entryOf('ollama', { baseUrl: '', credential: { ...noRetry.credential, baseUrl: 'https://models.example.org' } }),
    ];
    for (const entry of outside) expect(await ask(entry)).toMatchObject({ ok: false, code: 'provider.stays_here' });
    expect(await ask(entryOf('ollama'))).toMatchObject({ ok: true });
    expect(service.received).toHaveLength(1);
  });

  it('OCR outside this computer needs its own switch as well', async () => {
    config['ocr.cloud_ocr_enabled'] = false;
    const image = { pixels: new Uint8Array(4), width: 2, height: 2 };
    const read = (entry: ProviderEntry) =>
      services.readPage(entry, image, { languages: ['en'], signal: new AbortController().signal });
    const google = entryOf('google_vision', { baseUrl: '' });
    expect(await read(google)).toMatchObject({ ok: false, code: 'provider.stays_here' });
    expect(services.problemOf('ocr', google)).toMatchObject({ code: 'provider.stays_here' });
    behave({ does: 'answer', text: 'Ferritin 23' });
    expect(await read(entryOf('tesseract_remote'))).toMatchObject({ ok: true });
  });

  it('refuses metadata services, and ports of Hearth itself', async () => {
    ownPorts.push(Number(new URL(service.url).port));
    for (const baseUrl of [
      service.url,
      'http://169.254.169.254/',
      'http://[::ffff:169.254.169.254]',
      'http://example.org',
    ])
      expect(await ask(entryOf('ollama', { baseUrl }))).toMatchObject({ ok: false, code: 'provider.own_address' });
    expect(service.received).toHaveLength(0);
  });

  it('says what is missing before it asks', async () => {
    expect(await ask(entryOf('openai', { model: '' }))).toMatchObject({ code: 'provider.no_model_name' });
    expect(await ask(entryOf('claude', { apiKey: '' }))).toMatchObject({ code: 'provider.no_key' });
    expect(await ask(entryOf('local', { model: '' }))).toMatchObject({ code: 'provider.no_model_name' });
    expect(await ask(entryOf('local', { model: 'gone.gguf' }))).toMatchObject({
      ...{ code: 'provider.file_missing', reason: 'unconfigured' },
      params: { file: 'gone.gguf', provider: 'My model' },
    });
    expect(services.problemOf('ocr', entryOf('tesseract_remote', { baseUrl: '' }))).toMatchObject({
      code: 'provider.no_address',
    });
    expect(service.received).toHaveLength(0);
  });
});

describe.each(['google_vision', 'tesseract_remote'])('an OCR service: %s', (type) => {
  const read = () =>
    services.readPage(
      entryOf(type, noRetry),
      { pixels: new Uint8Array(1000 * 200).fill(255), width: 1000, height: 200 },
      { languages: ['de', 'en'], signal: new AbortController().signal },
    );
  it('returns the words with their boxes and confidence', async () => {
    behave({ does: 'answer', text: 'Ferritin 23 µg/L' });
    const outcome = await read();
    expect(outcome).toMatchObject({
      ok: true,
      value: { words: [{ text: 'Ferritin', x: 0.01, y: 0.1 }, { text: '23' }, {}] },
    });
    expect(outcome.ok && outcome.value.words[1]?.w).toBeCloseTo(0.09);
    expect(outcome.ok && outcome.value.words[0]?.confidence).toBeGreaterThan(0.95);
    expect(service.received[0]?.raw).toMatch(/"languageHints":\["de","en"\]|"languages":\["deu","eng"\]/);
  });
  it('does not take a broken answer for an empty page', async () => {
    behave({ does: 'break_json' });
    expect(await read()).toMatchObject({ ok: false, code: 'provider.bad_answer' });
  });
});
