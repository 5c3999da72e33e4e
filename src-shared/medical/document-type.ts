/** Document types of the vault; other spellings are mapped onto these by `toDocumentType`. */
export const DOCUMENT_TYPES = [
  'invoice', 'prescription', 'specialist_report', 'surgical_report', 'discharge', 'lab_test', 'vaccination',
  'medical_certificate', 'imaging_report', 'other',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Types of the parts of a long file. */
export const SECTION_TYPES = [
  'lab_results_page', 'clinical_notes', 'nursing_notes', 'vital_signs', 'consent_form', 'cover_page', 'medication_chart',
  'operative_notes', 'discharge_summary', 'imaging_report', 'correspondence', 'invoice_page', 'other',
] as const;
export type SectionType = (typeof SECTION_TYPES)[number];

/** A file of more pages than this is classified page by page and read in sections. */
export const LONG_FILE_PAGES = 5;

const SPELLINGS: Record<string, DocumentType> = {
  lab: 'lab_test', lab_report: 'lab_test', laboratory: 'lab_test', laboratory_report: 'lab_test', lab_results: 'lab_test',
  discharge_summary: 'discharge', discharge_letter: 'discharge', discharge_report: 'discharge',
  operative_report: 'surgical_report', surgery_report: 'surgical_report', surgery: 'surgical_report',
  radiology_report: 'imaging_report', imaging: 'imaging_report', radiology: 'imaging_report',
  bill: 'invoice', receipt: 'invoice', vaccination_record: 'vaccination', immunization: 'vaccination',
  certificate: 'medical_certificate', sick_note: 'medical_certificate', medication: 'prescription',
  consultation: 'specialist_report', consultation_report: 'specialist_report', medical_report: 'specialist_report', report: 'specialist_report',
};

/** Maps any spelling of a document type ("Lab report", "discharge-summary") onto the closed list; unknown ones become `other`. */
export function toDocumentType(spelling: string): DocumentType {
  const key = spelling.trim().toLowerCase().replace(/[\s-]+/g, '_');
  if ((DOCUMENT_TYPES as readonly string[]).includes(key)) return key as DocumentType;
  return SPELLINGS[key] ?? 'other';
}
