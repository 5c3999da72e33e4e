import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { EVENT_TYPES, SEVERITIES } from './event-types.ts';
import { documentNaming } from './document-naming.ts';
import { civilDate, id, idText, listText } from './wire.ts';

const text = z.string().nullable();

const span = z.object({
  id,
  patient_id: id,
  title: z.string(),
  event_type: z.enum(EVENT_TYPES),
  date_start: civilDate,
  date_end: civilDate.nullable(),
  is_ongoing: z.boolean(),
  severity: z.enum(SEVERITIES).nullable(),
  color: text,
  specialty: text,
  document_count: z.int(),
});
const documentMark = documentNaming.extend({
  id,
  patient_id: id,
  date: civilDate,
  specialty: text,
  event_id: id.nullable(),
  event_color: text,
});
/** The results of one document and day. `uncertain` ones may have been read wrongly and are not among the abnormal. */
const labMark = z.object({
  document_id: id.nullable(),
  date: civilDate,
  results: z.int(),
  abnormal: z.int(),
  uncertain: z.int(),
});
const imagingMark = z.object({ id, document_id: id.nullable(), date: civilDate, modality: text, body_part: text });
/** `date` is the first day of the interval; empty intervals are left out. */
const interval = z.object({
  date: civilDate,
  documents: z.int(),
  results: z.int(),
  abnormal: z.int(),
  uncertain: z.int(),
  imaging: z.int(),
});

export const TIMELINE_UNITS = ['day', 'week', 'month', 'year'] as const;
export type TimelineUnit = (typeof TIMELINE_UNITS)[number];

const timelineReply = z.object({
  /** First and last day with any content; null without content. */
  extent: z.object({ from: civilDate, to: civilDate }).nullable(),
  range: z.object({ from: civilDate, to: civilDate }).nullable(),
  events: z.array(span),
  /** Individual items if the range contains few; otherwise null, and `intervals` counts them. */
  documents: z.array(documentMark).nullable(),
  labs: z.array(labMark).nullable(),
  imaging: z.array(imagingMark).nullable(),
  unit: z.enum(TIMELINE_UNITS),
  intervals: z.array(interval),
  totals: z.object({ documents: z.int(), results: z.int(), imaging: z.int(), undated_documents: z.int() }),
  /** Events without a start date, which have no place on the axis. */
  undated_events: z.array(z.object({ id, title: z.string() })),
  /** Specialties of all documents and events, most frequent first; `__blank__` for those without one. */
  specialties: z.array(z.object({ value: z.string(), label: z.string(), count: z.int() })),
});
export type TimelineReply = z.output<typeof timelineReply>;
export type TimelineSpan = z.output<typeof span>;

export const timeline = {
  get: endpoint({
    method: 'GET',
    path: '/api/timeline',
    access: { patient: 'read', from: 'query.patient_id' },
    query: z.object({
      patient_id: idText.optional(),
      from: civilDate.optional(),
      to: civilDate.optional(),
      specialty: listText.optional(),
    }),
    reply: timelineReply,
    errors: ['timeline.invalid_range'],
    summary:
      'Returns events, documents, results and imaging studies between two days: single items if there are few, ' +
      'counts by interval if there are many.',
  }),
} as const;
