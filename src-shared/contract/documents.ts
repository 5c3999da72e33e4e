import { z } from 'zod';
import { documentFiles } from './document-files.ts';
import { endpoint } from './endpoint.ts';
import { documentNaming, documentType } from './document-naming.ts';
import { documentDetail, documentListItem, eventLink, labResult, stageEvent } from './rows.ts';
import { TRASH_DAYS } from './trash.ts';
import { civilDate, freeText, shownText, id, idParams, idText, listText, order, timestamp, wholeText } from './wire.ts';

const DOCUMENT_SORTS = [
  'event_date',
  'original_filename',
  'doc_type',
  'doctor',
  'facility',
  'patient',
  'specialty',
  'status',
  'created_at',
] as const;
export type DocumentSort = (typeof DOCUMENT_SORTS)[number];
/** Names of other clients for the same orders. */
const SORT_ALIASES = {
  file: 'original_filename',
  type: 'doc_type',
  date: 'event_date',
  date_added: 'created_at',
} as const satisfies Record<string, DocumentSort>;
type SortAlias = keyof typeof SORT_ALIASES;
const documentSort = z
  .enum([...DOCUMENT_SORTS, ...(Object.keys(SORT_ALIASES) as SortAlias[])])
  .transform((name): DocumentSort => (name in SORT_ALIASES ? SORT_ALIASES[name as SortAlias] : (name as DocumentSort)));

/** Filters shared by the list and its facets. Lists are comma-separated; `__blank__` means "has none". */
const filters = z.object({
  patient_id: idText.optional(),
  type: listText.optional(),
  date_from: civilDate.optional(),
  date_to: civilDate.optional(),
  status: listText.optional(),
  q: z.string().max(1000).optional(),
  specialty: listText.optional(),
  doctor_id: listText.optional(),
  facility_id: listText.optional(),
  /** Ids or names. */
  doctor: listText.optional(),
  facility: listText.optional(),
  event_id: listText.optional(),
  tag: listText.optional(),
});

/** Writable details; `doctor_name` and `facility_name` are resolved through aliases. */
const documentChanges = z.strictObject({
  patient_id: id.nullish(),
  /** The user's own title; null for one that clients compose. */
  title: shownText(200).nullish(),
  doc_type: documentType.nullish(),
  event_date: civilDate.nullish(),
  issued_date: civilDate.nullish(),
  doctor_id: id.nullish(),
  doctor_name: shownText(200).nullish(),
  facility_id: id.nullish(),
  facility_name: shownText(200).nullish(),
  specialty_original: shownText(200).nullish(),
  summary_en: freeText(20_000).nullish(),
  event_id: id.nullish(),
  /** All events of the document, instead of those that it has; to undo a change of `event_id` or `patient_id`. */
  event_links: z.array(eventLink).max(500).optional(),
  notes: freeText(100_000).nullish(),
  tags: z.union([freeText(2000), z.array(freeText(100)).max(100)]).nullish(),
  user_notes: freeText(100_000).nullish(),
  original_filename: freeText(255).optional(),
});
export type DocumentChanges = z.output<typeof documentChanges>;

/** A search line that has hits. */
const nearLine = z.object({ text: z.string(), total: z.int() });
const queued = z.object({ status: z.literal('queued'), document_id: id });
const facet = z.object({ value: z.string(), label: z.string(), count: z.int() });

