import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { LANGUAGES, type LanguageCode } from './language-names.ts';
import { id, idParams, idText } from './wire.ts';

/** The English name of a language of translations. */
export const translationLanguage = z.enum(Object.values(LANGUAGES) as [(typeof LANGUAGES)[LanguageCode]]);
const fraction = z.number().min(0).max(1);
/** A part of a page in fractions of its displayed size, from the top left corner. */
export const regionBox = z.strictObject({ x: fraction, y: fraction, w: fraction, h: fraction });
const provider = z.string().max(100).nullish();
const regionParams = idParams.extend({ region_id: idText });
const REQUEST_ERRORS = [
  'document.not_found',
  'document.no_file',
  'document.provider_not_found',
  'model.not_set_up',
] as const;

export const translations = {
  translate: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/translate',
    access: { document: 'write' },
    audit: 'document.translate',
    params: idParams,
    status: 202,
    body: z.strictObject({ llm_provider_id: provider }).default({}),
    reply: z.object({ status: z.literal('queued'), document_id: id }),
    errors: REQUEST_ERRORS,
    summary:
      'Queues the translation of a document into English, page by page, from the text that was read. `ocr_text_en` has ' +
      'it; pages are separated by form feeds.',
  }),
  translateRegion: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/translate-region',
    access: { document: 'write' },
    audit: 'document.translate',
    params: idParams,
    status: 202,
    body: z.strictObject({
      page: z.int().min(1).max(10_000),
      bbox: regionBox,
      target_language: translationLanguage.nullish(),
      ocr_provider_id: provider,
      llm_provider_id: provider,
    }),
    reply: z.object({ status: z.literal('queued'), document_id: id, region_id: id }),
    errors: REQUEST_ERRORS,
    summary:
      'Stores a row for a part of a page and queues its translation, by default into the language of the settings. ' +
      'The row has the status, and the error of a failure.',
  }),
  removeRegion: endpoint({
    method: 'DELETE',
    path: '/api/documents/{id}/region-translations/{region_id}',
    access: { document: 'write' },
    audit: 'document.translation_delete',
    params: regionParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: ['document.not_found', 'document.region_not_found'],
    summary: 'Deletes the translation of a part of a page, with its picture.',
  }),
  regionThumbnail: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/region-translations/{region_id}/thumbnail',
    access: { document: 'read' },
    params: regionParams,
    reply: 'bytes',
    errors: [
      'document.not_found',
      'document.region_not_found',
      'document.file_missing',
      'document.page_not_found',
      'reading.file_too_demanding',
      'upload.damaged',
      'upload.encrypted',
    ],
    summary: 'Returns the translated part of the page as PNG.',
  }),
  defaults: endpoint({
    method: 'GET',
    path: '/api/settings/translation-defaults',
    access: 'session',
    reply: z.object({
      target_language: translationLanguage,
      allowed_languages: z.array(translationLanguage),
      /** A model is set up that can translate. */
      available: z.boolean(),
    }),
    summary: 'Returns the languages into which parts of pages are translated.',
  }),
} as const;
