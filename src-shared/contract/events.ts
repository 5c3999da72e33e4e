import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { patternText } from './field-errors.ts';
import { documentListItem, relevance } from './rows.ts';
import { civilDate, freeText, id, idParams, idText, listText, nameText, timestamp, wholeText } from './wire.ts';
import { EVENT_TYPES, SEVERITIES } from './event-types.ts';

export { EVENT_TYPES, SEVERITIES, type EventType } from './event-types.ts';

export type Relevance = z.output<typeof relevance>;

const eventType = z.enum(EVENT_TYPES);
const severity = z.enum(SEVERITIES);
/** `#0b7285`, or the name of a chart color of the user interface. */
const color = patternText(/^(#[0-9a-fA-F]{6}|[a-z][a-z0-9-]{0,30})$/, 'field.not_a_color', z.string().max(32));
const text = z.string().nullable();

const eventRow = z.object({
  id,
  patient_id: id,
  title: z.string(),
  event_type: eventType,
  description: text,
  date_start: civilDate.nullable(),
  date_end: civilDate.nullable(),
  is_ongoing: z.boolean(),
  severity: severity.nullable(),
  diagnosis_text: text,
  icd10_code: text,
  specialty_text: text,
  notes: text,
  color: text,
  norm_diagnosis_id: id.nullable(),
  norm_specialty_id: id.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  patient_name: text,
  document_count: z.int(),
});
export type EventRow = z.output<typeof eventRow>;
const eventDetail = eventRow.extend({
  documents: z.array(
    documentListItem.extend({
      /** The same as `id`. */
      document_id: id,
      /** Identifies the link; a document is unlinked by its own id. */
      link_id: id,
      relevance,
      auto_linked: z.boolean(),
    }),
  ),
});
export type EventDetail = z.output<typeof eventDetail>;

const writable = {
  event_type: eventType.optional(),
  description: freeText(20_000).nullish(),
  date_start: civilDate.nullish(),
  date_end: civilDate.nullish(),
  is_ongoing: z.boolean().optional(),
  severity: severity.nullish(),
  diagnosis_text: freeText(1000).nullish(),
  icd10_code: freeText(20).nullish(),
  specialty_text: freeText(200).nullish(),
  notes: freeText(100_000).nullish(),
  color: color.nullish(),
};
const newEvent = z.strictObject({ patient_id: id, title: nameText, ...writable });
const eventChanges = z.strictObject({ patient_id: id.optional(), title: nameText.optional(), ...writable });
export type EventChanges = z.output<typeof eventChanges>;
export type NewEvent = z.output<typeof newEvent>;

const ok = z.object({ ok: z.literal(true) });

export const events = {
  list: endpoint({
    method: 'GET',
    path: '/api/events',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({
      patient_id: idText.optional(),
      event_type: listText.optional(),
      limit: wholeText(1, 2000).default(500),
      offset: wholeText(0, 10_000_000).default(0),
    }),
    reply: z.object({ items: z.array(eventRow), total: z.int(), limit: z.int(), offset: z.int() }),
    summary: 'Lists events of the patients that the caller may see, newest start first, events without a date last.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/events/{id}',
    access: { event: 'read' },
    params: idParams,
    reply: eventDetail,
    errors: ['event.not_found'],
    summary: 'Returns an event with its documents, oldest first.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/events',
    access: { patient: 'write', from: 'body.patient_id' },
    audit: 'event.create',
    status: 201,
    body: newEvent,
    reply: z.object({ id, title: z.string() }),
    errors: ['patient.not_found', 'event.invalid_date_range', 'event.ongoing_with_end'],
    summary: 'Creates an event.',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/events/{id}',
    access: { event: 'write' },
    audit: 'event.update',
    params: idParams,
    body: eventChanges,
    reply: ok,
    errors: [
      'event.not_found',
      'event.invalid_date_range',
      'event.ongoing_with_end',
      'event.has_documents',
      'patient.not_found',
      'auth.forbidden',
    ],
    summary: 'Changes an event. A new title renames the folder of its documents.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/events/{id}',
    access: { event: 'write' },
    audit: 'event.delete',
    params: idParams,
    query: z.object({ delete_documents: z.enum(['true', 'false', '1', '0']).optional() }),
    reply: ok.extend({ trash_id: id, undo_until: timestamp, document_ids: z.array(id) }),
    errors: ['event.not_found', 'imaging.being_filed'],
    summary:
      'Moves an event to the trash and unlinks its documents; with `delete_documents=true` they go to the trash ' +
      'too. One undo restores everything.',
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/events/{id}/link',
    access: { event: 'write' },
    audit: 'event.link',
    params: idParams,
    body: z.strictObject({ document_id: id, relevance: relevance.default('primary') }),
    reply: ok,
    errors: ['event.not_found', 'document.not_found', 'event.patient_mismatch'],
    summary:
      'Links a document of the same patient. As `primary` its file moves into the folder of the event; the earlier ' +
      'primary event keeps it as `secondary`.',
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/events/{id}/link/{doc_id}',
    access: { event: 'write' },
    audit: 'event.unlink',
    params: idParams.extend({ doc_id: idText }),
    reply: ok,
    errors: ['event.not_found', 'event.not_linked'],
    summary: 'Unlinks a document from an event. Its file moves out of the folder of the event.',
  }),
} as const;
