import type { KnownPatient, ReaderContext } from '../../src-main/reading/extraction/extraction.ts';
import { readDocument } from '../../src-main/reading/extraction/read-document.ts';
import { printedPage } from '../fixtures/printed-page.ts';

export const elena: KnownPatient = { id: 1, display_name: 'Elena Keller', date_of_birth: '1961-03-12', sex: 'F' };
export const rene: KnownPatient = {
  id: 2,
  display_name: 'René Müller-Rochat',
  date_of_birth: '1958-11-04',
  sex: 'M',
};
export const context: ReaderContext = {
  patient: elena,
  household: [elena, rene],
  isOnlyPatient: false,
  today: '2026-08-01',
  original_filename: 'scan.pdf',
};
/** A household in which nobody is known yet. */
export const nobody: ReaderContext = {
  patient: null,
  household: [],
  isOnlyPatient: false,
  today: '2026-01-01',
  original_filename: 'x.pdf',
};

/** Reads a page of these lines as a document that was filed with nobody. */
export const readPrinted = (lines: readonly string[], household: KnownPatient[] = []) =>
  readDocument([printedPage(lines)], { ...nobody, household });

/** Reads a page of these lines, with the fields that most tests compare. */
export function readLines(lines: readonly string[], own: Partial<ReaderContext> = {}) {
  const found = readDocument([printedPage(lines)], { ...context, ...own });
  return {
    ...found,
    type: found.doc_type.value,
    language: found.language?.value ?? null,
    event: found.event_date?.value ?? null,
    issued: found.issued_date?.value ?? null,
    doctor: found.doctor_name?.value ?? null,
    facility: found.facility_name?.value ?? null,
    name: found.patient.name?.value ?? null,
    reasons: found.review_reasons.map((reason) => reason.code),
  };
}
