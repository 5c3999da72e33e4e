import type { Shape } from './shape.ts';

/** The fields that the specification names for each kind of row. */

export const PATIENT: Shape = {
  id: 'int',
  slug: 'string',
  display_name: 'string',
  date_of_birth: 'date?',
  sex: 'string?',
};

export const ME: Shape = {
  id: 'int',
  username: 'string',
  display_name: 'string',
  patients: [{ id: 'int', slug: 'string', display_name: 'string', role: 'owner|viewer' }],
};

const DOCUMENT_STATUS = 'pending|processing|done|failed|needs_review|cancelled';

/** In lists; a list leaves out the texts of pages. */
export const DOCUMENT: Shape = {
  id: 'int',
  patient_id: 'int?',
  doc_type: 'string?',
  event_date: 'date?',
  issued_date: 'date?',
  doctor_id: 'int?',
  facility_id: 'int?',
  specialty_original: 'string?',
  summary_en: 'string?',
  event_id: 'int?',
  notes: 'string?',
  tags: 'string?',
  user_notes: 'string?',
  original_filename: 'string',
  status: DOCUMENT_STATUS,
  file_path: 'string',
  file_size: 'int',
};

const LAB_ROW: Shape = {
  id: 'int',
  document_id: 'int?',
  patient_id: 'int?',
  test_name_original: 'string',
  value: 'number?',
  unit: 'string?',
  reference_range_low: 'number?',
  reference_range_high: 'number?',
  test_date: 'date?',
};

export const LAB_RESULT: Shape = {
  ...LAB_ROW,
  document_filename: 'string?',
  document_doc_type: 'string?',
  document_doc_date: 'date?',
  document_missing: 'bool',
  canonical_code: 'string?',
};

const LINK_TYPE = 'invoice_for|report_for|imaging_for|follow_up|related';
export const LINK: Shape = {
  link_id: 'int',
  source_document_id: 'int',
  target_document_id: 'int',
  link_type: LINK_TYPE,
};

/** With all related data. */
export const DOCUMENT_DETAIL: Shape = {
  ...DOCUMENT,
  ocr_text: 'string?',
  ocr_text_en: 'string?',
  lab_results: [LAB_ROW],
  encounters: 'array',
  medications: 'array',
  vaccinations: 'array',
  imaging_studies: 'array',
  links: [LINK],
  sections: 'array',
  region_translations: 'array',
};

export const STAGES: Shape = {
  document_id: 'int',
  events: [
    {
      id: 'int',
      stage:
        'ocr|vision_extraction|llm_extraction|page_classification|section_extraction|organizing|thumbnail|cache_ocr|' +
        'translation|region_ocr|region_translation',
      status: 'started|completed|failed|skipped|cancelled',
      job_kind: 'upload|reprocess|translate|translate_region',
      message: 'string?',
      page_current: 'int?',
      page_total: 'int?',
      started_at: 'timestamp',
      finished_at: 'timestamp?',
    },
  ],
};

export const EVENT: Shape = {
  id: 'int',
  patient_id: 'int',
  title: 'string',
  event_type:
    'symptom|diagnosis|hospitalization|surgery|treatment|follow_up|emergency|pregnancy|chronic_condition|injury|' +
    'screening|other',
  description: 'string?',
  date_start: 'date?',
  date_end: 'date?',
  is_ongoing: 'bool',
  severity: 'string?',
  diagnosis_text: 'string?',
  icd10_code: 'string?',
  specialty_text: 'string?',
  notes: 'string?',
  color: 'string?',
};

export const ALIAS: Shape = { alias_id: 'int', alias: 'string' };
export const ENTRY: Shape = { id: 'int', canonical_code: 'string', canonical_display: 'string' };

export const PIPELINE: Shape = {
  queue_depth: 'int',
  processing: 'string?',
  processing_step: 'string?',
  processing_doc_id: 'int?',
  processing_pages: 'int?',
  processing_page_current: 'int?',
  total_processed: 'int',
  total_errors: 'int',
  recent_errors: 'array',
  queued_files: [{ filename: 'string', size: 'int' }],
  current_job: 'object?',
  queued_jobs: [{ kind: 'upload|reprocess|translate|translate_region', label: 'string', doc_id: 'int' }],
  llm_queues: 'array',
  watcher_active: 'bool',
  auto_stopped: 'bool',
  auto_stop_reason: 'string?',
};

export const SESSION: Shape = {
  session_id: 'string',
  user_id: 'int',
  username: 'string',
  display_name: 'string',
  role: 'string',
  created_at: 'timestamp',
  last_active_at: 'timestamp',
  expires_at: 'timestamp',
  ip_address: 'string',
  user_agent: 'string',
  revoked_at: 'timestamp?',
  is_current: 'bool',
};

export const PROMPT_KEYS =
  'classification vision_extraction extraction_lab_test extraction_specialist_report extraction_prescription ' +
  'extraction_invoice extraction_discharge extraction_imaging_report extraction_surgical_report ' +
  'extraction_vaccination document_edit sql_generation chat_system link_suggestion page_classification translation_en';

/** Every key of the settings with a value that fits its name. */
export const SETTINGS: Readonly<Record<string, unknown>> = {
  extraction_timeout: 120,
  llm_max_concurrent_requests: 2,
  llm_max_retries: 3,
  llm_retry_backoff_seconds: [30, 60, 120],
  canonical_language: 'English',
  ocr_engine: 'tesseract',
  ocr_language: 'eng',
  ocr_confidence_threshold: 0.7,
  cloud_ocr_enabled: false,
  ocr_remote_url: '',
  ocr_remote_api_key: '',
  llm_vision_provider: '',
  llm_vision_model: '',
  llm_vision_ollama_url: '',
  google_vision_key: '',
  vision_extraction_timeout: 600,
  vision_max_concurrent_requests: 1,
  vision_max_retries: 3,
  vision_retry_backoff_seconds: [30, 60, 120],
  pipeline_watch_enabled: true,
  pipeline_poll_interval: 5,
  pipeline_retry_interval: 300,
  pipeline_max_retries: 3,
  pipeline_default_flow: 'ocr_llm',
  session_ttl_hours: 720,
  oidc_enabled: false,
  oidc_provider_url: '',
  oidc_client_id: '',
  oidc_client_secret: '',
  oidc_scopes: 'openid profile email',
  oidc_auto_create_user: true,
  oidc_username_claim: 'preferred_username',
  oidc_display_name_claim: 'name',
};
