import type { CoreLanguage } from '../../src-shared/contract/core-languages.ts';
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { startModelService } from '../fakes/model-service.ts';
import { connectAssistant, type Assistant } from '../support/assistant.ts';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';

let house: Household;
let owner: Client;
let patient: number;

const test = base.override('serveOptions', WITHOUT_INBOX);
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});
test.beforeEach(() => {
  patient = house.make.patient();
  house.make.use(patient);
});

const run = (sql: string, ...values: (string | number | Buffer | null)[]): number =>
  Number(house.db.prepare(sql).run(...values).lastInsertRowid);

/** A result on a page of its own document. */
function plantResult(value: string, date: string): number {
  const id = house.make.document({ file: false });
  const words = ['Ferritin', value, 'µg/L'].map((text, index) => ({
    ...{ text, x: 0.1 + 0.2 * index, y: 0.3, w: 0.1, h: 0.02, confidence: 1 },
  }));
  const page = { page: 1, width: 595, height: 842, turn: 0, toDisplay: null, source: 'text_layer', words };
  run('DELETE FROM document_pages WHERE document_id = ?', id);
  run(
    'INSERT INTO document_pages (document_id, page, data) VALUES (?, 1, ?)',
    id,
    gzipSync(JSON.stringify({ ...page, text: `Ferritin ${value}`, confidence: 1 })),
  );
  run(
    `INSERT INTO lab_results (document_id, patient_id, test_name_original, value, value_text, unit, test_date, evidence)
    VALUES (?, ?, 'Ferritin', ?, ?, 'µg/L', ?, ?)`,
    ...[id, patient, Number(value.replace(',', '.')), value, date],
    JSON.stringify({ page: 1, bbox: [0.1, 0.29, 0.6, 0.04], confidence: 1 }),
  );
  return id;
}

const ask = async (message: string, by = owner, language?: CoreLanguage) =>
  (await by.post('/api/chat', { patient_id: patient, message, ...(language && { language }) })).body;
const history = async (by = owner) => (await by.get(`/api/chat/history?patient_id=${patient}`)).body.messages;

test('a record without papers says so and how to begin, in the language of the question', async () => {
  const suggested = async () => (await owner.get(`/api/chat/suggestions?patient_id=${patient}`)).body;
  expect(await suggested()).toMatchObject({ questions: [], has_papers: false });
  for (const question of ['What was the last ferritin?', 'Which medicines now?', 'Anything about skiing?'])
    expect((await ask(question)).response).toMatch(/^This record has no papers yet\. Add documents/);
  expect((await ask('Welche Medikamente zurzeit?')).response).toContain('noch keine Unterlagen');
  plantResult('8,90', '2024-02-03');
  expect(await suggested()).toMatchObject({ has_papers: true });
  expect((await ask('Which medicines now?')).response).not.toContain('no papers');
});

test('an answer cites the document, the page, the printed words and their place', async () => {
  plantResult('8,90', '2024-02-03');
  const document = plantResult('12,5', '2025-04-05');
  const { response, sources } = await ask('What was the last ferritin?');
  expect(response).toBe('Ferritin: 12.5 µg/L on 5 April 2025 [1]');
  expect(sources).toEqual([
    expect.objectContaining({
      ...{ number: 1, id: document, page: 1, quote: 'Ferritin 12,5 µg/L', bbox: [0.1, 0.29, 0.6, 0.04] },
      value: expect.stringMatching(/^lab:\d+$/),
      filename: expect.any(String),
    }),
  ]);
});

test('the language of the question decides, and without one that of the caller', async () => {
  plantResult('12,5', '2025-04-05');
  expect((await ask('Wie hoch war das letzte Ferritin?', owner, 'en')).response).toContain('5. April 2025');
  expect((await ask('Ferritin', owner, 'de')).response).toContain('12,5 µg/L am 5. April 2025');
  expect((await ask('Ferritin', owner, 'en')).response).toContain('12.5 µg/L on 5 April 2025');
});

test('history is of one user and one patient', async () => {
  plantResult('12,5', '2025-04-05');
  await ask('Ferritin');
  const first = await history();
  expect(first.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);
  expect(first[1]).toMatchObject({ content: expect.stringContaining('12.5'), sources: [{ number: 1, page: 1 }] });
  expect(await history(house.as('viewer'))).toEqual([]);
  const own = patient;
  patient = house.make.patient();
  expect(await history()).toEqual([]);
  const { messages } = (await owner.get('/api/chat/history')).body;
  expect(messages.filter((message: { patient_id: number }) => message.patient_id === own)).toHaveLength(2);
});

