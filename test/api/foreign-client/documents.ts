import { expect } from 'vitest';
import { labReport } from '../../support/sample-documents.ts';
import { fileForm, type Answer } from './program.ts';
import { lacks } from './shape.ts';
import * as S from './shapes.ts';
import { type Step, page } from './walk.ts';

export const documentsSteps: readonly Step[] = [
  [
    'uploads documents, and says for whom in the form or the query',
    async ({ idle, ids, upload }) => {
      const fields = { patient_id: String(ids.patient) };
      const report = await upload(fileForm(await labReport({ seed: 1 }), 'report.pdf', fields));
      expect(report.body.status).toBe('pending');
      await upload(fileForm(await page('Elena Keller, 09.05.1979'), 'letter.pdf'), `?patient_id=${ids.patient}`);
      await idle();
      const again = await upload(fileForm(await labReport({ seed: 1 }), 'copy.pdf', fields), '', 200);
      expect(
        lacks(
          {
            filename: 'string',
            status: '=duplicate',
            existing_document_id: 'int',
            existing_filename: 'string',
            existing_patient_id: 'int',
            message: 'string',
          },
          again.body,
        ),
      ).toEqual([]);
      expect([again.body.existing_filename, again.body.existing_patient_id]).toEqual(['report.pdf', ids.patient]);
    },
  ],
  [
    'lists, filters and sorts documents',
    async ({ ask, ids }) => {
      const shape = { items: [S.DOCUMENT], total: 'int', limit: 'int', offset: 'int' };
      const list = async (query: string): Promise<string[]> => {
        const { body } = await ask('GET /api/documents', { query, shape });
        return body.items.map((item: { original_filename: string }) => item.original_filename);
      };
      const { body } = await ask('GET /api/documents', { shape });
      expect([body.total, body.limit, body.offset]).toEqual([2, 50, 0]);
      const find = (name: string): number =>
        body.items.find((item: { original_filename: string }) => item.original_filename === name).id;
      Object.assign(ids, { report: find('report.pdf'), letter: find('letter.pdf') });
      const { doctor_id, facility_id } = body.items.find((item: { id: number }) => item.id === ids.report);
      for (const query of [
        `?patient_id=${ids.patient}&type=lab_test,invoice&date_from=2025-01-01&date_to=2025-12-31`,
        '?type=lab_test&status=done,needs_review',
        '?q=Ferritin&limit=10&offset=0',
        `?doctor_id=${doctor_id}&facility_id=${facility_id}`,
        `?doctor=${doctor_id}`,
        '?facility=Synlabor%20Mittelland%20AG',
      ])
        expect([query, await list(query)]).toEqual([query, ['report.pdf']]);
      expect(await list('?doctor=__blank__')).toEqual(['letter.pdf']);
      expect(await list('?specialty=__blank__&limit=1&offset=1')).toHaveLength(1);
      for (const sort of 'file type date doctor facility patient specialty status date_added'.split(' '))
        expect([sort, (await list(`?sort=${sort}&order=asc`)).toSorted()]).toEqual([
          sort,
          ['letter.pdf', 'report.pdf'],
        ]);
      expect(await list('?sort=file&order=desc')).toEqual(['report.pdf', 'letter.pdf']);
      await ask('GET /api/documents', { query: '?doktor=1', status: 422 });
    },
  ],
  [
    'reads a document, its file and its history',
    async ({ ask, ids }) => {
      const at = { id: ids.report };
      const { body } = await ask('GET /api/documents/{id}', { at, shape: S.DOCUMENT_DETAIL });
      expect([body.ocr_text, body.lab_results.length, body.event_date]).toEqual([
        expect.stringContaining('Ferritin'),
        4,
        '2025-11-12',
      ]);
      const file = await ask('GET /api/documents/{id}/file', { at });
      expect([file.headers.get('content-type'), String(file.body).slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
      const { body: history } = await ask('GET /api/documents/{id}/stages', { at, shape: S.STAGES });
      expect(history.events.map(({ stage, status }: { stage: string; status: string }) => [stage, status])).toEqual([
        ['ocr', 'completed'],
        ['page_classification', 'skipped'],
        ['section_extraction', 'skipped'],
        ['llm_extraction', 'completed'],
        ['organizing', 'completed'],
        ['thumbnail', 'completed'],
      ]);
      await ask('GET /api/documents/{id}', { at: { id: 9999 }, status: 404 });
    },
  ],
  [
    'changes a document by its writable fields and the three name rules',
    async ({ ask, ids }) => {
      const at = { id: ids.report };
      const patch = async (body: object): Promise<Answer['body']> =>
        (await ask('PATCH /api/documents/{id}', { at, body, shape: S.DOCUMENT })).body;
      const changes = {
        patient_id: ids.patient,
        doc_type: 'lab_test',
        event_date: '2025-11-13',
        issued_date: null,
        specialty_original: 'Labormedizin',
        summary_en: 'A report.',
        event_id: null,
        notes: 'a note',
        user_notes: 'mine',
        tags: 'iron,fatigue',
        original_filename: 'blood.pdf',
      };
      expect(await patch(changes)).toMatchObject(changes);
      const { doctor_id: added } = await patch({ doctor_name: 'Dr. Peter Frisch', facility_name: 'Klinik Aare' });
      expect(added).toEqual(expect.any(Number));
      expect((await patch({ doctor_name: 'Frisch, Peter' })).doctor_id).toBe(added);
      expect(await patch({ doctor_name: null, facility_name: null })).toMatchObject({
        doctor_id: null,
        facility_id: null,
      });
    },
  ],
  [
    'reads a document again, cancels it, and refuses a reading that cannot run',
    async ({ ask, idle, ids }) => {
      const at = { id: ids.letter };
      const queued = { status: '=queued', document_id: 'int' };
      await ask('POST /api/pipeline/stop');
      // No body at all, and the default of every field.
      await ask('POST /api/documents/{id}/reprocess', { at, status: 202, shape: queued });
      await ask('POST /api/documents/{id}/cancel', { at, shape: { status: '=cancelled', document_id: 'int' } });
      expect((await ask('GET /api/documents/{id}', { at })).body.status).toBe('cancelled');
      for (const mode of ['ocr', 'llm', 'both'])
        await ask('POST /api/documents/{id}/reprocess', {
          at,
          body: { mode, llm_provider_id: null, ocr_provider_id: null, vision_provider_id: null },
          status: 202,
          shape: queued,
        });
      await ask('POST /api/pipeline/start');
      await idle();
      const before = (await ask('GET /api/documents/{id}', { at })).body;
      await ask('POST /api/documents/{id}/reprocess', { at, body: { mode: 'vision_llm' }, status: 409 });
      await idle();
      expect((await ask('GET /api/documents/{id}', { at })).body).toEqual(before);
    },
  ],
  [
    'names, finds, relinks and replaces files',
    async ({ ask, ids }) => {
      const at = { id: ids.letter };
      await ask('POST /api/documents/{id}/generate-filename', { at, shape: { suggested_filename: 'string' } });
      const { body } = await ask('POST /api/documents/{id}/rename', {
        at,
        body: { filename: 'blood.pdf' },
        shape: S.DOCUMENT,
      });
      const candidates = await ask('GET /api/documents/{id}/find-candidates', {
        at,
        shape: { candidates: [{ vault_path: 'string' }] },
      });
      expect(candidates.body.candidates).toEqual([]);
      await ask('POST /api/documents/{id}/relink', { at, body: { vault_path: body.file_path }, shape: S.DOCUMENT });
      await ask('POST /api/documents/{id}/relink', { at, body: { vault_path: 'vault.db' }, status: 400 });
      const replace = async (bytes: Uint8Array, name: string, status: number): Promise<Answer> =>
        ask('POST /api/documents/{id}/replace-file', { at, form: fileForm(bytes, name), status });
      const replaced = await replace(await page('Another page'), 'new.pdf', 200);
      expect(lacks(S.DOCUMENT, replaced.body)).toEqual([]);
      await replace(Buffer.from('plain text'), 'new.txt', 400);
      await replace(await labReport({ seed: 1 }), 'report.pdf', 409);
    },
  ],
  [
    'links documents',
    async ({ ask, ids }) => {
      const at = { id: ids.report };
      const link = { target_document_id: ids.letter, link_type: 'report_for' };
      await ask('POST /api/documents/{id}/link', { at, body: link, status: 201, shape: S.LINK });
      await ask('POST /api/documents/{id}/link', { at, body: link, status: 409 });
      const { body } = await ask('GET /api/documents/{id}/links', { at, shape: { items: [S.LINK] } });
      await ask('DELETE /api/documents/{id}/links/{link_id}', { at: { ...at, link_id: body.items[0].link_id } });
      expect((await ask('GET /api/documents/{id}/links', { at })).body.items).toEqual([]);
    },
  ],
];
