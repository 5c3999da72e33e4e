/** Document types of the vault. */
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

/** Types of the parts of a long file. */
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

/** A file of more pages than this is classified page by page and read in sections. */
export const LONG_FILE_PAGES = 5;