test('a cleared history can be restored, once, and is deleted with the next', async () => {
  await ask('first');
  const url = `/api/chat/history?patient_id=${patient}`;
  const clear = async () => (await owner.call('DELETE', url)).body;
  const restore = async () => (await owner.call('POST', url.replace('?', '/restore?'))).body;
  expect(await clear()).toEqual({ cleared: 2 });
  expect(await history()).toEqual([]);
  // Clearing again what is empty keeps what can be restored.
  expect(await clear()).toEqual({ cleared: 0 });
  expect(await restore()).toEqual({ restored: 2 });
  expect(await history()).toHaveLength(2);
  expect(await restore()).toEqual({ restored: 0 });
  await clear();
  await ask('second');
  await clear();
  expect(await restore()).toEqual({ restored: 2 });
  expect((await history())[0].content).toBe('second');
});

test('an answer from a document that left the record is withdrawn', async () => {
  const document = plantResult('12,5', '2025-04-05');
  await ask('Ferritin');
  expect((await history())[1].is_withdrawn).toBe(false);
  run('UPDATE documents SET patient_id = ? WHERE id = ?', house.make.patient(), document);
  expect((await history())[1]).toMatchObject({ content: '', sources: [], is_withdrawn: true });
});

test('a client that accepts events gets the sentences of a model, and then the reply', async () => {
  plantResult('12,5', '2025-04-05');
  const sentence = 'Ferritin was 12.5 on 5 April 2025 [1].';
  const call = { tool: 'results', names: [], from: null, to: null, pick: 'last', shape: null, document_type: null };
  const answers = [JSON.stringify({ calls: [call] }), `${sentence} It is written in one paper. And 99 more [1].`];
  const service = await startModelService(() => ({ does: 'answer', text: answers.shift() ?? '' }));
  const admin = house.as('admin');
  const providers = (list: object[]) => admin.call('PUT', '/api/settings/llm-providers', list);
  try {
    await providers([{ id: 'm', type: 'ollama', name: 'M', model: 'm', base_url: service.url }]);
    const body = { patient_id: patient, message: 'What was the last ferritin?' };
    const follow = (asked: object) =>
      fetch(`${owner.url}/api/chat`, {
        method: 'POST',
        headers: {
          ...{ accept: 'text/event-stream', 'content-type': 'application/json', cookie: owner.cookie },
          'x-requested-with': 'XMLHttpRequest',
        },
        body: JSON.stringify(asked),
      });
    const events = (await (await follow(body)).text())
      .trim()
      .split('\n\n')
      .map((event) => /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [])
      .map(([, name, data = '']) => ({ name, data: JSON.parse(data) as { text?: string; response?: string } }));
    expect(events.slice(0, -1).every(({ name, data }) => name === 'part' && !data.text?.includes('99'))).toBe(true);
    expect(events.at(-2)?.data.text).toContain(sentence);
    expect(events.at(-1)).toMatchObject({ name: 'reply', data: { by_model: true, sources: [{ number: 1 }] } });
    const refused = await follow({ ...body, message: '' });
    expect([refused.status, await refused.json()]).toEqual([422, expect.objectContaining({ code: 'request.invalid' })]);
  } finally {
    await providers([{ id: 'builtin', type: 'builtin', name: 'Hearth' }]);
    await service.close();
  }
});

