import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src-main/platform/config/config.ts';
import { createLocalModels } from '../../src-main/reading/providers/local/local-models.ts';
import { createGeneralModel } from '../../src-main/reading/providers/models/general.ts';
import type { ProviderEntry } from '../../src-main/reading/providers/entries.ts';
import { createServices } from '../../src-main/reading/providers/services.ts';
import { startModelService, type Behavior, type ModelService } from '../fakes/model-service.ts';
import { openSampleRecord, type SampleRecord } from '../support/sample-record.ts';
import { testClock } from '../support/vault.ts';

const { signal } = new AbortController();
let service: ModelService, sample: SampleRecord;

beforeAll(async () => {
  service = await startModelService(() => ({ does: 'stall' }));
  const config = {
    ...{ 'privacy.nothing_leaves': false, 'ocr.cloud_ocr_enabled': true, 'llm.extraction_timeout': 300 },
    ...{ 'llm.max_concurrent_requests': 2, 'llm.max_retries': 0, 'llm.retry_backoff_seconds': [1] },
  };
  const local = createLocalModels({ clock: testClock(), folder: '' });
  const services = createServices({
    config: config as unknown as Config,
    clock: testClock(),
    ownPorts: () => [],
    local,
  });
  const chosen: ProviderEntry = {
    ...{ id: 'm', type: 'ollama', name: 'm', enabled: true, apiKey: '', model: 'm', timeoutSeconds: null },
    ...{ baseUrl: service.url, credential: null, price: { input: 2, output: 10, currency: 'EUR' } },
  };
  sample = await openSampleRecord(
    createGeneralModel({ services, lists: { entries: () => [], embedding: () => null, general: () => chosen } }),
  );
});
afterAll(async () => {
  sample.remove();
  await service.close();
});
beforeEach(() => void (service.received.length = 0));

const says = (...behaviors: Behavior[]): void => {
  const rest = [...behaviors];
  service.behave = () => (rest.length > 1 ? rest.shift() : rest[0]) ?? { does: 'stall' };
};
const answer = (text: string): Behavior => ({ does: 'answer', text });
const CALL = { names: [], from: null, to: null, pick: null, shape: null, document_type: null };
const calls = (...chosen: object[]): Behavior =>
  answer(JSON.stringify({ calls: chosen.map((one) => ({ ...CALL, ...one })) }));
const ask = (of: string, message: string) =>
  sample.ask.ask({ patient_id: sample.idOf(of), message, language: 'en' }, sample.user, { signal });
const sent = (): string => JSON.stringify(service.received.map(({ body }) => body));

describe('with a model', () => {
  it('the model chooses functions, and words what they found with its sources', async () => {
    says(
      calls({ tool: 'results', names: ['TSH'], pick: 'last' }, { tool: 'medicines_now' }),
      answer('The thyroid value is normal: TSH 1.9 mU/L on 12 May 2026 [1]. She takes Euthyrox 75 µg [2].'),
    );
    const { response, sources, by_model, usage } = await ask('Claire', 'Is my TSH fine?');
    // Two answers of 11 and 7 tokens.
    const used = { provider: 'm', tokens_in: 22, tokens_out: 14, amount: 184e-6, currency: 'EUR' };
    expect(usage).toEqual(used);
    const query = { patient_id: sample.idOf('Claire') };
    expect(sample.ask.list(query, sample.user).messages.map((one) => one.usage)).toEqual([null, used]);
    expect(by_model).toBe(true);
    expect(response).toBe(
      'The thyroid value is normal: TSH 1.9 mU/L on 12 May 2026 [1].\nShe takes Euthyrox 75 µg [2].',
    );
    expect(sources.map(({ number, id }) => [number, sample.filenameOf(id)])).toEqual([
      [1, 'analyses_2026.pdf'],
      [2, 'ordonnance_2026.pdf'],
    ]);
  });

  it('a figure that the record does not have is left out, and the answer says so', async () => {
    says(
      calls({ tool: 'results', names: ['TSH'], pick: 'last' }),
      answer('TSH was 1.90 mU/L on 12 May 2026 [1]. It was 99 in 2017 [1]. See also [42].'),
    );
    const { response } = await ask('Claire', 'TSH?');
    expect(response).toContain('TSH was 1.90 mU/L on 12 May 2026 [1].');
    expect(response).not.toMatch(/99|42/);
    expect(response).toContain('2 sentences of the model were left out');
  });

  it('an answer of which nothing is supported, a failure, and nonsense give the answer without a model', async () => {
    for (const behaviors of [
      [calls({ tool: 'stays' }), answer('Everything is fine, 100 %.')],
      [{ does: 'fail', status: 500 } as Behavior],
      [answer('no JSON'), answer('no JSON'), answer('still nonsense [9]')],
    ]) {
      says(...behaviors);
      const { response, by_model } = await ask('Claire', 'What was the last TSH?');
      expect(by_model).toBe(false);
      expect(response).toContain('1.90 mU/L on 12 May 2026 [1]');
    }
  });

  it('is given rows of one person only, whatever it chooses', async () => {
    says(
      calls({ tool: 'passages', names: ['Rivaroxaban', 'Rosa', 'HbA1c'] }, { tool: 'documents', names: ['Rosa'] }),
      answer('Nothing.'),
    );
    await ask('Claire', 'What was the last TSH?');
    expect(service.received.length).toBe(2);
    for (const word of ['Metformin', 'Coxartrosi', 'Castelrivo', 'Erdnuss', 'Birkenhof'])
      expect(sent()).not.toContain(word);
  });

  it('is not asked about another person of the household', async () => {
    says(answer('x'));
    expect((await ask('Claire', 'What is Daniel’s cholesterol?')).by_model).toBe(false);
    expect(service.received).toEqual([]);
  });

  it('sentences are passed on while they are written, each once the record supports it', async () => {
    const seen: string[] = [];
    const follow = (message: string) =>
      sample.ask.ask({ patient_id: sample.idOf('Claire'), message, language: 'en' }, sample.user, {
        signal,
        onText: (text) => seen.push(text),
      });
    says(
      calls({ tool: 'results', names: ['TSH'], pick: 'last' }),
      answer('TSH was 1.90 mU/L on 12 May 2026 [1]. It was 99 in 2017 [1]. Ask your physician about it. The end.'),
    );
    const { response } = await follow('Is my TSH fine?');
    const first = 'TSH was 1.90 mU/L on 12 May 2026 [1].';
    expect(seen.at(-1)).toBe(`${first}\nAsk your physician about it.`);
    expect(seen.every((text) => response.startsWith(text) && !text.includes('99'))).toBe(true);
    // The model breaks off: what was shown is replaced by the answer without it.
    seen.length = 0;
    says(calls({ tool: 'results', names: ['TSH'], pick: 'last' }), { does: 'cut', text: `${first} And that is` });
    expect((await follow('Is my TSH fine?')).by_model).toBe(false);
  });

  it('a question that is stopped ends the request to the model, and is not kept', async () => {
    says({ does: 'stall' });
    const rows = (): unknown => sample.db.prepare('SELECT count(*) FROM chat_messages').pluck().get();
    const before = rows();
    const stop = new AbortController();
    const asked = { patient_id: sample.idOf('Claire'), message: 'Is my TSH fine?' };
    const answered = sample.ask.ask(asked, sample.user, { signal: stop.signal });
    await expect.poll(() => service.open()).toBe(1);
    stop.abort();
    await expect(answered).rejects.toMatchObject({ code: 'chat.stopped' });
    await service.quiet();
    expect(service.received).toHaveLength(1);
    expect(rows()).toBe(before);
  });
});
