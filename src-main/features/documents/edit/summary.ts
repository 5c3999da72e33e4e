import type { Extraction, Found } from '../../../reading/extraction/extraction.ts';
import { summarize } from '../../../reading/extraction/summary.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

type Corrected = Pick<DocumentRecord, 'edited_fields' | 'doctor_id' | 'facility_id' | 'event_date'>;

/**
 * Writes the generated summary again with the doctor, facility and date that a user corrected. A summary that a user or
 * another provider wrote stays. Part of the caller's transaction, after the document was updated.
 * @param before what the present summary was generated from
 */
export function correctSummary(repository: WriteRepository, id: number, before: Corrected): void {
  const row = repository.get(id);
  const extraction = repository.readExtraction(id);
  if (!row?.summary_en || row.edited_fields?.includes('summary_en') || !extraction || !isComplete(extraction)) return;
  const summaryOf = (corrected: Corrected): string => summarize(withCorrections(repository, extraction, corrected));
  if (summaryOf(before) !== row.summary_en) return;
  const summary_en = summaryOf(row);
  if (summary_en !== row.summary_en) repository.update(id, { summary_en });
}

/** An extraction by an older version may lack what a summary needs. */
const isComplete = (extraction: Partial<Extraction>): extraction is Extraction =>
  typeof extraction.doc_type?.value === 'string' &&
  [extraction.diagnoses, extraction.lab_results, extraction.medications, extraction.vaccinations].every(Array.isArray);

function withCorrections(
  { entryName }: WriteRepository,
  extraction: Extraction,
  { edited_fields, doctor_id, facility_id, event_date }: Corrected,
): Extraction {
  const found = <T>(value: T | null): Found<T> | null =>
    value === null ? null : { value, confidence: 1, place: null };
  const isEdited = (field: string): boolean => edited_fields?.includes(field) ?? false;
  return {
    ...extraction,
    ...(isEdited('doctor_id') && { doctor_name: found(entryName('doctors', doctor_id)) }),
    ...(isEdited('facility_id') && { facility_name: found(entryName('facilities', facility_id)) }),
    ...(isEdited('event_date') && { event_date: found(event_date) }),
  };
}
