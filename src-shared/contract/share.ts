import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  documentRow,
  documentLink,
  imagingSeries,
  imagingStudy,
  joinedNames,
  labResult,
  medication,
  regionTranslation,
  section,
  vaccination,
} from './rows.ts';
import { regionBox } from './translations.ts';
import { freeText, id, idText, numberText, timestamp, wholeText } from './wire.ts';

export { SHARE_PATH, MAX_PAGE_TEXT, CLAIM_SECONDS } from './share-limits.ts';

/** A shared document in the list: a choice of the fields of a document, none of them about its file or its reading. */
const sharedDocument = documentRow
  .pick({
    id: true,
    doc_type: true,
    original_filename: true,
    event_date: true,
    issued_date: true,
    summary_en: true,
    summary_original: true,
    language_source: true,
    page_count: true,
  })
  .extend(joinedNames.pick({ doctor_name: true, facility_name: true, specialty_display: true }).shape);
export type SharedDocument = z.output<typeof sharedDocument>;

export const listedDocument = sharedDocument.extend({
  /** Of the imaging studies of the document. */
  num_images: z.int(),
});
export type ListedDocument = z.output<typeof listedDocument>;

const sharedResult = labResult
  .pick({
    id: true,
    test_name_original: true,
    test_name_canonical: true,
    canonical_code: true,
    value: true,
    value_text: true,
    unit: true,
    reference_range_low: true,
    reference_range_high: true,
    reference_range_comparator: true,
    is_abnormal: true,
    sample_type: true,
    panel_name: true,
    test_date: true,
  })
  .extend({
    /** The value may have been read wrongly: compare it with the page. */
    is_doubtful: z.boolean(),
  });
/** The pictures of a shared document: its imaging studies, with what a viewer needs to begin. */
const sharedStudy = imagingStudy
  .pick({ id: true, modality: true, body_part: true, study_description: true, study_date: true })
  .extend({
    series: z.array(
      imagingSeries.pick({ series_number: true, series_description: true, modality: true, num_images: true }).extend({
        series_id: id,
        /** That of its first object; null where its header names none. */
        window_center: z.number().nullable(),
        window_width: z.number().nullable(),
      }),
    ),
  });
export type SharedStudy = z.output<typeof sharedStudy>;
const ofReading = { document_id: true, evidence: true, edited_fields: true } as const;

const sharedDetail = sharedDocument
  .extend(documentRow.pick({ date_received: true, notes: true }).shape)
  .extend(joinedNames.pick({ specialty_canonical_display: true }).shape)
  .extend({
    has_file: z.boolean(),
    imaging_studies: z.array(sharedStudy),
    lab_results: z.array(sharedResult),
    medications: z.array(medication.omit({ ...ofReading, norm_medication_id: true })),
    vaccinations: z.array(vaccination.omit(ofReading)),
    sections: z.array(section.omit({ ocr_text: true })),
    /** Translations that the household or a recipient of this share made. */
    region_translations: z.array(
      regionTranslation
        .omit({
          ocr_provider_id: true,
          llm_provider_id: true,
          llm_model: true,
          thumbnail_path: true,
          error: true,
          failure: true,
        })
        .extend({ has_thumbnail: z.boolean() }),
    ),
    /** Links to other documents of the share. */
    links: z.array(
      documentLink.pick({
        id: true,
        link_id: true,
        source_document_id: true,
        target_document_id: true,
        link_type: true,
        created_at: true,
      }),
    ),
  });
export type SharedDetail = z.output<typeof sharedDetail>;

