import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { flagText, idParams, idText, numberText, wholeText } from './wire.ts';

/** Frames of a series that are counted and listed: a disc may claim more than a list can hold. */
export const MAX_SERIES_FRAMES = 500_000;

const seriesParams = idParams.extend({ series_id: idText });
const frameParams = seriesParams.extend({ index: wholeText(0, 10_000_000) });
const headerElement = z.object({
  /** `(0010,0010)` */
  tag: z.string(),
  /** Empty for elements that neither the standard nor a known device names. */
  keyword: z.string(),
  vr: z.string(),
  name: z.string(),
  value: z.string(),
  level: z.int(),
});
const DRAWING_ERRORS = [
  'imaging.frame_not_found',
  'imaging.frame_damaged',
  'imaging.frame_unsupported',
  'imaging.frame_too_demanding',
  'document.file_missing',
  'server.read_only',
] as const;

/** Endpoints for the frames of a study: pictures, values, windows and headers. */
export const imagingFrames = {
  frames: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/series/{series_id}/frames',
    access: { imaging_study: 'read' },
    params: seriesParams,
    reply: z.object({
      frames: z.array(z.string()),
      count: z.int(),
      /** Of each frame along the normal of its image, in mm; null where the header of its object names none. */
      positions: z.array(z.number().nullable()),
    }),
    errors: ['imaging.series_not_found'],
    summary:
      'Lists the frames of a series by position along the normal, then by instance number. An object with several ' +
      'frames is listed once for each, as `name#2`. Addresses of frames count from 0. At most 500,000 are listed.',
  }),
  frame: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/series/{series_id}/frame/{index}',
    access: { imaging_study: 'read' },
    params: frameParams,
    query: z.object({
      format: z.enum(['png', 'dicom']).default('png'),
      /** Center and width of the window, in the unit of the pixels; each may come alone. */
      wc: numberText(-1e9, 1e9).optional(),
      ww: numberText(1e-6, 1e9).optional(),
      invert: flagText,
      upscale: wholeText(1, 8).default(1),
    }),
    reply: 'bytes',
    errors: ['imaging.series_not_found', ...DRAWING_ERRORS],
    summary: 'Draws a frame as PNG, or returns the DICOM object that contains it.',
  }),
  thumbnail: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/thumbnail',
    access: { imaging_study: 'read' },
    params: idParams,
    reply: 'bytes',
    errors: DRAWING_ERRORS,
    summary: 'Returns a small PNG of a study: the middle frame of its largest series.',
  }),
  seriesThumbnail: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/series/{series_id}/thumbnail',
    access: { imaging_study: 'read' },
    params: seriesParams,
    reply: 'bytes',
    errors: ['imaging.series_not_found', ...DRAWING_ERRORS],
    summary: 'Returns a small PNG of a series: its middle frame.',
  }),
  pixels: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/series/{series_id}/frame/{index}/pixels',
    access: { imaging_study: 'read' },
    params: frameParams,
    reply: 'bytes',
    errors: ['imaging.series_not_found', ...DRAWING_ERRORS],
    summary:
      'Returns the decoded values of a frame for a viewer that draws them: the length of a header (32 bits, little ' +
      'endian), the header as JSON (size, type of the values, slope, intercept, windows, unit, place in the patient), ' +
      'the values in little endian, and where `hasOverlay` says so a bit for each pixel that graphics cover.',
  }),
  frameWindow: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/series/{series_id}/frame/{index}/window',
    access: { imaging_study: 'read' },
    params: frameParams,
    reply: z.object({ window_center: z.number().nullable(), window_width: z.number().nullable() }),
    errors: ['imaging.series_not_found', 'imaging.frame_not_found'],
    summary: 'Returns the window that the header of a frame asks for.',
  }),
  frameMetadata: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/series/{series_id}/frame/{index}/metadata',
    access: { imaging_study: 'read' },
    params: frameParams,
    reply: z.object({
      items: z.array(headerElement),
      count: z.int(),
      /** The header has more elements than are listed. */
      is_truncated: z.boolean(),
    }),
    errors: ['imaging.series_not_found', ...DRAWING_ERRORS],
    summary:
      'Lists the elements of the object that contains a frame, in the order of the file: binary values by their ' +
      'length, long ones cut off. Elements of an item of a sequence follow it, one `level` deeper.',
  }),
} as const;
