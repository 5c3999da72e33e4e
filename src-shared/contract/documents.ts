import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { documentDetail, documentListItem, documentType, pageText, stageEvent } from './rows.ts';
import { civilDate, freeText, shownText, id, idParams, idText, listText, order, timestamp, wholeText } from './wire.ts';

const DOCUMENT_SORTS = ['event_date', 'original_filename', 'doc_type', 'doctor', 'facility', 'specialty', 'status', 'created_at'] as const;
const documentSort = z.enum(DOCUMENT_SORTS);
export type DocumentSort = z.output<typeof documentSort>;

/** Filters shared by the list and its facets. Lists are comma-separated; `__blank__` means "has none". */
const filters = z.object({
  patient_id: idText.optional(), type: listText.optional(), date_from: civilDate.optional(), date_to: civilDate.optional(),
  status: listText.optional(), q: z.string().max(1000).optional(), specialty: listText.optional(), doctor_id: listText.optional(),
  facility_id: listText.optional(), event_id: listText.optional(), tag: listText.optional(),
});

/** Writable metadata; `doctor_name` and `facility_name` are written through the alias-aware name rules. */
const documentChanges = z.strictObject({
  patient_id: id.nullish(), doc_type: documentType.nullish(), event_date: civilDate.nullish(), issued_date: civilDate.nullish(),
  doctor_id: id.nullish(), doctor_name: shownText(200).nullish(), facility_id: id.nullish(), facility_name: shownText(200).nullish(),
  specialty_original: shownText(200).nullish(), summary_en: freeText(20_000).nullish(), event_id: id.nullish(), notes: freeText(100_000).nullish(),
  tags: z.union([freeText(2000), z.array(freeText(100)).max(100)]).nullish(), user_notes: freeText(100_000).nullish(), original_filename: freeText(255).optional(),
});
export type DocumentChanges = z.output<typeof documentChanges>;

const uploaded = z.object({ filename: z.string(), status: z.literal('pending'), document_id: id, message: z.string() });
const duplicate = z.object({
  filename: z.string(), status: z.literal('duplicate'), existing_document_id: id.nullable(), existing_filename: z.string().nullable(),
  existing_patient_id: id.nullable(), message: z.string(), trash_id: id.optional(),
});
const unpacked = z.object({
  filename: z.string(), status: z.literal('extracted'), extracted: z.int(), dicom: z.int(), other: z.int(), message: z.string(),
  documents: z.array(z.union([uploaded, duplicate])), skipped: z.array(z.object({ filename: z.string(), code: z.string(), detail: z.string() })),
});

const pageParams = idParams.extend({ page: wholeText(1, 100_000) });
const queued = z.object({ status: z.literal('queued'), document_id: id });
const facet = z.object({ value: z.string(), label: z.string(), count: z.int() });

