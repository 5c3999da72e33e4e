/** @module-tag long */
import { expect } from 'vitest';
import { startModelService, type ModelService } from '../fakes/model-service.ts';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { scanned } from '../support/sample-documents.ts';

/** The text of a scan is recognized by a vision model that is set up as an administrator would. */

const LINES = [
  'Klinik Hirslanden',
  'Patientin: Elena Keller',
  'Eintritt am 10.11.2025',
  'Diagnose: Meniskusriss links',
];
let person: Client, service: ModelService, id: number;

const set = (settings: object) => person.call('PATCH', '/api/settings', settings);
const read = async (lines: readonly string[]) => {
  service.received.length = 0;
  service.behave = () => ({ does: 'answer', text: JSON.stringify({ lines }) });
  await person.post(`/api/documents/${id}/reprocess`, { mode: 'ocr' });
  await person.idle();
  return (await person.get(`/api/documents/${id}`)).body;
};
const reasonOf = async (): Promise<string> =>
  (await person.get(`/api/documents/${id}/stages`)).body.events
    .filter(({ stage }: { stage: string }) => stage === 'ocr')
    .at(-1).message;

test.beforeAll(async ({ served }) => {
  service = await startModelService(() => ({ does: 'stall' }));
  person = new Client(served.url);
  await person.setup();
  const eyes = { id: 'eyes', type: 'ollama', name: 'Eyes', model: 'gemma3', base_url: service.url };
  expect((await person.call('PUT', '/api/settings/vision-providers', [eyes])).status).toBe(200);
  id = (await person.upload(await scanned(LINES), 'scan.png')).body.document_id;
  await person.idle();
});
test.afterAll(() => service.close());

test('the words are those of the model, at the places that the local engine found', async () => {
  expect((await set({ ocr_engine: 'llm_vision' })).status).toBe(200);
  const document = await read(LINES.map((line) => line.replace('Meniskusriss', 'Meniskusriß')));
  expect(document).toMatchObject({
    ocr_engine: 'llm_vision ollama gemma3',
    ocr_text: expect.stringContaining('Meniskusriß'),
  });
  expect(service.received).toHaveLength(1);
  expect(service.received[0]?.body.messages[1].images[0]).toMatch(/^iVBOR/);
  const [page] = (await person.get(`/api/documents/${id}/pages`)).body.pages;
  const [first, last] = ['Hirslanden', 'Meniskusriß'].map((text) =>
    page.words.find(([word]: [string]) => word === text),
  );
  // Text and place: [text, x, y, w, h].
  expect(last[2]).toBeGreaterThan(first[2]);
});

test('a page that the model did not read is read by the local engine, with the reason in the stage', async () => {
  const document = await read(['The image shows a letter from a hospital.', 'I can’t read more of it.']);
  expect(document.ocr_engine).not.toContain('llm_vision');
  expect(document.ocr_text).toContain('Hirslanden');
  expect(document.ocr_text).not.toContain('image shows');
  expect(await reasonOf()).toContain('Vision model');
  expect((await read(['wort '.repeat(2500)])).ocr_text).toContain('Hirslanden');
});

test('another model and address can be named, and nothing is sent outside of this computer', async () => {
  await set({ llm_vision_model: 'other-eyes', llm_vision_ollama_url: service.url });
  await read(LINES);
  expect(service.received[0]?.body.model).toBe('other-eyes');
  const far = {
    id: 'far',
    type: 'openai',
    name: 'Far',
    model: 'm',
    base_url: 'https://models.example.org',
    api_key: 'k',
  };
  await person.call('PUT', '/api/settings/vision-providers', [far]);
  await set({ cloud_ocr_enabled: true, nothing_leaves: true, llm_vision_ollama_url: '', llm_vision_provider: 'far' });
  const document = await read(LINES);
  expect(document.ocr_text).toContain('Hirslanden');
  expect(service.received).toEqual([]);
  expect(await reasonOf()).toContain('outside this computer');
});