const anyToken = z.object({ token: z.string().max(1000) });
const documentParams = z.object({ doc_id: idText });
/** What keeps a stored file from being drawn. */
const drawingErrors = [
  'document.not_found',
  'document.file_missing',
  'document.page_not_found',
  'share.file_not_showable',
  'share.too_many_requests',
  'share.watermark_failed',
  'upload.damaged',
  'upload.encrypted',
  'upload.too_many_pages',
  'upload.too_many_pixels',
  'server.stopping',
] as const;
/** Accepted and ignored: which provider reads and translates is the household's choice. */
const ignoredProvider = freeText(100).nullish();
const translation = {
  target_language: freeText(40).nullish(),
  ocr_provider_id: ignoredProvider,
  llm_provider_id: ignoredProvider,
};
const sessionName = z.string().max(100);
/** Tells whether two replies are about the same share. It opens nothing. */
const shareName = z.string().max(100);
/** `position` is the place in the queue, beginning with 1. */
const seatReply = z.object({
  status: z.enum(['active', 'queued']),
  share: shareName,
  recipient_label: z.string(),
  expires_at: timestamp.optional(),
  queue_expires_at: timestamp.optional(),
  retry_after_seconds: z.int().optional(),
  position: z.int().optional(),
});
export type SeatReply = z.output<typeof seatReply>;
/** Sides of parts that end where the page ends may be rounded. */
const ROUNDING = 1e-6;
const boxOnPage = regionBox.refine(
  ({ x, y, w, h }) => w > 0 && h > 0 && x + w <= 1 + ROUNDING && y + h <= 1 + ROUNDING,
  'The part must be on the page.',
);
/** A seat is 200, a place in the queue 202. */
const seatStatus = {
  status: ({ status }: SeatReply) => (status === 'queued' ? 202 : 200),
  statuses: [200, 202],
} as const;
const translationErrors = [
  'document.not_found',
  'document.file_missing',
  'document.page_not_found',
  'share.file_not_showable',
  'share.language_not_offered',
  'share.translation_unavailable',
  'auth.rate_limited',
] as const;
const queued = z.object({ status: z.literal('queued'), document_id: id, region_id: id });

