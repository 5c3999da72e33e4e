import type { ReviewReason } from '../../../reading/extraction/extraction.ts';

/** Fields whose value by a person answers the doubt of a reason that names no field. */
const SETTLED_BY: Partial<Record<ReviewReason['code'], readonly string[]>> = {
  no_event_date: ['event_date'],
  conflicting_dates: ['event_date'],
  ambiguous_date_order: ['event_date', 'issued_date'],
  date_in_future: ['event_date', 'issued_date'],
  other_patient: ['patient_id'],
  no_patient: ['patient_id'],
  unknown_type: ['doc_type'],
};
/** Names under which the reader knows what a person edits. */
const SAME_FIELD: Record<string, string> = { doctor_id: 'doctor_name', facility_id: 'facility_name' };

/** The reasons that remain once a person wrote these fields. */
export function remainingReasons<R extends { code: string; field?: string }>(
  reasons: readonly R[],
  edited: readonly string[],
): R[] {
  const known = new Set([...edited, ...edited.map((field) => SAME_FIELD[field] ?? field)]);
  return reasons.filter(
    (reason) =>
      !(reason.field !== undefined && known.has(reason.field)) &&
      !(SETTLED_BY[reason.code as ReviewReason['code']] ?? []).some((field) => known.has(field)),
  );
}
