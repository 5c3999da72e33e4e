/** The error codes of imaging studies, as in `error-codes.ts`. */
export const IMAGING_ERRORS = {
  'imaging.not_found': {
    status: 404,
    detail: 'This imaging study does not exist. If you deleted it, restore it from the trash.',
  },
  'imaging.being_filed': {
    status: 409,
    detail: 'The images of this study are still being taken in. Delete it when that has ended.',
  },
  'imaging.series_not_found': { status: 404, detail: 'The study has no such series. Choose another one.' },
  'imaging.frame_not_found': { status: 404, detail: 'The series has no such picture. Choose another one.' },
  'imaging.frame_damaged': {
    status: 415,
    detail: 'This picture can’t be shown because its file is damaged. Ask for the images again.',
  },
  'imaging.frame_unsupported': {
    status: 415,
    detail: 'This picture can’t be shown because of its coding. Download it and open it in another viewer.',
  },
  'imaging.frame_too_demanding': {
    status: 415,
    detail: 'Drawing this picture takes more memory or time than Hearth may use. Open it in another viewer.',
  },
  'imaging.nothing_to_export': {
    status: 409,
    detail: 'These studies have no DICOM objects in the vault. Choose other ones.',
  },
  'imaging.mark_not_found': { status: 404, detail: 'This mark does not exist any more. Open the study again.' },
  'imaging.mark_points': { status: 422, detail: 'A mark of this kind has {{count}} points. Send as many.' },
  'imaging.too_many_marks': { status: 409, detail: 'This study has 1000 marks already. Remove some of them first.' },
  'imaging.bundle_file_not_found': { status: 404, detail: 'The study has no such file. Choose another one.' },
  'imaging.report_not_named': {
    status: 400,
    detail: 'The request names no report. Send “document_id”, or a PDF as the multipart field “file”.',
  },
  'imaging.report_not_pdf': { status: 415, detail: 'A report must be a PDF. Choose another file.' },
  'imaging.report_of_other_patient': {
    status: 409,
    detail: 'This document belongs to another patient. Move it first, or choose another one.',
  },
  'imaging.report_in_trash': {
    status: 409,
    detail: 'This file is in the trash. Restore it there, then attach it to the study.',
  },
} as const satisfies Record<string, { status: number; detail: string }>;
