/** @module-tag long */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startModelService, type ModelService } from '../fakes/model-service.ts';
import { Client } from '../support/client.ts';
import { enter, Recipient, type OpenShare } from '../support/recipient.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

/** Recipients of a process in share mode, whose translations the household's own process makes with its models. */

let core: Served, door: Served, person: Client, service: ModelService, patient: number, document: number;

beforeAll(async () => {
  service = await startModelService(() => ({ does: 'answer', text: 'Ultrasound of the liver: normal' }));
  core = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  door = await serve({ vault: core.vault, args: ['--mode', 'share'] });
  person = new Client(core.url);
  await person.setup();
  const lines = [
    { text: 'Ultraschall der Leber: unauffaellig', y: 200, size: 16 },
    { text: 'geheimes Wort', y: 230, size: 16, isHidden: true },
  ];
  document = (await person.upload(await letter([lines]), 'ultrasound.pdf')).body.document_id;
  await person.idle();
  patient = (await person.get(`/api/documents/${document}`)).body.patient_id;
});
afterAll(async () => {
  await Promise.all([door.remove(), service.close()]);
  await core.remove();
});

async function share(): Promise<OpenShare> {
  const to = { patient_id: patient, document_ids: [document], recipient_label: 'Dr. Frisch' };
  const { share_id: id, share_url: url } = (await person.post('/api/shares', to)).body;
  return { id, token: (url as string).split('/').at(-1) ?? '' };
}
const useModel = (providers: object[]) => person.call('PUT', '/api/settings/llm-providers', providers);
const LAPTOP = { id: 'laptop', type: 'ollama', name: 'Laptop', model: 'gemma3' };
const PART = { page: 1, bbox: { x: 0, y: 0.2, w: 1, h: 0.1 }, target_language: 'English' };

it('are offered and made as long as the household’s own process runs with a model, from what the page shows', async () => {
  const doctor = new Recipient(door.url);
  const open = await share();
  expect((await enter(person, doctor, open)).status).toBe(200);
  const path = `/api/share/documents/${document}`;
  const offered = async () => (await doctor.get('/api/share/me')).body.default_translation_language;
  expect(await offered()).toBeNull();
  expect((await doctor.post(`${path}/translate-region`, PART)).body.code).toBe('share.translation_unavailable');
  await useModel([{ ...LAPTOP, base_url: service.url }]);
  await expect.poll(offered).toBe('English');
  service.received.length = 0;
  const asked = await doctor.post(`${path}/translate-region`, PART);
  expect([asked.status, asked.body.status]).toEqual([200, 'queued']);
  expect((await doctor.post(`${path}/translate-region`, PART)).body.code).toBe('auth.rate_limited');
  const rows = async () => (await doctor.get(path)).body.region_translations;
  // The household's own process finds the request, and reads the picture.
  await expect.poll(async () => (await rows())[0]?.status).not.toBe('queued');
  await person.idle();
  expect(await rows()).toMatchObject([
    {
      ...{
        status: 'done',
        id: asked.body.region_id,
        translated_text: 'Ultrasound of the liver: normal',
        has_thumbnail: true,
      },
      ocr_text: expect.stringContaining('Leber'),
    },
  ]);
  expect(service.received).toHaveLength(1);
  expect(service.received[0]?.raw).not.toContain('geheimes');
  const picture = await doctor.get(`${path}/region-translations/${asked.body.region_id}/thumbnail`);
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
  const { events } = (await person.get(`/api/shares/${open.id}/audit`)).body;
  const actions = events.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['translate', 'translate_region_done']));
  // Without the process that has the models, nobody would make them.
  await core.stop();
  expect(await offered()).toBeNull();
  expect((await doctor.get(path)).status).toBe(200);
});
