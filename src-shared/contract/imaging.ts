import { z } from 'zod';
import { documentNaming } from './document-naming.ts';
import { endpoint } from './endpoint.ts';
import { imagingFrames } from './imaging-frames.ts';
import { imagingSeries, imagingStudy, linkType } from './rows.ts';
import { civilDate, freeText, flagText, id, idParams, idText, order, shownText, timestamp, wholeText } from './wire.ts';

const text = z.string().nullable();

export const REPORT_STATUSES = ['placeholder', 'attached'] as const;
const IMAGING_SORTS = [
  'modality',
  'body_part',
  'study_date',
  'doctor',
  'facility',
  'patient',
  'report_status',
  'date_added',
] as const;
export type ImagingSort = (typeof IMAGING_SORTS)[number];

/** A study in lists, with the document of its report; without a report, the document that waits for one. */
const listedStudy = imagingStudy.omit({ series: true }).extend({
  doctor_id: id.nullable(),
  facility_id: id.nullable(),
  patient_name: text,
  doctor_name: text,
  facility_name: text,
  report_filename: text,
  /** Empty without a report. */
  report_file_path: text,
  date_added: timestamp,
});
export type ListedStudy = z.output<typeof listedStudy>;

/** An object of a study that has no pictures: a structured report, a presentation state, a dose report. */
const studyObject = z.object({
  series_id: id,
  name: z.string(),
  kind: z.enum(['report', 'encapsulated_pdf', 'dose', 'presentation', 'other']),
  size: z.int(),
});
const measured = z.number().nullable();
/** What the dose reports of examinations add up; null for what none of them measures. */
const summedDose = z.object({
  /** In mGy·cm. */
  dlp: measured,
  /** In Gy·cm². */
  dap: measured,
  fluoroscopy_seconds: measured,
  /** Average glandular dose, in mGy. */
  glandular_dose: measured,
  /** Administered activity, in MBq. */
  activity: measured,
});
const studyDose = summedDose.extend({
  /** The highest of the scans, in mGy. */
  ctdi_vol: measured,
});
export type StudyDose = z.output<typeof studyDose>;
const datedDose = studyDose.extend({
  study_id: id,
  document_id: id.nullable(),
  study_date: text,
  modality: text,
  body_part: text,
  study_description: text,
});
const study = listedStudy.extend({
  report_doc_type: text,
  /** Null without a dose report. */
  dose: studyDose.nullable(),
  series: z.array(imagingSeries.extend({ study_id: id })),
  objects: z.array(studyObject),
});
export type ImagingStudy = z.output<typeof study>;

/** Ids of studies, separated by commas. */
const idListText = z
  .string()
  .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,199}$/)
  .transform((text) => text.split(',').map(Number));
/** Kinds of files beside the DICOM objects of a disc. */
export const BUNDLE_KINDS = ['image', 'pdf', 'dicom', 'other'] as const;
export type BundleKind = (typeof BUNDLE_KINDS)[number];
/** As listed; only names of the list are found. */
const bundleName = z.string().min(1).max(1000);
const changed = shownText(200).nullish();
/** What people may correct of a study; everything else belongs to its document. */
const studyChanges = z.strictObject({
  modality: shownText(16).nullish(),
  body_part: changed,
  study_description: changed,
  accession_number: shownText(64).nullish(),
});
export type StudyChanges = z.output<typeof studyChanges>;

/** What a person marks in a picture. */
export const MARK_KINDS = ['length', 'angle', 'ellipse', 'rectangle', 'probe', 'key_image'] as const;
/** How many points the drawing of each kind has: ends, arms with their corner, ends of both axes, corners, a pixel. */
export const POINTS_OF_MARKS: Readonly<Record<(typeof MARK_KINDS)[number], number>> = {
  ...{ length: 2, angle: 3, ellipse: 4, rectangle: 4, probe: 1, key_image: 0 },
};
const finite = z.number().min(-1e12).max(1e12);
/** Columns and rows from the center of the first pixel. */
const markPoints = z.array(z.tuple([z.number().min(-1e6).max(1e6), z.number().min(-1e6).max(1e6)])).max(8);
/** What was measured: a length, an angle, the mean of a region, or the value of a pixel. */
const markMeasured = z.strictObject({
  value: finite.nullable(),
  unit: shownText(16).nullable(),
  deviation: finite.nullable(),
  minimum: finite.nullable(),
  maximum: finite.nullable(),
  area: finite.nullable(),
  area_unit: shownText(16).nullable(),
  /** The spacing applies at the detector, so that lengths in the patient are smaller. */
  is_at_detector: z.boolean(),
});
const mark = z.object({
  id,
  study_id: id,
  series_id: id,
  /** Of the frame in its series. */
  index: z.int(),
  kind: z.enum(MARK_KINDS),
  points: markPoints,
  measured: markMeasured.nullable(),
  label: text,
  created_at: timestamp,
  updated_at: timestamp,
});
export type StudyMark = z.output<typeof mark>;
const markParams = idParams.extend({ mark_id: idText });

