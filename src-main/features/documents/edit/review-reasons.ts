import type { ReviewReason } from '../../../reading/extraction/extraction.ts';

/** For reasons that name no field: the fields that resolve them once a user has set one. */
const FIELDS_TO_FIX: Partial<Record<ReviewReason['code'], readonly string[]>> = {
  no_event_date: ['event_date'],
  conflicting_dates: ['event_date'],
  ambiguous_date_order: ['event_date', 'issued_date'],
  date_in_future: ['event_date', 'issued_date'],
  other_patient: ['patient_id'],
  several_patients: ['patient_id'],
  other_birth_date: ['patient_id'],
  other_sex: ['patient_id'],
  other_age: ['patient_id'],
  unnamed_patient: ['patient_id'],
  patient_assumed: ['patient_id'],
  no_patient: ['patient_id'],
  unknown_type: ['doc_type'],
  types_differ: ['doc_type'],
};
const ROWS = 'low_confidence_rows';
type Reason = { code: string; params?: Record<string, string | number> };
export const isAboutRows = ({ code }: Reason): boolean => code === ROWS;
/** The number of doubtful rows that the reasons name. */
export const doubtfulRowsIn = (reasons: readonly Reason[]): number =>
  Number(reasons.find(isAboutRows)?.params?.['count'] ?? 0);

/** Reasons with so many more, or fewer, doubtful rows. */
export function withMoreDoubtfulRows<R extends Reason>(
  reasons: readonly R[],
  step: number,
): (R | { code: typeof ROWS; params: { count: number } })[] {
  if (step === 0) return [...reasons];
  const others = reasons.filter((reason) => !isAboutRows(reason));
  const count = doubtfulRowsIn(reasons) + step;
  return count > 0 ? [...others, { code: ROWS, params: { count } }] : others;
}

/** Extraction field of an edited column, where the two have different names. */
const EXTRACTION_FIELD: Record<string, string> = { doctor_id: 'doctor_name', facility_id: 'facility_name' };

/** Review reasons that are still open after a user edited these fields. */
export function remainingReasons<R extends { code: string; field?: string }>(
  reasons: readonly R[],
  edited: readonly string[],
): R[] {
  const fixed = new Set([...edited, ...edited.map((field) => EXTRACTION_FIELD[field] ?? field)]);
  return reasons.filter(
    (reason) =>
      !(reason.field !== undefined && fixed.has(reason.field)) &&
      !(FIELDS_TO_FIX[reason.code as ReviewReason['code']] ?? []).some((field) => fixed.has(field)),
  );
}