export const documents = {
  list: endpoint({
    method: 'GET',
    path: '/api/documents',
    access: { patient: 'read', from: 'query.patient_id' },
    query: filters.extend({
      sort: documentSort.optional(),
      order: order.optional(),
      limit: wholeText(1, 500).default(50),
      offset: wholeText(0, 10_000_000).default(0),
    }),
    reply: z.object({ items: z.array(documentListItem), total: z.int(), limit: z.int(), offset: z.int() }),
    errors: ['search.syntax'],
    summary:
      'Lists, filters, searches and sorts the documents that the caller may see. The default order is newest ' +
      'medical date first, documents without a date last.',
  }),
  failed: endpoint({
    method: 'GET',
    path: '/api/documents/failed',
    access: 'session',
    reply: z.object({ items: z.array(documentListItem), total: z.int(), limit: z.int(), offset: z.int() }),
    summary: 'Lists documents that could not be read.',
  }),
  retryAllFailed: endpoint({
    method: 'POST',
    path: '/api/documents/retry-all-failed',
    access: 'admin',
    audit: 'document.reprocess',
    reply: z.object({ status: z.literal('queued'), count: z.int() }),
    summary: 'Queues all failed documents again, after all other work.',
  }),
  scheduleBatch: endpoint({
    method: 'POST',
    path: '/api/documents/schedule-batch',
    access: 'editor',
    audit: 'document.reprocess',
    body: z.strictObject({ document_ids: z.array(id).min(1).max(1000), process_at: timestamp.nullish() }),
    reply: z.object({
      status: z.literal('scheduled'),
      count: z.int(),
      /** The same as `count`. */
      scheduled: z.int(),
      process_at: timestamp.nullable(),
    }),
    errors: ['document.not_found', 'document.no_file', 'auth.forbidden'],
    summary: 'Reads the documents again, now or not before a given time.',
  }),
  facets: endpoint({
    method: 'GET',
    path: '/api/documents/facets',
    access: { patient: 'read', from: 'query.patient_id' },
    query: filters,
    reply: z.object({
      types: z.array(facet),
      doctors: z.array(facet),
      facilities: z.array(facet),
      specialties: z.array(facet),
      statuses: z.array(facet),
      years: z.array(facet),
      events: z.array(facet),
      tags: z.array(facet),
    }),
    errors: ['search.syntax'],
    summary: 'Returns the filter values with their numbers of documents.',
  }),
  suggest: endpoint({
    method: 'GET',
    path: '/api/documents/suggest',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ q: z.string().max(1000), patient_id: idText.optional(), limit: wholeText(1, 20).default(8) }),
    reply: z.object({
      documents: z.array(
        documentNaming.extend({
          id,
          patient_id: id.nullable(),
          patient_name: z.string().nullable(),
          snippet: z.string(),
        }),
      ),
      doctors: z.array(z.object({ id, name: z.string() })),
      facilities: z.array(z.object({ id, name: z.string() })),
      tests: z.array(
        labResult
          .pick({
            value: true,
            value_text: true,
            unit: true,
            reference_range_low: true,
            reference_range_high: true,
            is_abnormal: true,
            test_date: true,
            doubt: true,
            test_names: true,
            test_name_canonical: true,
          })
          .extend({ test: z.string(), patient_id: id, patient_name: z.string() }),
      ),
    }),
    summary:
      'Returns suggestions while the user types: documents, doctors, facilities, and tests with the last result of ' +
      'each patient.',
  }),
  nearHits: endpoint({
    method: 'GET',
    path: '/api/documents/near-hits',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({ q: z.string().max(1000), patient_id: idText.optional() }),
    reply: z.object({
      near: z.array(nearLine),
      everyone: z.number().int(),
      near_everyone: z.array(nearLine),
    }),
    summary:
      'Returns what a search without hits may have meant: similar search lines with their numbers of hits, and with a ' +
      'patient the number of hits for all people, or similar lines that have hits for them.',
  }),
  ...documentFiles,
  get: endpoint({
    method: 'GET',
    path: '/api/documents/{id}',
    access: { document: 'read' },
    params: idParams,
    reply: documentDetail,
    errors: ['document.not_found'],
    summary: 'Returns a document with all extracted values and their evidence.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/documents/{id}',
    access: { document: 'write' },
    audit: 'document.update',
    params: idParams,
    body: documentChanges,
    reply: documentDetail,
    errors: [
      'document.not_found',
      'document.doctor_not_found',
      'document.facility_not_found',
      'document.event_not_found',
      'document.invalid_name',
      'patient.not_found',
      'document.busy',
    ],
    summary: 'Changes the details of a document. The file moves if the change affects its folder or name.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/documents/{id}',
    access: { document: 'write' },
    audit: 'document.delete',
    params: idParams,
    query: z.object({ keep_results: z.enum(['true', 'false', '1', '0']).optional() }),
    reply: z.object({ status: z.literal('deleted'), document_id: id, trash_id: id, undo_until: timestamp }),
    errors: ['document.not_found', 'imaging.being_filed'],
    summary:
      `Moves a document and its file to the trash. Can be undone for ${TRASH_DAYS} days. With keep_results=true ` +
      'its lab results stay with the patient.',
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/move',
    access: { document: 'write' },
    audit: 'document.update',
    params: idParams,
    body: z.strictObject({ patient_id: id }),
    reply: documentDetail,
    errors: ['document.not_found', 'patient.not_found', 'document.busy'],
    summary: 'Moves a document with its rows and its file to another patient.',
  }),
  reprocess: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/reprocess',
    access: { document: 'write' },
    audit: 'document.reprocess',
    params: idParams,
    status: 202,
    body: z
      .strictObject({
        mode: z.enum(['ocr', 'llm', 'both', 'vision_llm']).default('both'),
        llm_provider_id: z.string().max(100).nullish(),
        ocr_provider_id: z.string().max(100).nullish(),
        vision_provider_id: z.string().max(100).nullish(),
      })
      .default({ mode: 'both' }),
    reply: queued,
    errors: [
      'document.not_found',
      'document.no_file',
      'document.file_missing',
      'document.provider_not_found',
      'reading.no_vision_model',
      'reading.nothing_set_up',
    ],
    summary:
      'Queues a document for reading again, before waiting uploads and after the running job. Without a body it is ' +
      'read as a whole. A reading that cannot run is refused, and the document stays as it is.',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/cancel',
    access: { document: 'write' },
    params: idParams,
    reply: z.object({
      status: z.literal('cancelled'),
      document_id: id,
      /** Whether it was being read, not only waiting. */
      hard_cancelled: z.boolean(),
    }),
    errors: ['document.not_found', 'document.not_queued'],
    summary: 'Removes a document from the queue or stops reading it.',
  }),
  stages: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/stages',
    access: { document: 'read' },
    params: idParams,
    reply: z.object({ document_id: id, events: z.array(stageEvent) }),
    errors: ['document.not_found'],
    summary: 'Lists the processing stages of a document, oldest first.',
  }),
  markReviewed: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/mark-reviewed',
    access: { document: 'write' },
    audit: 'document.update',
    params: idParams,
    query: z.object({ rows: z.enum(['with_rows', 'without_rows']).default('with_rows') }),
    reply: documentDetail,
    errors: ['document.not_found', 'document.busy'],
    summary:
      'Marks a document as reviewed: clears its review reasons and the doubts about its results. `without_rows` keeps ' +
      'those, because they are asked about one by one. A document that could not be read is done then, too.',
  }),
  relevant: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/relevant',
    access: { document: 'read' },
    params: idParams,
    reply: z.object({ items: z.array(documentListItem) }),
    errors: ['document.not_found'],
    summary: 'Lists related documents of the same patient, by event, date, doctor or facility.',
  }),
} as const;
