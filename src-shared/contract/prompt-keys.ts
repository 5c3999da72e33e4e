/** Tasks of language models that have a prompt. */
export const PROMPT_KEYS = [
  'classification',
  'vision_extraction',
  'extraction_lab_test',
  'extraction_specialist_report',
  'extraction_prescription',
  'extraction_invoice',
  'extraction_discharge',
  'extraction_imaging_report',
  'extraction_surgical_report',
  'extraction_vaccination',
  'document_edit',
  'sql_generation',
  'chat_system',
  'link_suggestion',
  'page_classification',
  'translation_en',
] as const;
export type PromptKey = (typeof PROMPT_KEYS)[number];
