import type { DocumentDetail, Evidence } from '../../../../src-shared/contract/rows.ts';
import type { EditableField } from './changes.ts';
import { fieldPlace, placeOf, rowPlace, type PlaceKey, type RowKind } from './places.ts';

type Reason = DocumentDetail['review_reasons'][number];

/** How to resolve a review reason: edit a field, compare a place with the page, or read the document again. */
export type FieldToFix =
  | { kind: 'edit'; field: EditableField }
  | { kind: 'show'; key: PlaceKey }
  | { kind: 'reprocess' };

/** The field to correct, by review code (ReviewCode in src-main/reading/extraction/extraction.ts). */
const FIELDS: Readonly<Record<string, EditableField>> = {
  no_text: 'event_date',
  no_event_date: 'event_date',
  conflicting_dates: 'event_date',
  ambiguous_date_order: 'event_date',
  date_in_future: 'event_date',
  other_patient: 'patient_id',
  several_patients: 'patient_id',
  other_birth_date: 'patient_id',
  other_sex: 'patient_id',
  other_age: 'patient_id',
  unnamed_patient: 'patient_id',
  patient_assumed: 'patient_id',
  no_patient: 'patient_id',
  unknown_type: 'doc_type',
  types_differ: 'doc_type',
};
const UNCERTAIN_FIELDS: Readonly<Record<string, EditableField>> = {
  event_date: 'event_date',
  issued_date: 'issued_date',
  doc_type: 'doc_type',
  doctor_name: 'doctor_name',
  facility_name: 'facility_name',
  patient_id: 'patient_id',
};

/** Looks up own properties only, so that inherited names ("constructor") do not match. */
const ownValue = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The row with the lowest confidence that has a place; null if there is none. */
function leastSureRow(document: DocumentDetail): PlaceKey | null {
  const lists: [RowKind, readonly { id: number; evidence: Evidence | null }[]][] = [
    ['lab', document.lab_results],
    ['medication', document.medications],
    ['vaccination', document.vaccinations],
    ['diagnosis', document.encounters],
  ];
  const rows = lists.flatMap(([kind, list]) =>
    list.flatMap(({ id, evidence }) =>
      evidence ? [{ key: rowPlace(kind, id), confidence: evidence.confidence }] : [],
    ),
  );
  return rows.sort((a, b) => a.confidence - b.confidence)[0]?.key ?? null;
}

/** The total of an invoice, otherwise the first line with a place. */
function invoicePlace(document: DocumentDetail): PlaceKey | null {
  const total = fieldPlace('invoice_total');
  const line = document.invoice_items.find((item) => item.evidence !== null);
  if (placeOf(document, total)) return total;
  return line ? rowPlace('invoice', line.id) : null;
}

function placeToShow(document: DocumentDetail, code: string): PlaceKey | null {
  if (code === 'low_confidence_rows') return leastSureRow(document);
  return code === 'invoice_total_mismatch' ? invoicePlace(document) : null;
}

/** How to resolve a review reason; null if it concerns the whole page. */
export function fieldToFix(document: DocumentDetail, { code, field }: Reason): FieldToFix | null {
  if (code === 'unread_pages' || code === 'in_trash') return { kind: 'reprocess' };
  const editedField = ownValue(FIELDS, code) ?? ownValue(UNCERTAIN_FIELDS, field ?? '');
  if (editedField) return { kind: 'edit', field: editedField };
  const key = placeToShow(document, code);
  return key && { kind: 'show', key };
}