test('who loses a record while a model writes gets no word of it, nor who deletes it', async () => {
  plantResult('12,5', '2025-04-05');
  const call = { tool: 'results', names: [], from: null, to: null, pick: 'last', shape: null, document_type: null };
  const admin = house.as('admin');
  const providers = (list: object[]) => admin.call('PUT', '/api/settings/llm-providers', list);
  let release: () => void = () => undefined;
  let answered = 0;
  const service = await startModelService(() => {
    answered += 1;
    if (answered % 2 === 1) return { does: 'answer', text: JSON.stringify({ calls: [call] }) };
    const pause = new Promise<void>((resolve) => (release = resolve));
    return { does: 'answer', text: 'Ferritin was 12.5 on 5 April 2025 [1].', pause };
  });
  const whileWriting = async (meanwhile: () => unknown) => {
    const until = answered + 2;
    const asked = fetch(`${owner.url}/api/chat`, {
      method: 'POST',
      headers: {
        ...{ accept: 'text/event-stream', 'content-type': 'application/json', cookie: owner.cookie },
        'x-requested-with': 'XMLHttpRequest',
      },
      body: JSON.stringify({ patient_id: patient, message: 'What was the last ferritin?' }),
    });
    await expect.poll(() => answered).toBe(until);
    await meanwhile();
    release();
    return (await asked).text();
  };
  try {
    await providers([{ id: 'm', type: 'ollama', name: 'M', model: 'm', base_url: service.url }]);
    expect(await whileWriting(() => undefined)).toContain('12.5');
    const lost = await whileWriting(() => run('DELETE FROM patient_access WHERE patient_id = ?', patient));
    expect([lost.includes('12.5'), lost.includes('auth.forbidden')]).toEqual([false, true]);
    expect(house.db.prepare('SELECT count(*) FROM chat_messages WHERE patient_id = ?').pluck().get(patient)).toBe(2);
    patient = house.make.patient();
    house.make.use(patient);
    plantResult('12,5', '2025-04-05');
    const gone = await whileWriting(() => owner.call('DELETE', `/api/patients/${patient}`));
    expect([gone.includes('12.5'), gone.includes('patient.not_found')]).toEqual([false, true]);
  } finally {
    await providers([{ id: 'builtin', type: 'builtin', name: 'Hearth' }]);
    await service.close();
  }
});

describe('an assistant beside the running program', () => {
  let assistant: Assistant;
  test.beforeAll(async ({ served }) => {
    assistant = await connectAssistant(served.vault);
  });
  test.afterAll(() => assistant.close());
  const settingOf = async (by: Client) =>
    (await by.get('/api/assistants')).body.people.find((one: { patient_id: number }) => one.patient_id === patient);
  const read = () => assistant.call('results', { person: String(patient) });

  test('reads a record from the moment an owner allows it until the moment one ends it', async () => {
    plantResult('12,5', '2025-04-05');
    expect((await read()).isError).toBe(true);
    const allowed = await owner.call('PUT', `/api/assistants/patients/${patient}`);
    expect([allowed.status, allowed.body]).toEqual([
      ...[200, expect.objectContaining({ patient_id: patient, is_allowed: true, may_change: true })],
    ]);
    expect((await read()).body.rows).toMatchObject([{ value: '12,5', source: { quote: 'Ferritin 12,5 µg/L' } }]);
    expect(await settingOf(house.as('viewer'))).toMatchObject({ is_allowed: true, may_change: false });
    await owner.call('DELETE', `/api/assistants/patients/${patient}`);
    expect((await read()).isError).toBe(true);
    expect(await settingOf(owner)).toMatchObject({ is_allowed: false, allowed_by: null, allowed_at: null });
  });

  test('loses a record with the right of the owner who allowed it, and with the patient', async () => {
    plantResult('12,5', '2025-04-05');
    await owner.call('PUT', `/api/assistants/patients/${patient}`);
    run("UPDATE patient_access SET role = 'viewer' WHERE patient_id = ?", patient);
    expect((await read()).isError).toBe(true);
    expect(await settingOf(owner)).toMatchObject({ is_allowed: false, may_change: false });
    run("UPDATE patient_access SET role = 'owner' WHERE patient_id = ?", patient);
    expect((await read()).isError).toBe(false);
    expect((await owner.call('DELETE', `/api/patients/${patient}`)).status).toBe(200);
    expect((await read()).isError).toBe(true);
  });

  test('is named in the audit log, where administrators see no word of the record', async () => {
    plantResult('12,5', '2025-04-05');
    await owner.call('PUT', `/api/assistants/patients/${patient}`);
    await assistant.call('passages', { person: String(patient), names: ['Ferritin'] });
    const { body } = await house.as('admin').get('/api/settings/audit-log?action=assistant.allow,assistant.read');
    const own = body.items.filter((entry: { resource_id: string }) => entry.resource_id === String(patient));
    expect(own).toMatchObject([
      {
        action: 'assistant.read',
        username: 'owner-user',
        details: { tool: 'passages', program: 'test assistant 1.0' },
      },
      { action: 'assistant.allow', username: 'owner-user' },
    ]);
    expect(JSON.stringify(own)).not.toContain('Ferritin');
  });

  test('is started by the program that the page names', async ({ served }) => {
    const { program } = (await owner.get('/api/assistants')).body;
    expect(program).toEqual({
      command: process.execPath,
      args: [expect.stringMatching(/cli\.js$/), 'mcp', '--vault', served.vault],
      env: {},
    });
    expect(existsSync(program.args[0])).toBe(true);
  });
});
