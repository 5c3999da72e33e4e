import type { DocumentChanges } from './documents.ts';

/** Details of a document that a model may propose to change; never its patient or event. */
export const EDITABLE_BY_MODEL = [
  'title',
  'doc_type',
  'event_date',
  'issued_date',
  'doctor_name',
  'facility_name',
  'specialty_original',
  'summary_en',
  'notes',
  'tags',
  'user_notes',
  'original_filename',
] as const satisfies readonly (keyof DocumentChanges)[];
export type EditableByModel = (typeof EDITABLE_BY_MODEL)[number];