/** What recipients of shares may call, also in share mode. Their cookies have nothing to do with those of users. */
export const share = {
  info: endpoint({
    method: 'GET',
    path: '/api/share/{token}/info',
    access: 'public',
    inShareMode: true,
    params: anyToken,
    reply: z.object({ delivery: z.enum(['manual', 'email']) }),
    summary: 'Returns how codes are delivered. An unknown link has the usual answer.',
  }),
  requestCode: endpoint({
    method: 'POST',
    path: '/api/share/{token}/request-otp',
    access: 'public',
    inShareMode: true,
    params: anyToken,
    reply: 'empty',
    summary: 'Issues a new code if the link is valid; the reply and its time are the same for every link.',
  }),
  verifyCode: endpoint({
    method: 'POST',
    path: '/api/share/{token}/verify-otp',
    access: 'public',
    inShareMode: true,
    params: anyToken,
    body: z.strictObject({ code: z.string().trim().min(4).max(12) }),
    reply: seatReply,
    ...seatStatus,
    errors: ['share.code_wrong', 'auth.rate_limited', 'share.too_many_requests'],
    summary: 'Opens the share with a code, or answers 202 with a place in the queue while another device has it open.',
  }),
  claim: endpoint({
    method: 'POST',
    path: '/api/share/claim',
    access: 'public',
    inShareMode: true,
    reply: seatReply,
    ...seatStatus,
    errors: ['share.place_expired'],
    summary: 'Takes the seat if it is free; a waiter asks every 5 seconds, which also keeps the place in the queue.',
  }),
  leaveQueue: endpoint({
    method: 'DELETE',
    path: '/api/share/queue',
    access: 'public',
    inShareMode: true,
    reply: 'empty',
    summary: 'Gives up the place in the queue.',
  }),
  heartbeat: endpoint({
    method: 'POST',
    path: '/api/share/heartbeat',
    access: 'public',
    inShareMode: true,
    reply: 'empty',
    summary: 'Keeps the session from becoming idle.',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/share/logout',
    access: 'public',
    inShareMode: true,
    // Pages send it with `sendBeacon` when they are closed, which sets no headers.
    csrfExempt: true,
    // All tabs of a browser send the cookies of the last one that was let in.
    body: z.strictObject({ session: sessionName.nullish(), share: shareName.optional() }).optional(),
    reply: z.object({ ok: z.literal(true) }),
    summary:
      'Ends the session and the place in the queue, and clears their cookies. With the name of a session, it ends that ' +
      'one only, if the cookie is its own; with null, the place only, and with the name of a share, one of that share.',
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/share/me',
    access: 'recipient',
    inShareMode: true,
    reply: z.object({
      /** Names the session in `logout`. It opens nothing. */
      session: sessionName,
      share: shareName,
      recipient_label: z.string(),
      patient_name: z.string(),
      share_expires_at: timestamp,
      session_expires_at: timestamp,
      documents: z.array(listedDocument),
      translate_rate_limit: z.object({
        per_share_per_hour: z.int(),
        used_in_last_hour: z.int(),
        remaining_in_last_hour: z.int(),
        debounce_seconds_remaining: z.int(),
      }),
      /** Null if nothing translates here. */
      default_translation_language: z.string().nullable(),
      allowed_translation_languages: z.array(z.string()),
    }),
    summary: 'Returns what is shared, with whom and until when.',
  }),
  document: endpoint({
    method: 'GET',
    path: '/api/share/documents/{doc_id}',
    access: 'recipient',
    audit: 'view_doc',
    inShareMode: true,
    params: documentParams,
    reply: sharedDetail,
    errors: ['document.not_found'],
    summary: 'Returns a shared document with its results, without notes of encounters and without its text.',
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/share/documents/{doc_id}/file',
    access: 'recipient',
    audit: 'view_file',
    inShareMode: true,
    params: documentParams,
    reply: 'bytes',
    errors: drawingErrors,
    summary:
      'Returns a copy of the file, drawn anew with the name of the recipient and the time on every page: PDF, and PNG ' +
      'for images of one page. Nothing else of the original leaves.',
  }),
  page: endpoint({
    method: 'GET',
    path: '/api/share/documents/{doc_id}/pages/{page}/image',
    access: 'recipient',
    audit: 'view_file',
    inShareMode: true,
    params: documentParams.extend({ page: wholeText(1, 10_000) }),
    reply: 'bytes',
    errors: drawingErrors,
    summary: 'Returns one page of that copy as PNG.',
  }),
  pageText: endpoint({
    method: 'GET',
    path: '/api/share/documents/{doc_id}/pages/{page}/text',
    access: 'recipient',
    audit: 'view_text',
    inShareMode: true,
    params: documentParams.extend({ page: wholeText(1, 10_000) }),
    reply: z.object({
      page: z.int(),
      text: z.string(),
      /** The page has more text than MAX_PAGE_TEXT. */
      is_cut: z.boolean(),
    }),
    errors: [...drawingErrors, 'share.text_unavailable'],
    summary:
      'Returns the text of one page, to be read aloud or searched: only what the page shows, without hidden text and ' +
      'without the text behind a scan. Lines as printed.',
  }),
  frame: endpoint({
    method: 'GET',
    path: '/api/share/documents/{doc_id}/series/{series_id}/frame/{index}',
    access: 'recipient',
    audit: 'view_file',
    inShareMode: true,
    params: documentParams.extend({ series_id: idText, index: wholeText(0, 10_000_000) }),
    query: z.object({
      /** Center and width of the window, in the unit of the pixels; each may come alone. */
      wc: numberText(-1e9, 1e9).optional(),
      ww: numberText(1e-6, 1e9).optional(),
    }),
    reply: 'bytes',
    errors: [
      'document.not_found',
      'document.file_missing',
      'imaging.frame_not_found',
      'imaging.frame_damaged',
      'imaging.frame_unsupported',
      'imaging.frame_too_demanding',
      'share.watermark_failed',
      'server.stopping',
    ],
    summary:
      'Draws a frame of an imaging study of a shared document as PNG, with the name of the recipient and the time. ' +
      'Neither stored values nor DICOM objects leave.',
  }),
  regionThumbnail: endpoint({
    method: 'GET',
    path: '/api/share/documents/{doc_id}/region-translations/{region_id}/thumbnail',
    access: 'recipient',
    inShareMode: true,
    params: documentParams.extend({ region_id: idText }),
    reply: 'bytes',
    errors: drawingErrors,
    summary: 'Returns the part of a page that was translated, as PNG with the name of the recipient.',
  }),
  translateRegion: endpoint({
    method: 'POST',
    path: '/api/share/documents/{doc_id}/translate-region',
    access: 'recipient',
    inShareMode: true,
    params: documentParams,
    body: z.strictObject({
      page: z.int().min(1).max(10_000),
      bbox: boxOnPage,
      ...translation,
    }),
    reply: queued,
    errors: translationErrors,
    summary:
      'Queues the translation of what is seen in a part of a page, where a model may translate for the share. The ' +
      'document has the result. One every 30 seconds for a session and 20 an hour for a share.',
  }),
  translate: endpoint({
    method: 'POST',
    path: '/api/share/documents/{doc_id}/translate',
    access: 'recipient',
    inShareMode: true,
    params: documentParams,
    body: z.strictObject(translation).optional(),
    reply: queued,
    errors: translationErrors,
    summary: 'Deprecated: translates the first page. Use translate-region, which takes any page.',
  }),
} as const;