export const documents = {
  list: endpoint({
    method: 'GET', path: '/api/documents', access: { patient: 'read', from: 'query.patient_id' },
    query: filters.extend({
      sort: documentSort.optional(), order: order.optional(), limit: wholeText(1, 500).default(50), offset: wholeText(0, 10_000_000).default(0),
    }),
    reply: z.object({ items: z.array(documentListItem), total: z.int(), limit: z.int(), offset: z.int() }),
    errors: ['search.syntax'],
    summary: 'Documents that the caller may see, filtered, searched and sorted; newest medical date first, those without a date last.',
  }),
  failed: endpoint({
    method: 'GET', path: '/api/documents/failed', access: 'session',
    reply: z.object({ items: z.array(documentListItem), total: z.int(), limit: z.int(), offset: z.int() }),
    summary: 'Documents whose reading failed.',
  }),
  retryAllFailed: endpoint({
    method: 'POST', path: '/api/documents/retry-all-failed', access: 'admin', audit: 'document.reprocess',
    reply: z.object({ status: z.literal('queued'), count: z.int() }),
    summary: 'Queues every failed document again, after all other work.',
  }),
  scheduleBatch: endpoint({
    method: 'POST', path: '/api/documents/schedule-batch', access: 'editor', audit: 'document.reprocess',
    body: z.strictObject({ document_ids: z.array(id).min(1).max(1000), process_at: timestamp.nullish() }),
    reply: z.object({ status: z.literal('scheduled'), count: z.int() }),
    errors: ['document.not_found', 'auth.forbidden'],
    summary: 'Reads the documents again, now or not before a given time.',
  }),
  facets: endpoint({
    method: 'GET', path: '/api/documents/facets', access: { patient: 'read', from: 'query.patient_id' }, query: filters,
    reply: z.object({ types: z.array(facet), doctors: z.array(facet), facilities: z.array(facet), specialties: z.array(facet), statuses: z.array(facet), years: z.array(facet), events: z.array(facet), tags: z.array(facet) }),
    errors: ['search.syntax'],
    summary: 'What can be filtered by, each with its number of documents.',
  }),
  suggest: endpoint({
    method: 'GET', path: '/api/documents/suggest', access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ q: z.string().max(1000), patient_id: idText.optional(), limit: wholeText(1, 20).default(8) }),
    reply: z.object({
      documents: z.array(z.object({ id, title: z.string().nullable(), original_filename: z.string(), doc_type: documentType.nullable(), event_date: civilDate.nullable(), patient_name: z.string().nullable(), snippet: z.string() })),
      doctors: z.array(z.object({ id, name: z.string() })), facilities: z.array(z.object({ id, name: z.string() })), tests: z.array(z.string()),
    }),
    summary: 'Hits while a person types: documents, doctors, facilities and tests.',
  }),
  upload: endpoint({
    method: 'POST', path: '/api/documents/upload', access: 'editor', audit: 'document.create', file: 'file',
    query: z.object({
      patient_id: idText.optional(), event_id: idText.optional(),
      /** Where the file is from, for its notes; and the day that it is from, which counts while the document tells none. */
      origin: freeText(2000).optional(), original_date: civilDate.optional(),
    }),
    reply: z.union([uploaded, duplicate, unpacked]),
    status: (reply: { status: string }) => (reply.status === 'duplicate' ? 200 : 201),
    errors: ['upload.no_file', 'upload.too_large', 'upload.type', 'upload.type_mismatch', 'upload.empty', 'upload.damaged', 'upload.encrypted', 'upload.too_many_pages', 'upload.too_many_pixels', 'upload.dicom_unsupported', 'archive.unsafe', 'archive.bomb', 'archive.damaged', 'archive.encrypted', 'archive.empty', 'request.aborted', 'server.disk_full', 'patient.not_found', 'auth.forbidden'],
    summary: 'Stores one file, or every document of a ZIP, and queues it for reading. A file that is already there is answered with 200.',
  }),
  get: endpoint({
    method: 'GET', path: '/api/documents/{id}', access: { document: 'read' }, params: idParams,
    reply: documentDetail, errors: ['document.not_found'],
    summary: 'One document with everything that was read from it and where.',
  }),
  file: endpoint({
    method: 'GET', path: '/api/documents/{id}/file', access: { document: 'read' }, audit: 'document.download', params: idParams,
    query: z.object({ download: z.enum(['0', '1']).optional() }),
    reply: 'bytes', errors: ['document.not_found', 'document.file_missing'],
    summary: 'The stored file, whole or by ranges.',
  }),
  pages: endpoint({
    method: 'GET', path: '/api/documents/{id}/pages', access: { document: 'read' }, params: idParams,
    reply: z.object({ pages: z.array(pageText) }), errors: ['document.not_found'],
    summary: 'The words of each page with their boxes, as a text layer.',
  }),
  pageImage: endpoint({
    method: 'GET', path: '/api/documents/{id}/pages/{page}/image', access: { document: 'read' }, params: pageParams,
    query: z.object({ width: wholeText(64, 4000).default(1240) }),
    reply: 'bytes', errors: ['document.not_found', 'document.no_page', 'document.file_missing', 'upload.damaged', 'upload.too_many_pixels'],
    summary: 'A page as a person sees it, upright, of any file type.',
  }),
  thumbnail: endpoint({
    method: 'GET', path: '/api/documents/{id}/thumbnail', access: { document: 'read' }, params: idParams,
    reply: 'bytes', errors: ['document.not_found', 'document.file_missing', 'upload.damaged', 'upload.too_many_pixels'],
    summary: 'The first page, small.',
  }),
  update: endpoint({
    method: 'PATCH', path: '/api/documents/{id}', access: { document: 'write' }, audit: 'document.update', params: idParams, body: documentChanges,
    reply: documentDetail,
    errors: ['document.not_found', 'document.doctor_not_found', 'document.facility_not_found', 'document.event_not_found', 'document.bad_name', 'patient.not_found', 'document.busy'],
    summary: 'Changes what is known of a document; its file moves along when its folder or name follows from that.',
  }),
  remove: endpoint({
    method: 'DELETE', path: '/api/documents/{id}', access: { document: 'write' }, audit: 'document.delete', params: idParams,
    query: z.object({ keep_results: z.enum(['true', 'false', '1', '0']).optional() }),
    reply: z.object({ status: z.literal('deleted'), document_id: id, trash_id: id, undo_until: timestamp }),
    errors: ['document.not_found'],
    summary: 'Moves a document and its file to the trash, where it can be undone for 30 days; with `keep_results=true` its lab results stay with the patient.',
  }),
  move: endpoint({
    method: 'POST', path: '/api/documents/{id}/move', access: { document: 'write' }, audit: 'document.update', params: idParams,
    body: z.strictObject({ patient_id: id }), reply: documentDetail, errors: ['document.not_found', 'patient.not_found', 'document.busy'],
    summary: 'Gives a document, its rows and its file to another patient.',
  }),
  reprocess: endpoint({
    method: 'POST', path: '/api/documents/{id}/reprocess', access: { document: 'write' }, audit: 'document.reprocess', params: idParams, status: 202,
    body: z.strictObject({
      mode: z.enum(['ocr', 'llm', 'both', 'vision_llm']).default('both'),
      llm_provider_id: z.string().max(100).nullish(), ocr_provider_id: z.string().max(100).nullish(), vision_provider_id: z.string().max(100).nullish(),
    }).default({ mode: 'both' }),
    reply: queued, errors: ['document.not_found', 'document.file_missing', 'document.provider_not_found'],
    summary: 'Reads a document again, before waiting uploads and after the job in flight.',
  }),
  cancel: endpoint({
    method: 'POST', path: '/api/documents/{id}/cancel', access: { document: 'write' }, params: idParams,
    reply: z.object({ status: z.literal('cancelled'), document_id: id }), errors: ['document.not_found', 'document.not_waiting'],
    summary: 'Takes a document out of the queue or stops its reading.',
  }),
  stages: endpoint({
    method: 'GET', path: '/api/documents/{id}/stages', access: { document: 'read' }, params: idParams,
    reply: z.object({ document_id: id, events: z.array(stageEvent) }), errors: ['document.not_found'],
    summary: 'What was done with a document, oldest first.',
  }),
  rename: endpoint({
    method: 'POST', path: '/api/documents/{id}/rename', access: { document: 'write' }, audit: 'document.update', params: idParams,
    body: z.strictObject({ filename: z.string().min(1).max(1000) }), reply: documentDetail, errors: ['document.not_found', 'document.bad_name', 'document.file_missing', 'document.busy'],
    summary: 'Renames the file on disk and in the database; the extension stays, a taken name gets -2, -3 and so on.',
  }),
  generateFilename: endpoint({
    method: 'POST', path: '/api/documents/{id}/generate-filename', access: { document: 'read' }, params: idParams,
    reply: z.object({ suggested_filename: z.string() }), errors: ['document.not_found'],
    summary: 'A file name made from what is known of the document; nothing is renamed.',
  }),
  findCandidates: endpoint({
    method: 'GET', path: '/api/documents/{id}/find-candidates', access: { document: 'write' }, params: idParams,
    reply: z.object({ candidates: z.array(z.object({ vault_path: z.string(), size: z.int(), modified_at: timestamp })) }), errors: ['document.not_found'],
    summary: 'Files of the vault that could be the missing file of this document.',
  }),
  relink: endpoint({
    method: 'POST', path: '/api/documents/{id}/relink', access: { document: 'write' }, audit: 'document.update', params: idParams,
    body: z.strictObject({ vault_path: z.string().min(1).max(4096) }), reply: documentDetail, errors: ['document.not_found', 'vault.outside', 'document.extension_differs', 'document.busy'],
    summary: 'Points a document to a file that lies in the vault.',
  }),
  replaceFile: endpoint({
    method: 'POST', path: '/api/documents/{id}/replace-file', access: { document: 'write' }, audit: 'document.update', params: idParams, file: 'file',
    reply: documentDetail, errors: ['document.not_found', 'document.extension_differs', 'upload.no_file', 'upload.too_large', 'upload.type', 'upload.type_mismatch', 'upload.empty', 'upload.damaged', 'upload.encrypted', 'document.busy'],
    summary: 'Stores another file of the same type for this document; the old one goes to the trash.',
  }),
  markReviewed: endpoint({
    method: 'POST', path: '/api/documents/{id}/mark-reviewed', access: { document: 'write' }, audit: 'document.update', params: idParams,
    reply: documentDetail, errors: ['document.not_found', 'document.busy'],
    summary: 'Says that a person has looked at it: its reasons for review go away.',
  }),
  rotate: endpoint({
    method: 'POST', path: '/api/documents/{id}/rotate', access: { document: 'write' }, audit: 'document.update', params: idParams,
    body: z.strictObject({ degrees: z.union([z.literal(90), z.literal(180), z.literal(270), z.literal(-90)]), pages: z.array(z.int().min(1)).min(1).max(10_000).optional() }),
    reply: documentDetail, errors: ['document.not_found', 'document.not_rotatable', 'document.no_page', 'document.file_missing', 'document.busy'],
    summary: 'Turns pages clockwise as they are shown and read; the stored file is not changed.',
  }),
  relevant: endpoint({
    method: 'GET', path: '/api/documents/{id}/relevant', access: { document: 'read' }, params: idParams,
    reply: z.object({ items: z.array(documentListItem) }), errors: ['document.not_found'],
    summary: 'Other documents of the patient that belong near this one.',
  }),
} as const;
