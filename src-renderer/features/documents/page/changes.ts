import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';

/** Fields that a person can change on the page of a document. */
export type EditableField =
  | 'title'
  | 'doc_type'
  | 'event_date'
  | 'issued_date'
  | 'doctor_name'
  | 'facility_name'
  | 'specialty_original'
  | 'patient_id'
  | 'event_id'
  | 'tags'
  | 'summary_en'
  | 'notes'
  | 'user_notes';

/** The new value of a field; `id` if it is a known doctor or facility. */
export interface FieldValue {
  text: string | null;
  id?: number;
}

export interface Change {
  field: EditableField;
  body: DocumentChanges;
  /** The PATCH that restores the previous values. */
  undo: DocumentChanges;
  /** The optimistic update until the server replies. */
  preview: Partial<DocumentDetail>;
}

const clean = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text.trim());

/** Splits the tags of a document, which are stored comma-separated. */
export const tagsOf = (tags: string | null): string[] => [
  ...new Set(
    (tags ?? '')
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

/** The current text of a field. */
export function currentText(document: DocumentDetail, field: EditableField): string | null {
  switch (field) {
    case 'patient_id':
      return document.patient_id === null ? null : String(document.patient_id);
    case 'event_id':
      return document.event_id === null ? null : String(document.event_id);
    case 'tags':
      return clean(tagsOf(document.tags).join(','));
    case 'specialty_original':
      return document.specialty_canonical_display ?? document.specialty_display ?? document.specialty_original;
    default:
      return document[field];
  }
}

/** The PATCH that sets a field, the one that undoes it, and the optimistic preview; null if nothing changes. */
export function changeOf(document: DocumentDetail, field: EditableField, value: FieldValue): Change | null {
  const text = field === 'tags' ? clean(tagsOf(value.text).join(',')) : clean(value.text);
  if (text === clean(currentText(document, field)) && value.id === undefined) return null;
  switch (field) {
    case 'doctor_name':
      return {
        field,
        body: value.id === undefined ? { doctor_name: text } : { doctor_id: value.id },
        undo: { doctor_id: document.doctor_id },
        preview: { doctor_name: text },
      };
    case 'facility_name':
      return {
        field,
        body: value.id === undefined ? { facility_name: text } : { facility_id: value.id },
        undo: { facility_id: document.facility_id },
        preview: { facility_name: text },
      };
    case 'specialty_original':
      return {
        field,
        body: { specialty_original: text },
        undo: { specialty_original: document.specialty_original },
        preview: { specialty_original: text, specialty_display: text, specialty_canonical_display: null },
      };
    case 'patient_id':
    case 'event_id': {
      const id = text === null ? null : Number(text);
      return {
        field,
        body: { [field]: id },
        undo: field === 'event_id' ? { event_links: document.event_links } : { [field]: document[field] },
        preview: field === 'event_id' && id === null ? { event_id: null, event_title: null } : { [field]: id },
      };
    }
    default:
      return {
        field,
        body: { [field]: text } as DocumentChanges,
        undo: { [field]: document[field] } as DocumentChanges,
        preview: { [field]: text } as Partial<DocumentDetail>,
      };
  }
}
