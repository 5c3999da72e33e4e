import { at, type Make } from './example-makers.ts';

const onStudy =
  (tail: string, body?: unknown): Make =>
  ({ make }) => ({ path: `/api/imaging/${make.study().study}${tail}`, ...(body !== undefined && { body }) });

/** A valid call for every endpoint of imaging studies. */
export const IMAGING_EXAMPLES: Record<string, Make> = {
  'GET /api/imaging': ({ patient }) => ({
    path:
      `/api/imaging?patient_id=${patient}&modality=CT&report_status=placeholder&q=chest&date_from=2020-01-01` +
      '&date_to=2030-01-01&sort=doctor&order=asc&limit=10&offset=0',
  }),
  'GET /api/imaging/doses': ({ patient }) => ({ path: `/api/imaging/doses?patient_id=${patient}` }),
  'GET /api/imaging/export': ({ make }) => ({
    path:
      `/api/imaging/export?ids=${make.study().study}&deidentify=1&dates=shift&keep_descriptions=1&keep_device=1` +
      '&keep_patient=1',
  }),
  'GET /api/imaging/{id}': onStudy(''),
  'GET /api/imaging/{id}/series/{series_id}/frames': ({ make }) => {
    const { study, series } = make.study();
    return { path: `/api/imaging/${study}/series/${series}/frames` };
  },
  'GET /api/imaging/{id}/series/{series_id}/frame/{index}': ({ make }) => {
    const { study, series } = make.study();
    return { path: `/api/imaging/${study}/series/${series}/frame/2?wc=40&ww=400&invert=1&upscale=2&format=png` };
  },
  'GET /api/imaging/{id}/series/{series_id}/frame/{index}/window': ({ make }) => {
    const { study, series } = make.study();
    return { path: `/api/imaging/${study}/series/${series}/frame/2/window` };
  },
  'GET /api/imaging/{id}/series/{series_id}/frame/{index}/metadata': ({ make }) => {
    const { study, series } = make.study();
    return { path: `/api/imaging/${study}/series/${series}/frame/2/metadata` };
  },
  'GET /api/imaging/{id}/thumbnail': onStudy('/thumbnail'),
  'GET /api/imaging/{id}/series/{series_id}/thumbnail': ({ make }) => {
    const { study, series } = make.study();
    return { path: `/api/imaging/${study}/series/${series}/thumbnail` };
  },
  'GET /api/imaging/{id}/series/{series_id}/frame/{index}/pixels': ({ make }) => {
    const { study, series } = make.study();
    return { path: `/api/imaging/${study}/series/${series}/frame/2/pixels` };
  },
  'GET /api/imaging/{id}/marks': onStudy('/marks'),
  'POST /api/imaging/{id}/marks': ({ make }) => {
    const { study, series } = make.study();
    const body = {
      series_id: series,
      index: 2,
      kind: 'length',
      points: [
        [1, 2],
        [3, 4.5],
      ],
      label: 'nodule',
    };
    return { path: `/api/imaging/${study}/marks`, body };
  },
  'PATCH /api/imaging/{id}/marks/{mark_id}': ({ make }) => {
    const { study, mark } = make.studyMark();
    return {
      path: `/api/imaging/${study}/marks/${mark}`,
      body: {
        label: 'nodule',
        points: [
          [1, 2],
          [3, 4],
        ],
      },
    };
  },
  'DELETE /api/imaging/{id}/marks/{mark_id}': ({ make }) => {
    const { study, mark } = make.studyMark();
    return { path: `/api/imaging/${study}/marks/${mark}` };
  },
  'GET /api/imaging/{id}/bundle-files': onStudy('/bundle-files'),
  'GET /api/imaging/{id}/bundle-file/{name}': onStudy('/bundle-file/DICOMDIR'),
  'GET /api/imaging/{id}/bundle-file/{folder}/{name}': onStudy('/bundle-file/PREVIEW/view.exe'),
  'GET /api/imaging/{id}/links': onStudy('/links'),
  'POST /api/imaging/{id}/links': ({ make }) => ({
    path: `/api/imaging/${make.study().study}/links`,
    body: { target_document_id: make.document(), link_type: 'imaging_for' },
  }),
  'DELETE /api/imaging/{id}/links/{link_id}': ({ make }) => {
    const { study, link } = make.studyLink();
    return { path: `/api/imaging/${study}/links/${link}` };
  },
  'POST /api/imaging/{id}/report': ({ make }) => ({
    path: `/api/imaging/${make.study().study}/report`,
    body: { document_id: make.document() },
  }),
  'DELETE /api/imaging/{id}/report': onStudy('/report'),
  'PATCH /api/imaging/{id}/metadata': onStudy('/metadata', {
    modality: 'MR',
    body_part: 'KNEE',
    study_description: null,
    accession_number: 'A 17',
  }),
  'GET /api/viewer-access': at('/api/viewer-access'),
  'POST /api/viewer-access': at('/api/viewer-access', { name: 'OHIF', origins: ['https://viewer.example'] }),
  'DELETE /api/viewer-access/{access_id}': ({ make }) => ({ path: `/api/viewer-access/${make.viewerAccess()}` }),
};
