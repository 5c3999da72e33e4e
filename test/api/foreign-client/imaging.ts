import { expect } from 'vitest';
import { directory, slice } from '../../fixtures/dicom/disc.ts';
import { zip } from '../../support/broken-files.ts';
import { fileForm } from './program.ts';
import { type Step, page } from './walk.ts';

const STUDY = {
  id: 'int',
  document_id: 'int',
  patient_id: 'int',
  modality: 'string',
  body_part: 'string?',
  study_description: 'string?',
  accession_number: 'string?',
  study_instance_uid: 'string',
  study_date: 'date?',
  num_series: 'int',
  num_images: 'int',
  folder_path: 'string',
  report_status: 'string',
} as const;

export const imagingSteps: readonly Step[] = [
  [
    'uploads an imaging disc, looks at its pictures, and attaches reports',
    async ({ ask, upload, ids }) => {
      const disc = zip([
        { name: 'DICOMDIR', content: directory() },
        { name: 'IMG1', content: slice({ study: '9.1', number: 1 }) },
        { name: 'IMG2', content: slice({ study: '9.1', number: 2, position: 20 }) },
      ]);
      const patient = `?patient_id=${ids.patient}`;
      expect((await upload(fileForm(disc, 'disc.zip'), patient)).body).toMatchObject({ dicom: 2, extracted: 0 });
      const query =
        `${patient}&modality=CT&report_status=placeholder&q=chest&date_from=2020-01-01&date_to=2030-01-01` +
        '&sort=date_added&order=asc&limit=500&offset=0';
      const list = { items: [STUDY], total: 'int', limit: 'int', offset: 'int' } as const;
      const { id } = (await ask('GET /api/imaging', { query, shape: list })).body.items[0];
      await ask('GET /api/imaging', { query: '?limit=501', status: 422 });
      const shape = { ...STUDY, series: [{ series_id: 'int', num_images: 'int', folder_path: 'string' }] } as const;
      const { series_id } = (await ask('GET /api/imaging/{id}', { at: { id }, shape })).body.series[0];
      const at = { id, series_id, index: 1, name: 'DICOMDIR' };
      const frames = { frames: ['string'], count: 'int' } as const;
      expect((await ask('GET /api/imaging/{id}/series/{series_id}/frames', { at, shape: frames })).body.frames).toEqual(
        ['00001.dcm', '00002.dcm'],
      );
      await ask('GET /api/imaging/{id}/series/{series_id}/frame/{index}', { at, query: '?wc=40&ww=400' });
      await ask('GET /api/imaging/{id}/series/{series_id}/frame/{index}', { at, query: '?format=dicom' });
      const files = { items: [{ name: 'string', size: 'int', kind: 'string' }] } as const;
      await ask('GET /api/imaging/{id}/bundle-files', { at, shape: files });
      await ask('GET /api/imaging/{id}/bundle-file/{name}', { at });
      const body = { target_document_id: ids.report, link_type: 'imaging_for' };
      const link = (await ask('POST /api/imaging/{id}/links', { at, body, status: 201 })).body.id;
      const links = { items: [{ id: 'int', link_id: 'int?', link_type: 'string', doc_type: 'string?' }] } as const;
      expect((await ask('GET /api/imaging/{id}/links', { at, shape: links })).body.items).toHaveLength(2);
      await ask('DELETE /api/imaging/{id}/links/{link_id}', { at: { id, link_id: link } });
      const changes = { modality: 'CT', body_part: 'THORAX', accession_number: 'A-78' };
      expect((await ask('PATCH /api/imaging/{id}/metadata', { at, body: changes })).body.fields).toEqual([
        'body_part',
        'accession_number',
      ]);
      await ask('POST /api/imaging/{id}/report', { at, query: `?document_id=${ids.report}` });
      await ask('POST /api/imaging/{id}/report', { at, body: { document_id: ids.report } });
      const form = fileForm(await page('The lungs are clear'), 'report.pdf');
      const shapeOfReport = { status: 'string', study_id: 'int', document_id: 'int' } as const;
      const report = await ask('POST /api/imaging/{id}/report', { at, form, shape: shapeOfReport });
      await ask('DELETE /api/documents/{id}', { at: { id: report.body.document_id } });
      const waiting = (await ask('GET /api/imaging/{id}', { at })).body;
      expect(waiting.report_status).toBe('placeholder');
      await ask('DELETE /api/documents/{id}', { at: { id: waiting.document_id } });
      await ask('GET /api/imaging/{id}', { at, status: 404 });
    },
  ],
];
