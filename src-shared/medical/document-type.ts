/** The types of documents. */
export const DOCUMENT_TYPES = [
  'invoice',
  'prescription',
  'specialist_report',
  'surgical_report',
  'discharge',
  'lab_test',
  'vaccination',
  'medical_certificate',
  'imaging_report',
  'other',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** The types of sections of a long file. */
export const SECTION_TYPES = [
  'lab_results_page',
  'clinical_notes',
  'nursing_notes',
  'vital_signs',
  'consent_form',
  'cover_page',
  'medication_chart',
  'operative_notes',
  'discharge_summary',
  'imaging_report',
  'correspondence',
  'invoice_page',
  'other',
] as const;
export type SectionType = (typeof SECTION_TYPES)[number];

/** Files with more pages are classified page by page and read in sections. */
export const LONG_FILE_PAGES = 5;
