import type { DocumentDetail, Evidence } from '../../../../src-shared/contract/rows.ts';

/** Kinds of rows that an address can name: `value=lab:12`. */
const ROW_LISTS = {
  lab: 'lab_results',
  diagnosis: 'encounters',
  medication: 'medications',
  vaccination: 'vaccinations',
  invoice: 'invoice_items',
} as const satisfies Record<string, keyof DocumentDetail>;
export type RowKind = keyof typeof ROW_LISTS;

/** Names a value of a document in the address: `field:event_date` or `lab:12`. */
export type PlaceKey = `field:${string}` | `${RowKind}:${number}`;

/** Fields whose evidence is stored under another name. */
const EVIDENCE_NAMES: Readonly<Record<string, string>> = { patient_id: 'extracted_patient_name' };

export const fieldPlace = (field: string): PlaceKey => `field:${field}`;
export const rowPlace = (kind: RowKind, id: number): PlaceKey => `${kind}:${id}`;

/** Parses `value` of an address; null if it names no value. */
export function readPlaceKey(text: string | undefined): PlaceKey | null {
  const [, kind, name] = /^([a-z]+):([a-z_0-9]+)$/.exec(text ?? '') ?? [];
  if (kind === 'field') return fieldPlace(name ?? '');
  if (kind && Object.hasOwn(ROW_LISTS, kind) && /^\d+$/.test(name ?? ''))
    return rowPlace(kind as RowKind, Number(name));
  return null;
}

/** Columns of fields whose names differ. */
const EDITED_NAMES: Readonly<Record<string, string>> = { doctor_name: 'doctor_id', facility_name: 'facility_id' };

/** Whether a user entered the value of a field. */
export const isEdited = ({ edited_fields }: Pick<DocumentDetail, 'edited_fields'>, field: string): boolean =>
  edited_fields?.includes(EDITED_NAMES[field] ?? field) ?? false;

/** The name on the page is the source of the patient only if it is the patient's. */
const isFromPage = (document: DocumentDetail, field: string): boolean =>
  !isEdited(document, field) && (field !== 'patient_id' || document.patient_source === 'page');

/** Where a value was read; null if it was inferred, entered by a user, or no longer exists. */
export function placeOf(document: DocumentDetail, key: PlaceKey | null): Evidence | null {
  if (key === null) return null;
  const [kind, name = ''] = key.split(':');
  if (kind === 'field')
    return isFromPage(document, name) ? (document.evidence[EVIDENCE_NAMES[name] ?? name] ?? null) : null;
  const rows: readonly { id: number; evidence: Evidence | null }[] = document[ROW_LISTS[kind as RowKind]];
  return rows.find((row) => row.id === Number(name))?.evidence ?? null;
}

/** Values below this confidence are marked for comparison with the page. */
export const MIN_SURE_CONFIDENCE = 0.7;

export const isUnsure = (place: Evidence | null | undefined): boolean =>
  place != null && place.confidence < MIN_SURE_CONFIDENCE;