/** Endpoints for imaging studies: lists, pictures, other files of their discs, links and reports. */
export const imaging = {
  list: endpoint({
    method: 'GET',
    path: '/api/imaging',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({
      patient_id: idText.optional(),
      modality: z.string().max(16).optional(),
      report_status: z.enum(REPORT_STATUSES).optional(),
      q: freeText(1000).optional(),
      date_from: civilDate.optional(),
      date_to: civilDate.optional(),
      sort: z.enum(IMAGING_SORTS).default('study_date'),
      order: order.default('desc'),
      limit: wholeText(1, 500).default(50),
      offset: wholeText(0, 10_000_000).default(0),
    }),
    reply: z.object({ items: z.array(listedStudy), total: z.int(), limit: z.int(), offset: z.int() }),
    summary:
      'Lists the imaging studies that the caller may see. `q` searches body part, description, referring doctor and ' +
      'facility. Studies without a value to sort by come last.',
  }),
  doses: endpoint({
    method: 'GET',
    path: '/api/imaging/doses',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ patient_id: idText }),
    reply: z.object({
      items: z.array(datedDose),
      years: z.array(summedDose.extend({ year: z.int().nullable(), studies: z.int() })),
    }),
    summary:
      'Lists the radiation dose of each study of a patient that has a dose report, and of each year together, the ' +
      'latest first.',
  }),
  exportStudies: endpoint({
    method: 'GET',
    path: '/api/imaging/export',
    access: 'session',
    audit: 'imaging.export',
    query: z.object({
      ids: idListText,
      deidentify: flagText,
      dates: z.enum(['remove', 'shift', 'keep']).default('remove'),
      keep_descriptions: flagText,
      keep_device: flagText,
      keep_patient: flagText,
    }),
    reply: 'bytes',
    errors: ['imaging.not_found', 'imaging.nothing_to_export', 'auth.forbidden', 'server.disk_full'],
    summary:
      'Returns studies as a disc in a ZIP: DICOM objects, DICOMDIR and README. With `deidentify`, by the Basic ' +
      'Application Level Confidentiality Profile of PS3.15; `dates` and `keep_…` are its options.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}',
    access: { imaging_study: 'read' },
    params: idParams,
    reply: study,
    summary: 'Returns a study with its series, its objects without pictures and its report.',
  }),
  ...imagingFrames,
  marks: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/marks',
    access: { imaging_study: 'read' },
    params: idParams,
    reply: z.object({ items: z.array(mark) }),
    summary: 'Lists the measurements and key images of a study by series and frame.',
  }),
  addMark: endpoint({
    method: 'POST',
    path: '/api/imaging/{id}/marks',
    access: { imaging_study: 'write' },
    audit: 'imaging.mark',
    params: idParams,
    status: 201,
    body: z.strictObject({
      series_id: id,
      index: z.int().min(0).max(10_000_000),
      kind: z.enum(MARK_KINDS),
      points: markPoints.default([]),
      measured: markMeasured.nullish(),
      label: shownText(200).nullish(),
    }),
    reply: mark,
    errors: ['imaging.series_not_found', 'imaging.frame_not_found', 'imaging.mark_points', 'imaging.too_many_marks'],
    summary: 'Saves a measurement or a key image with a frame of a study.',
  }),
  changeMark: endpoint({
    method: 'PATCH',
    path: '/api/imaging/{id}/marks/{mark_id}',
    access: { imaging_study: 'write' },
    audit: 'imaging.mark',
    params: markParams,
    body: z.strictObject({
      points: markPoints.optional(),
      measured: markMeasured.nullish(),
      label: shownText(200).nullish(),
    }),
    reply: mark,
    errors: ['imaging.mark_not_found', 'imaging.mark_points'],
    summary: 'Moves or names a measurement or a key image.',
  }),
  removeMark: endpoint({
    method: 'DELETE',
    path: '/api/imaging/{id}/marks/{mark_id}',
    access: { imaging_study: 'write' },
    audit: 'imaging.unmark',
    params: markParams,
    reply: z.object({ status: z.literal('deleted') }),
    errors: ['imaging.mark_not_found'],
    summary: 'Removes a measurement or a key image.',
  }),
  bundleFiles: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/bundle-files',
    access: { imaging_study: 'read' },
    params: idParams,
    reply: z.object({ items: z.array(z.object({ name: z.string(), size: z.int(), kind: z.enum(BUNDLE_KINDS) })) }),
    summary: 'Lists the other files of the archive that the study came from.',
  }),
  bundleFile: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/bundle-file/{name}',
    access: { imaging_study: 'read' },
    audit: 'imaging.download',
    params: idParams.extend({ name: bundleName }),
    reply: 'bytes',
    errors: ['imaging.bundle_file_not_found', 'document.file_missing'],
    summary: 'Returns one of these files. Only pictures and PDFs are shown; everything else is downloaded.',
  }),
  bundleFileInFolder: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/bundle-file/{folder}/{name}',
    access: { imaging_study: 'read' },
    audit: 'imaging.download',
    params: idParams.extend({ folder: bundleName, name: bundleName }),
    reply: 'bytes',
    errors: ['imaging.bundle_file_not_found', 'document.file_missing'],
    summary: 'Returns one of these files that is in a folder.',
  }),
  links: endpoint({
    method: 'GET',
    path: '/api/imaging/{id}/links',
    access: { imaging_study: 'read' },
    params: idParams,
    reply: z.object({
      items: z.array(
        documentNaming.extend({
          /** The document. */
          id,
          link_id: id.nullable(),
          link_type: z.union([z.literal('report'), linkType]),
        }),
      ),
    }),
    summary:
      'Lists the documents of a study. The first is its report, or the document that waits for one, without a ' +
      '`link_id`; the others are linked to it.',
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/imaging/{id}/links',
    access: { imaging_study: 'write' },
    audit: 'imaging.link',
    params: idParams,
    status: 201,
    body: z.strictObject({ target_document_id: id, link_type: linkType.default('imaging_for') }),
    reply: z.object({ id, status: z.literal('linked') }),
    errors: ['document.not_found', 'link.self_reference', 'link.exists'],
    summary: 'Links a document to a study.',
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/imaging/{id}/links/{link_id}',
    access: { imaging_study: 'write' },
    audit: 'imaging.unlink',
    params: idParams.extend({ link_id: idText }),
    reply: z.object({ status: z.literal('deleted') }),
    errors: ['link.not_found'],
    summary: 'Removes a link; the document stays.',
  }),
  attachReport: endpoint({
    method: 'POST',
    path: '/api/imaging/{id}/report',
    access: { imaging_study: 'write' },
    audit: 'imaging.report',
    params: idParams,
    query: z.object({ document_id: idText.optional() }),
    body: z.strictObject({ document_id: id.optional() }).optional(),
    file: 'file',
    reply: z.object({
      status: z.enum(['attached', 'queued']),
      study_id: id,
      document_id: id,
      /** The uploaded content was in the vault already. */
      duplicate: z.boolean(),
      filename: z.string(),
      message: z.string(),
    }),
    errors: [
      'imaging.report_not_named',
      'imaging.report_not_pdf',
      'imaging.report_of_other_patient',
      'imaging.report_in_trash',
      'document.not_found',
      'document.file_missing',
      'upload.empty',
      'upload.damaged',
      'upload.encrypted',
      'upload.too_many_pages',
      'upload.type_mismatch',
      'upload.unsupported_type',
      'reading.file_too_demanding',
      'server.disk_full',
    ],
    summary:
      'Attaches a report to a study: a PDF of the vault, named in query or body, or an uploaded one, which is queued ' +
      'for reading. It replaces the document that waited for a report.',
  }),
  detachReport: endpoint({
    method: 'DELETE',
    path: '/api/imaging/{id}/report',
    access: { imaging_study: 'write' },
    audit: 'imaging.detach_report',
    params: idParams,
    reply: z.object({
      status: z.enum(['detached', 'noop']),
      study_id: id,
      previous_document_id: id.nullable(),
      placeholder_document_id: id,
    }),
    summary: 'Detaches the report of a study; its document stays, and a new one waits for a report.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/imaging/{id}/metadata',
    access: { imaging_study: 'write' },
    audit: 'imaging.update',
    params: idParams,
    body: studyChanges,
    reply: z.object({ status: z.enum(['updated', 'noop']), id, fields: z.array(z.string()) }),
    summary:
      'Corrects what a study says about itself. Doctor, facility, date and patient are corrected in its document.',
  }),
} as const;
