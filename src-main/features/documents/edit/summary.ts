import type { Extraction, Found } from '../../../reading/extraction/extraction.ts';
import { summarize, type SummaryRows } from '../../../reading/extraction/summary.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

/**
 * Writes the generated summary again with the doctor, facility and date that a user corrected, and with the rows as
 * they are now. A summary that a user or another provider wrote stays. Part of the caller's transaction, after the
 * document or a row of it was changed.
 */
export function correctSummary(repository: WriteRepository, id: number): void {
  const row = repository.get(id);
  const extraction = repository.readExtraction(id);
  if (!row?.summary_en || row.edited_fields?.includes('summary_en') || !extraction || !isComplete(extraction)) return;
  if (extraction.summary_en !== summarize(extraction)) return;
  const summary_en = summarize({ ...withCorrections(repository, extraction, row), ...repository.summaryRows(id) });
  if (summary_en !== row.summary_en) repository.update(id, { summary_en });
}

/** An extraction by an older version may lack what a summary needs. */
const isComplete = (extraction: Partial<Extraction>): extraction is Extraction =>
  typeof extraction.doc_type?.value === 'string' &&
  [extraction.diagnoses, extraction.lab_results, extraction.medications, extraction.vaccinations].every(
    Array.isArray,
  ) &&
  (extraction.lab_results ?? []).every(({ doubt }) => Array.isArray(doubt));

function withCorrections(
  { entryName }: WriteRepository,
  extraction: Extraction,
  { edited_fields, doctor_id, facility_id, event_date }: DocumentRecord,
): Omit<Extraction, keyof SummaryRows> {
  const asFound = <T>(value: T | null): Found<T> | null =>
    value === null ? null : { value, confidence: 1, place: null };
  const isEdited = (field: string): boolean => edited_fields?.includes(field) ?? false;
  return {
    ...extraction,
    ...(isEdited('doctor_id') && { doctor_name: asFound(entryName('doctors', doctor_id)) }),
    ...(isEdited('facility_id') && { facility_name: asFound(entryName('facilities', facility_id)) }),
    ...(isEdited('event_date') && { event_date: asFound(event_date) }),
  };
}
