import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorBody, errorReference } from './errors.ts';
import { documentDetail, pageText, stageUsage } from './rows.ts';
import { civilDate, freeText, id, idParams, idText, timestamp, wholeText } from './wire.ts';

const uploaded = z.object({ filename: z.string(), status: z.literal('pending'), document_id: id, message: z.string() });
const duplicate = z.object({
  filename: z.string(),
  status: z.literal('duplicate'),
  existing_document_id: id.nullable(),
  existing_filename: z.string().nullable(),
  existing_patient_id: id.nullable(),
  message: z.string(),
});
/** The content is in a deleted item that the sender may restore. Nothing was stored: the sender decides. */
const inTrash = z.object({
  filename: z.string(),
  status: z.literal('in_trash'),
  trash_id: id,
  /** A document can be deleted on its own, or with its event or patient. */
  trash_kind: z.enum(['document', 'event', 'patient']),
  trash_label: z.string(),
  trash_patient_id: id.nullable(),
  deleted_at: timestamp,
  message: z.string(),
});
/** What was filed of an imaging study: new objects and their images, and objects that were there already. */
const filedStudy = z.object({
  study_id: id,
  document_id: id,
  status: z.enum(['new', 'extended', 'known']),
  objects: z.int(),
  images: z.int(),
  duplicates: z.int(),
  /** Objects with the UID of another one and different bytes; both are kept. */
  conflicts: z.int(),
});
const unpacked = z.object({
  filename: z.string(),
  status: z.literal('extracted'),
  extracted: z.int(),
  /** DICOM objects, also those that the vault has already. */
  dicom: z.int(),
  studies: z.array(filedStudy),
  other: z.int(),
  message: z.string(),
  documents: z.array(z.union([uploaded, duplicate, inTrash])),
  skipped: z.array(errorBody.omit({ issues: true }).extend({ filename: z.string() })),
});

