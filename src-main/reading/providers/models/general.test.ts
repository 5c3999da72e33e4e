import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startModelService, type Behavior, type ModelService } from '../../../../test/fakes/model-service.ts';
import { testClock } from '../../../../test/support/vault.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { ProviderEntry } from '../entries.ts';
import type { FailedOutcome } from '../provider.ts';
import { createLocalModels } from '../local/local-models.ts';
import { createServices } from '../services.ts';
import { createGeneralModel, type GeneralModel } from './general.ts';

const FORM = z.object({ title: z.string() });
const REQUEST = { purpose: 'suggestion' as const, system: 'Name it.', user: 'a letter', maxTokens: 50 };
const { signal } = new AbortController();
let service: ModelService, general: GeneralModel, chosen: ProviderEntry | null, readers: ProviderEntry[];
let config: Record<string, unknown>;

const entry = (id: string, more: Partial<ProviderEntry> = {}): ProviderEntry => ({
  ...{ id, type: 'ollama', name: id, enabled: true, apiKey: 'k', model: id, timeoutSeconds: null },
  ...{ baseUrl: service.url, credential: null, ...more },
});
const says = (...behaviors: Behavior[]): void => {
  const rest = [...behaviors];
  service.behave = () => (rest.length > 1 ? rest.shift() : rest[0]) ?? { does: 'stall' };
};
const asked = (): string[] => service.received.map(({ body }) => body.model);

beforeAll(async () => {
  service = await startModelService(() => ({ does: 'stall' }));
});
afterAll(() => service.close());
beforeEach(() => {
  service.received.length = 0;
  chosen = null;
  readers = [];
  config = {
    ...{ 'privacy.nothing_leaves': false, 'ocr.cloud_ocr_enabled': true, 'llm.extraction_timeout': 300 },
    ...{ 'llm.max_concurrent_requests': 2, 'llm.max_retries': 0, 'llm.retry_backoff_seconds': [1] },
  };
  const services = createServices({
    config: config as unknown as Config,
    clock: testClock(),
    ownPorts: () => [],
    local: createLocalModels({ clock: testClock(), folder: '' }),
  });
  const lists = {
    entries: (kind: string) => (kind === 'llm' ? readers : []),
    general: () => chosen,
    embedding: () => null,
  };
  general = createGeneralModel({ services, lists });
});

describe.each(['ollama', 'vllm', 'openai', 'claude'])('a general model behind the interface of %s', (type) => {
  beforeEach(() => {
    chosen = entry('main', {
      type,
      baseUrl: type === 'ollama' || type === 'claude' ? service.url : `${service.url}/v1`,
    });
  });

  it('writes plain text, which arrives in parts', async () => {
    says({ does: 'answer', text: 'Ferritin was 48 µg/L in November.' });
    const parts: string[] = [];
    const answer = await general.write(REQUEST, { signal, onText: (text) => parts.push(text) });
    expect(answer).toMatchObject({
      ok: true,
      value: {
        value: { text: 'Ferritin was 48 µg/L in November.', isCut: false },
        model: `${type} main`,
        tokensOut: 7,
      },
    });
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.at(-1)).toBe('Ferritin was 48 µg/L in November.');
    expect(service.received[0]?.raw).not.toMatch(/"(schema|format|response_format|tools)":/);
  });

  it('answers in a form', async () => {
    says({ does: 'answer', text: '{"title":"Letter"}' });
    expect(await general.ask(FORM, REQUEST, { signal })).toMatchObject({
      ok: true,
      value: { value: { title: 'Letter' }, providerId: 'main' },
    });
    expect(service.received[0]?.raw).toContain('"title"');
  });
});

describe('the general model', () => {
  it('is asked once more for the form, and then the next one answers', async () => {
    chosen = entry('main');
    readers = [entry('second')];
    says(
      { does: 'answer', text: '{}' },
      { does: 'answer', text: '{"title":1}' },
      { does: 'answer', text: '{"title":"b"}' },
    );
    const passedOver: FailedOutcome[] = [];
    const answer = await general.ask(FORM, REQUEST, { signal, onPassedOver: (failure) => passedOver.push(failure) });
    expect(answer).toMatchObject({ ok: true, value: { providerId: 'second', value: { title: 'b' } } });
    expect(asked()).toEqual(['main', 'main', 'second']);
    expect(service.received[1]?.raw).toContain('did not have the required form at title');
    expect(passedOver).toMatchObject([{ code: 'provider.bad_answer', params: { provider: 'main' } }]);
  });

  it('without a choice is the first reader that is a model', async () => {
    readers = [entry('builtin', { type: 'builtin' }), entry('off', { enabled: false }), entry('on')];
    says({ does: 'answer', text: 'text' });
    expect(await general.write(REQUEST, { signal })).toMatchObject({ value: { providerId: 'on' } });
  });

  it('never gives way to one that sends data further', async () => {
    chosen = entry('main');
    readers = [entry('far', { type: 'openai', baseUrl: 'https://models.example.org' }), entry('near')];
    says({ does: 'fail', status: 500 });
    expect(await general.write(REQUEST, { signal })).toMatchObject({ ok: false, params: { provider: 'main' } });
    expect(asked()).toEqual(['main', 'near']);
  });

  it('asks the named one alone', async () => {
    chosen = entry('main');
    readers = [entry('a'), entry('b')];
    says({ does: 'fail', status: 500 });
    expect(await general.write(REQUEST, { signal, providerId: 'b' })).toMatchObject({ params: { provider: 'b' } });
    expect(asked()).toEqual(['b']);
  });

  it('is not available when none is set up, or what is set up may not be used', async () => {
    expect(general.isAvailable()).toBe(false);
    expect(await general.write(REQUEST, { signal })).toMatchObject({ ok: false, code: 'model.not_set_up' });
    chosen = entry('far', { type: 'openai', baseUrl: 'https://models.example.org' });
    expect(general.isAvailable()).toBe(true);
    config['privacy.nothing_leaves'] = true;
    expect(general.isAvailable()).toBe(false);
    expect(await general.write(REQUEST, { signal })).toMatchObject({ code: 'provider.stays_here' });
    expect(service.received).toEqual([]);
  });

  it('ends with the request', async () => {
    chosen = entry('main');
    readers = [entry('second')];
    says({ does: 'stall' });
    const controller = new AbortController();
    const answer = general.write(REQUEST, { signal: controller.signal });
    while (service.open() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await answer).toMatchObject({ ok: false, reason: 'cancelled' });
    await service.quiet();
    expect(asked()).toEqual(['main']);
  });
});
