import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

const KEYS = [
  'classification',
  'vision_extraction',
  'extraction_lab_test',
  'extraction_specialist_report',
  'extraction_prescription',
  'extraction_invoice',
  'extraction_discharge',
  'extraction_imaging_report',
  'extraction_surgical_report',
  'extraction_vaccination',
  'document_edit',
  'sql_generation',
  'chat_system',
  'link_suggestion',
  'page_classification',
  'translation_en',
];
let served: Served, admin: Client;
beforeAll(async () => {
  served = await serve();
  admin = new Client(served.url);
  await admin.setup();
});
afterAll(() => served.remove());

interface Prompt {
  key: string;
  description: string;
  text: string;
  default_text: string;
  is_custom: boolean;
  updated_at: string | null;
}
const list = async (): Promise<Prompt[]> => (await admin.get('/api/settings/prompts')).body;
const put = (key: string, text: unknown) => admin.call('PUT', `/api/settings/prompts/${key}`, { text });

describe('prompts', () => {
  it('have a text and a description each', async () => {
    const prompts = await list();
    expect(prompts.map(({ key }) => key)).toEqual(KEYS);
    for (const prompt of prompts) {
      expect(prompt).toMatchObject({ is_custom: false, updated_at: null, text: prompt.default_text });
      expect(prompt.text.length).toBeGreaterThan(200);
      expect(prompt.description).not.toBe('');
    }
    // Those that no model is given.
    expect(prompts.filter(({ description }) => description.startsWith('Has no effect')).map(({ key }) => key)).toEqual([
      'sql_generation',
    ]);
  });

  it('are changed, stored and reset', async () => {
    const {
      status,
      body: { ok, ...body },
    } = await put('chat_system', 'Answer in verse.');
    expect([status, ok, body]).toEqual([
      200,
      true,
      {
        key: 'chat_system',
        description: expect.any(String),
        text: 'Answer in verse.',
        default_text: expect.stringContaining('source'),
        is_custom: true,
        updated_at: expect.any(String),
      },
    ]);
    expect((await list()).filter(({ is_custom }) => is_custom)).toEqual([body]);
    const back = await admin.call('DELETE', '/api/settings/prompts/chat_system');
    expect([back.status, back.body.is_custom, back.body.text]).toEqual([200, false, body.default_text]);
    expect((await admin.call('DELETE', '/api/settings/prompts/chat_system')).status).toBe(200);
  });

  it('count as unchanged with their default text', async () => {
    const [first] = await list();
    await put('classification', 'Other.');
    expect((await put('classification', `${first?.default_text}\n`)).body).toMatchObject({
      is_custom: false,
      updated_at: null,
    });
  });

  it('reject empty and overlong texts and unknown keys', async () => {
    for (const text of ['', '  \n', 'x'.repeat(20_001), 7])
      expect((await put('classification', text)).status).toBe(422);
    for (const answer of [
      await put('other', 'x'),
      await put('__proto__', 'x'),
      await admin.call('DELETE', '/api/settings/prompts/other'),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'prompt.not_found']);
  });

  it('record in the audit log who changed which', async () => {
    const { items } = (await admin.get('/api/settings/audit-log?action=prompt.update,prompt.reset')).body;
    expect(items.at(-1)).toMatchObject({
      username: 'ann',
      action: 'prompt.update',
      resource_type: 'prompt',
      resource_id: 'chat_system',
    });
  });
});
