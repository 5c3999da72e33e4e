import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * The address of DICOMweb (PS3.18), by which imaging viewers on the same computer read studies. They send the token of
 * a user in `Authorization: Bearer`; tokens are made with `viewer-access.ts`.
 */
export const DICOM_WEB_PATH = '/api/dicomweb';

const STUDIES = `${DICOM_WEB_PATH}/studies`;
const STUDY = `${STUDIES}/{study}`;
const SERIES = `${STUDY}/series/{series}`;
const INSTANCE = `${SERIES}/instances/{instance}`;

const uid = z.string().min(1).max(128);
const study = z.object({ study: uid });
const series = study.extend({ series: uid });
const instance = series.extend({ instance: uid });
/** Numbers from 1, separated by commas. */
const frames = instance.extend({ frames: z.string().regex(/^[1-9]\d{0,6}(,[1-9]\d{0,6}){0,999}$/) });
const element = instance.extend({
  element: z.string().regex(/^[\dA-Fa-f]{8}(\.\d{1,7}\.[\dA-Fa-f]{8}){0,32}$/),
});

/** Attributes, `includefield`, `limit` and others may be repeated: the query is read as a whole. */
const anyQuery = z.object({}).catchall(z.string());

const shared = { method: 'GET', access: 'viewer', reply: 'bytes' } as const;
const SEARCH_ERRORS = [
  'dicomweb.unknown_attribute',
  'dicomweb.invalid_parameter',
  'dicomweb.not_acceptable',
  'dicomweb.too_many',
] as const;
const search = { ...shared, query: anyQuery, errors: SEARCH_ERRORS } as const;
const OBJECT_ERRORS = ['imaging.not_found', 'document.file_missing', 'dicomweb.not_acceptable'] as const;
const retrieve = { ...shared, query: anyQuery, errors: OBJECT_ERRORS } as const;
const PIXEL_ERRORS = [
  ...OBJECT_ERRORS,
  'imaging.frame_not_found',
  'imaging.frame_damaged',
  'imaging.frame_unsupported',
  'imaging.frame_too_demanding',
  'server.read_only',
] as const;
const pixels = { ...shared, query: anyQuery, errors: PIXEL_ERRORS } as const;
const rendered = { ...pixels, errors: [...PIXEL_ERRORS, 'dicomweb.invalid_parameter'] } as const;
const RENDERED_SUMMARY = 'as JPEG, or as PNG if that is accepted only. `window` is center, width and function.';

const SEARCH_SUMMARY = 'as `application/dicom+json` (QIDO-RS): matching attributes, wildcards, ranges, limit, offset.';

/** Read-only DICOMweb: QIDO-RS and WADO-RS. */
export const dicomWeb = {
  studies: endpoint({ ...search, path: STUDIES, summary: `Finds studies, ${SEARCH_SUMMARY}` }),
  series: endpoint({ ...search, path: `${DICOM_WEB_PATH}/series`, summary: `Finds series, ${SEARCH_SUMMARY}` }),
  instances: endpoint({ ...search, path: `${DICOM_WEB_PATH}/instances`, summary: `Finds objects, ${SEARCH_SUMMARY}` }),
  seriesOfStudy: endpoint({
    ...search,
    path: `${STUDY}/series`,
    params: study,
    summary: `Finds series of a study, ${SEARCH_SUMMARY}`,
  }),
  instancesOfStudy: endpoint({
    ...search,
    path: `${STUDY}/instances`,
    params: study,
    summary: `Finds objects of a study, ${SEARCH_SUMMARY}`,
  }),
  instancesOfSeries: endpoint({
    ...search,
    path: `${SERIES}/instances`,
    params: series,
    summary: `Finds objects of a series, ${SEARCH_SUMMARY}`,
  }),
  study: endpoint({
    ...retrieve,
    path: STUDY,
    params: study,
    summary: 'Returns the objects of a study as they are stored, in `multipart/related`.',
  }),
  seriesObjects: endpoint({
    ...retrieve,
    path: SERIES,
    params: series,
    summary: 'Returns the objects of a series as they are stored, in `multipart/related`.',
  }),
  instance: endpoint({
    ...retrieve,
    path: INSTANCE,
    params: instance,
    summary: 'Returns an object as it is stored, in `multipart/related` or alone.',
  }),
  studyMetadata: endpoint({
    ...pixels,
    path: `${STUDY}/metadata`,
    params: study,
    summary: 'Returns the elements of all objects of a study as `application/dicom+json`; long values have addresses.',
  }),
  seriesMetadata: endpoint({
    ...pixels,
    path: `${SERIES}/metadata`,
    params: series,
    summary: 'Returns the elements of all objects of a series as `application/dicom+json`.',
  }),
  instanceMetadata: endpoint({
    ...pixels,
    path: `${INSTANCE}/metadata`,
    params: instance,
    summary: 'Returns the elements of an object as `application/dicom+json`.',
  }),
  allFrames: endpoint({
    ...pixels,
    path: `${INSTANCE}/frames`,
    params: instance,
    summary: 'Returns the pixels of all frames, which is the address of pixel data in metadata.',
  }),
  frames: endpoint({
    ...pixels,
    path: `${INSTANCE}/frames/{frames}`,
    params: frames,
    summary:
      'Returns pixels of frames in `multipart/related`: decoded as `application/octet-stream`, or as they are coded ' +
      'with `transfer-syntax=*` or the media type of the coding.',
  }),
  rendered: endpoint({
    ...rendered,
    path: `${INSTANCE}/rendered`,
    params: instance,
    summary: `Returns the first frame of an object ${RENDERED_SUMMARY}`,
  }),
  renderedFrame: endpoint({
    ...rendered,
    path: `${INSTANCE}/frames/{frames}/rendered`,
    params: frames,
    summary: `Returns a frame ${RENDERED_SUMMARY}`,
  }),
  bulkdata: endpoint({
    ...pixels,
    path: `${INSTANCE}/bulkdata/{element}`,
    params: element,
    summary: 'Returns a long binary value that metadata name by its address.',
  }),
} as const;