const pageParams = idParams.extend({ page: wholeText(1, 100_000) });
/** Endpoints for the file of a document: upload, content, pages, name and replacement. */
export const documentFiles = {
  upload: endpoint({
    method: 'POST',
    path: '/api/documents/upload',
    access: 'editor',
    audit: 'document.create',
    file: 'file',
    query: z.object({
      patient_id: idText.optional(),
      event_id: idText.optional(),
      /**
       * Source of the file, for its notes, and its original date, which applies unless the document states a date.
       */
      origin: freeText(2000).optional(),
      original_date: civilDate.optional(),
      /** Stores content that is in the trash as a new document instead of offering to restore it. */
      as_new: z.enum(['0', '1']).optional(),
    }),
    reply: z.union([uploaded, duplicate, inTrash, unpacked]),
    status: (reply: { status: string }) => (reply.status === 'duplicate' || reply.status === 'in_trash' ? 200 : 201),
    errors: [
      'upload.no_file',
      'upload.too_large',
      'upload.too_large_for_disk',
      'upload.unsupported_type',
      'upload.type_mismatch',
      'upload.empty',
      'upload.damaged',
      'reading.file_too_demanding',
      'upload.encrypted',
      'upload.too_many_pages',
      'upload.too_many_pixels',
      'upload.dicom_directory',
      'archive.unsafe',
      'archive.gave_up',
      'archive.too_many_files',
      'archive.too_large',
      'archive.ratio_too_high',
      'archive.damaged',
      'archive.encrypted',
      'archive.empty',
      'request.aborted',
      'server.disk_full',
      'patient.not_found',
      'auth.forbidden',
    ],
    summary:
      'Stores a file, or every document of a ZIP archive, and queues it for reading. DICOM objects are filed as ' +
      'imaging studies, with the other files of their disc. The form may contain the parameters as fields. A ' +
      'duplicate, and content that the caller can restore from the trash, are answered with 200.',
  }),
  inspect: endpoint({
    method: 'POST',
    path: '/api/documents/inspect',
    access: 'editor',
    file: 'file',
    reply: z.object({
      studies: z.array(
        z.object({
          study_date: z.string().nullable(),
          modality: z.string().nullable(),
          body_part: z.string().nullable(),
          study_description: z.string().nullable(),
          patient_name: z.string().nullable(),
          images: z.int(),
          objects: z.int(),
        }),
      ),
      /** Also those that are too many to be listed. */
      study_count: z.int(),
      images: z.int(),
      /** PDFs, and reports inside of DICOM objects. */
      reports: z.int(),
      /** Pictures that become documents. */
      pictures: z.int(),
      /** Files that are kept beside studies, or left out without any. */
      others: z.int(),
      unreadable: z.int(),
    }),
    errors: [
      'upload.no_file',
      'upload.too_large',
      'upload.too_large_for_disk',
      'upload.unsupported_type',
      'upload.type_mismatch',
      'upload.empty',
      'upload.damaged',
      'archive.too_many_files',
      'archive.too_large',
      'archive.ratio_too_high',
      'archive.damaged',
      'request.aborted',
      'server.disk_full',
    ],
    summary: 'Says what an upload of a file would bring, above all an imaging disc, and stores nothing.',
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/file',
    access: { document: 'read' },
    audit: 'document.download',
    params: idParams,
    query: z.object({ download: z.enum(['0', '1']).optional() }),
    reply: 'bytes',
    errors: ['document.not_found', 'document.no_file', 'document.file_missing'],
    summary: 'Returns the stored file; supports range requests.',
  }),
  pages: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/pages',
    access: { document: 'read' },
    params: idParams,
    reply: z.object({ pages: z.array(pageText) }),
    errors: ['document.not_found'],
    summary: 'Returns the words of each page with their boxes, as a text layer.',
  }),
  pageImage: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/pages/{page}/image',
    access: { document: 'read' },
    params: pageParams,
    query: z.object({
      width: wholeText(64, 4000).default(1240),
      /** Any text. A page that shows the image sends a new one after a change, so that its browser loads it again. */
      v: freeText(100).optional(),
    }),
    reply: 'bytes',
    errors: [
      'document.no_file',
      'document.not_found',
      'document.page_not_found',
      'document.file_missing',
      'upload.damaged',
      'reading.file_too_demanding',
      'upload.too_many_pixels',
    ],
    summary: 'Renders a page upright, for any file type.',
  }),
  thumbnail: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/thumbnail',
    access: { document: 'read' },
    params: idParams,
    reply: 'bytes',
    errors: [
      'document.no_file',
      'document.not_found',
      'document.file_missing',
      'upload.damaged',
      'upload.too_many_pixels',
      'reading.file_too_demanding',
    ],
    summary: 'Returns a thumbnail of the first page.',
  }),
  rename: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/rename',
    access: { document: 'write' },
    audit: 'document.update',
    params: idParams,
    body: z.strictObject({ filename: z.string().min(1).max(1000) }),
    reply: documentDetail,
    errors: ['document.not_found', 'document.invalid_name', 'document.file_missing', 'document.busy'],
    summary:
      'Renames the file on disk and in the database. The extension stays the same; a name that is taken gets -2, ' +
      '-3 and so on.',
  }),
  generateFilename: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/generate-filename',
    access: { document: 'read' },
    params: idParams,
    reply: z.object({
      suggested_filename: z.string(),
      /** Only if a model named it: its reason, and `review` if it is not sure or uses words that are not on a page. */
      by_model: z
        .object({ confidence: z.enum(['high', 'review']), reason: z.string(), usage: stageUsage.nullable() })
        .optional(),
      /** Why a model could not name it, so that the name is from the details. */
      failure: errorReference.optional(),
    }),
    errors: ['document.not_found'],
    summary:
      'Suggests a file name without renaming the document: from its contents by a language model, if one is set up and ' +
      'the user may change the document, otherwise from its details.',
  }),
  findCandidates: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/find-candidates',
    access: { document: 'write' },
    params: idParams,
    reply: z.object({
      candidates: z.array(z.object({ vault_path: z.string(), size: z.int(), modified_at: timestamp })),
      /** The name that was looked for. */
      filename: z.string(),
    }),
    errors: ['document.not_found'],
    summary:
      'Lists files of the vault that could be the missing file of this document; its own file is not one of them.',
  }),
  relink: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/relink',
    access: { document: 'write' },
    audit: 'document.update',
    params: idParams,
    body: z.strictObject({ vault_path: z.string().min(1).max(4096) }),
    reply: documentDetail,
    errors: [
      'document.not_found',
      'document.no_file',
      'vault.path_outside',
      'document.extension_mismatch',
      'document.busy',
    ],
    summary: 'Links a document to another file in the vault.',
  }),
  replaceFile: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/replace-file',
    access: { document: 'write' },
    audit: 'document.update',
    params: idParams,
    file: 'file',
    reply: documentDetail,
    errors: [
      'document.not_found',
      'document.no_file',
      'document.extension_mismatch',
      'upload.no_file',
      'upload.too_large',
      'upload.too_large_for_disk',
      'upload.unsupported_type',
      'upload.type_mismatch',
      'upload.empty',
      'upload.damaged',
      'reading.file_too_demanding',
      'upload.encrypted',
      'document.file_taken',
      'document.busy',
    ],
    summary: 'Replaces the file of a document with one of the same type. The old file goes to the trash.',
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/rotate',
    access: { document: 'write' },
    audit: 'document.update',
    params: idParams,
    body: z.strictObject({
      degrees: z.union([z.literal(90), z.literal(180), z.literal(270), z.literal(-90)]),
      pages: z.array(z.int().min(1)).min(1).max(10_000).optional(),
    }),
    reply: documentDetail,
    errors: [
      'document.not_found',
      'document.not_rotatable',
      'document.page_not_found',
      'document.file_missing',
      'document.busy',
    ],
    summary: 'Rotates pages clockwise for display and reading. The stored file is not changed.',
  }),
} as const;
