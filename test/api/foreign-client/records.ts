import { expect } from 'vitest';
import { fileForm } from './program.ts';
import * as S from './shapes.ts';
import { type Step, page } from './walk.ts';

export const recordsSteps: readonly Step[] = [
  [
    'groups documents into events',
    async ({ ask, ids }) => {
      const body = {
        patient_id: ids.patient,
        title: 'Iron deficiency',
        event_type: 'diagnosis',
        date_start: '2025-11-01',
      };
      ids.event = (await ask('POST /api/events', { body, status: 201, shape: { id: 'int', title: 'string' } })).body.id;
      const at = { id: ids.event };
      const query = `?patient_id=${ids.patient}&event_type=diagnosis`;
      expect((await ask('GET /api/events', { query, shape: { items: [S.EVENT] } })).body.items).toHaveLength(1);
      await ask('PATCH /api/events/{id}', { at, body: { severity: 'mild', icd10_code: 'D50.9', color: '#0b7285' } });
      await ask('POST /api/events/{id}/link', { at, body: { document_id: ids.report } });
      const shape = { ...S.EVENT, documents: [{ document_id: 'int', link_id: 'int', original_filename: 'string' }] };
      const event = await ask('GET /api/events/{id}', { at, shape });
      expect(event.body.documents.map(({ document_id }: { document_id: number }) => document_id)).toEqual([ids.report]);
      await ask('DELETE /api/events/{id}/link/{doc_id}', { at: { ...at, doc_id: ids.report } });
      const other = (await ask('POST /api/events', { body, status: 201 })).body.id;
      await ask('POST /api/events/{id}/link', { at: { id: other }, body: { document_id: ids.letter } });
      await ask('DELETE /api/events/{id}', { at: { id: other }, query: '?delete_documents=true' });
      await ask('GET /api/documents/{id}', { at: { id: ids.letter }, status: 404 });
    },
  ],
  [
    'keeps lab results',
    async ({ ask, ids }) => {
      const shape = { items: [S.LAB_RESULT] };
      const query = `?patient_id=${ids.patient}&test_name=ferri&date_from=2020-01-01&date_to=2030-01-01&limit=2000`;
      expect((await ask('GET /api/lab-results', { query, shape })).body.items).toHaveLength(1);
      await ask('GET /api/lab-results', { query: '?limit=2001', status: 422 });
      await ask('GET /api/lab-results/orphans', { shape });
      const line = await ask('GET /api/lab-results/timeline', {
        query: `?patient_id=${ids.patient}&test_name=Ferritin`,
        shape: { data: [{ test_date: 'date?', value: 'number?', value_text: 'string?', is_abnormal: 'bool?' }] },
      });
      expect(line.body.data).toHaveLength(1);
      const body = { document_id: ids.report, test_name_original: 'Troponin', value: '<5', unit: 'ng/L' };
      const added = await ask('POST /api/lab-results', { body, status: 201, shape: S.LAB_RESULT });
      expect(added.body).toMatchObject({ value: 5, value_text: '<5' });
      const at = { id: added.body.id };
      await ask('PATCH /api/lab-results/{id}', {
        at,
        body: { value: 6, unit: 'ng/L', reference_range_low: 0, reference_range_high: 14, test_date: '2025-11-14' },
        shape: S.LAB_RESULT,
      });
      await ask('POST /api/lab-results', { body: { test_name_original: 'Troponin' }, status: 422 });
      await ask('DELETE /api/lab-results/{id}', { at });
    },
  ],
  [
    'asks the record',
    async ({ ask, ids }) => {
      const body = { patient_id: ids.patient, message: 'What was the last ferritin?' };
      const source = { id: 'int', filename: 'string', doc_type: 'string?', event_date: 'date?' };
      const answer = await ask('POST /api/chat', { body, shape: { response: 'string', sources: [source] } });
      expect(answer.body.response).toContain('Ferritin');
      await ask('POST /api/chat', { body: { ...body, message: '' }, status: 422 });
      await ask('POST /api/chat', { body: { ...body, message: 'x'.repeat(4001) }, status: 422 });
      const query = `?patient_id=${ids.patient}`;
      const message = { role: 'string', content: 'string', sources: [source], created_at: 'timestamp' };
      const history = await ask('GET /api/chat/history', { query, shape: { messages: [message] } });
      expect(history.body.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);
      await ask('DELETE /api/chat/history', { query });
      expect((await ask('GET /api/chat/history', { query })).body.messages).toEqual([]);
    },
  ],
  [
    'keeps names, their spellings and merges',
    async ({ ask }) => {
      const items = { items: [S.ENTRY] };
      for (const type of ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'])
        await ask('GET /api/normalization/{type}', { at: { type }, shape: items });
      const doctors = await ask('GET /api/normalization/{type}', { at: { type: 'doctors' } });
      const [first, second] = doctors.body.items;
      const at = { type: 'doctors', id: first.id };
      await ask('GET /api/normalization/{type}/{id}', { at, shape: { ...S.ENTRY, aliases: [S.ALIAS] } });
      await ask('PATCH /api/normalization/{type}/{id}', {
        at,
        body: { canonical_display: 'P. Frisch' },
        shape: S.ENTRY,
      });
      const taken = { canonical_code: second.canonical_code };
      await ask('PATCH /api/normalization/{type}/{id}', { at, body: taken, status: 409 });
      await ask('GET /api/normalization/{type}/{id}/documents', { at });
      const alias = await ask('POST /api/normalization/{type}/{id}/aliases', {
        at,
        body: { alias: 'Frischli' },
        status: 201,
        shape: S.ALIAS,
      });
      await ask('DELETE /api/normalization/{type}/aliases/{alias_id}', {
        at: { type: 'doctors', alias_id: alias.body.alias_id },
      });
      await ask('POST /api/normalization/{type}/{id}/confirm', { at });
      const proposals = {
        target_id: 'int',
        source_ids: ['int'],
        reason: 'string',
        source: 'string',
        confidence: 'string',
      };
      await ask('POST /api/normalization/{type}/auto-merge', {
        at: { type: 'doctors' },
        shape: { proposals: [proposals], entries: [S.ENTRY] },
      });
      await ask('POST /api/normalization/{type}/merge', {
        at: { type: 'doctors' },
        body: { source_id: second.id, target_id: first.id },
      });
      const merged = await ask('POST /api/normalization/{type}/merge-batch', {
        at: { type: 'doctors' },
        body: {
          source_ids: [first.id],
          new_target: { canonical_code: 'peter-frisch', canonical_display: 'Peter Frisch' },
        },
        shape: { target_id: 'int' },
      });
      await ask('DELETE /api/normalization/{type}/{id}', { at: { type: 'doctors', id: merged.body.target_id } });
    },
  ],
  [
    'follows and stops the pipeline',
    async ({ ask, idle, ids, upload }) => {
      await ask('GET /api/pipeline/status', { shape: S.PIPELINE });
      await ask('POST /api/pipeline/stop');
      await upload(fileForm(await page('A third page'), 'third.pdf', { patient_id: String(ids.patient) }));
      const { body } = await ask('GET /api/pipeline/status', { shape: S.PIPELINE });
      expect(body.queued_jobs).toMatchObject([{ kind: 'upload' }]);
      expect(body.queued_files).toHaveLength(1);
      await ask('POST /api/pipeline/start');
      await idle();
    },
  ],
];
