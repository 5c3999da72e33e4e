CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`username` text,
	`action` text NOT NULL,
	`resource_type` text,
	`resource_id` text,
	`details` text,
	`ip_address` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_time` ON `audit_log` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_user` ON `audit_log` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `patient_access` (
	`user_id` integer NOT NULL,
	`patient_id` integer NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`user_id`, `patient_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `patient_access_patient` ON `patient_access` (`patient_id`);--> statement-breakpoint
CREATE TABLE `patients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`display_name` text NOT NULL,
	`date_of_birth` text,
	`sex` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `patients_slug` ON `patients` (`slug`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	`last_active_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`ip_address` text NOT NULL,
	`user_agent` text NOT NULL,
	`revoked_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`display_name` text NOT NULL,
	`password_hash` text,
	`role` text NOT NULL,
	`oidc_issuer` text,
	`oidc_subject` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_oidc` ON `users` (`oidc_issuer`,`oidc_subject`);--> statement-breakpoint
CREATE TABLE `view_preferences` (
	`user_id` integer NOT NULL,
	`view_key` text NOT NULL,
	`preferences` text NOT NULL,
	PRIMARY KEY(`user_id`, `view_key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `doctors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`canonical_code` text NOT NULL,
	`canonical_display` text NOT NULL,
	`created_at` text NOT NULL,
	`name` text NOT NULL,
	`title` text,
	`specialty_original` text,
	`phone` text,
	`email` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `doctors_code` ON `doctors` (`canonical_code`);--> statement-breakpoint
CREATE INDEX `doctors_name` ON `doctors` (`name`);--> statement-breakpoint
CREATE TABLE `facilities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`canonical_code` text NOT NULL,
	`canonical_display` text NOT NULL,
	`created_at` text NOT NULL,
	`name` text NOT NULL,
	`type` text,
	`address` text,
	`city` text,
	`country` text,
	`phone` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `facilities_code` ON `facilities` (`canonical_code`);--> statement-breakpoint
CREATE INDEX `facilities_name` ON `facilities` (`name`);--> statement-breakpoint
CREATE TABLE `name_aliases` (
	`alias_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`entry_id` integer NOT NULL,
	`alias` text NOT NULL,
	`alias_key` text NOT NULL,
	`language` text,
	`auto_mapped` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `name_aliases_key` ON `name_aliases` (`kind`,`alias_key`);--> statement-breakpoint
CREATE INDEX `name_aliases_entry` ON `name_aliases` (`kind`,`entry_id`);--> statement-breakpoint
CREATE TABLE `norm_diagnoses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`canonical_code` text NOT NULL,
	`canonical_display` text NOT NULL,
	`created_at` text NOT NULL,
	`icd10_code` text,
	`seeded` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `norm_diagnoses_code` ON `norm_diagnoses` (`canonical_code`);--> statement-breakpoint
CREATE TABLE `norm_lab_tests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`canonical_code` text NOT NULL,
	`canonical_display` text NOT NULL,
	`created_at` text NOT NULL,
	`loinc_code` text,
	`category` text,
	`unit_preferred` text,
	`seeded` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `norm_lab_tests_code` ON `norm_lab_tests` (`canonical_code`);--> statement-breakpoint
CREATE TABLE `norm_medications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`canonical_code` text NOT NULL,
	`canonical_display` text NOT NULL,
	`created_at` text NOT NULL,
	`atc_code` text,
	`seeded` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `norm_medications_code` ON `norm_medications` (`canonical_code`);--> statement-breakpoint
CREATE TABLE `norm_specialties` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`canonical_code` text NOT NULL,
	`canonical_display` text NOT NULL,
	`created_at` text NOT NULL,
	`seeded` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `norm_specialties_code` ON `norm_specialties` (`canonical_code`);--> statement-breakpoint
CREATE TABLE `document_extractions` (
	`document_id` integer PRIMARY KEY NOT NULL,
	`raw_extraction` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `document_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_document_id` integer NOT NULL,
	`target_document_id` integer NOT NULL,
	`link_type` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`source_document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target_document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `document_links_pair` ON `document_links` (`source_document_id`,`target_document_id`,`link_type`);--> statement-breakpoint
CREATE INDEX `document_links_target` ON `document_links` (`target_document_id`);--> statement-breakpoint
CREATE TABLE `document_pages` (
	`document_id` integer NOT NULL,
	`page` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`document_id`, `page`),
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `document_sections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`section_index` integer NOT NULL,
	`page_start` integer NOT NULL,
	`page_end` integer NOT NULL,
	`section_type` text NOT NULL,
	`ocr_text` text,
	`summary_en` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `document_sections_document` ON `document_sections` (`document_id`,`section_index`);--> statement-breakpoint
CREATE TABLE `document_tags` (
	`document_id` integer NOT NULL,
	`tag` text NOT NULL,
	PRIMARY KEY(`document_id`, `tag`),
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `document_tags_tag` ON `document_tags` (`tag`,`document_id`);--> statement-breakpoint
CREATE TABLE `document_texts` (
	`id` integer PRIMARY KEY NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`body` text DEFAULT '' NOT NULL,
	`english` text DEFAULT '' NOT NULL,
	`people` text DEFAULT '' NOT NULL,
	`labels` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`patient_id` integer,
	`file_path` text NOT NULL,
	`original_filename` text NOT NULL,
	`mime_type` text NOT NULL,
	`doc_type` text,
	`event_date` text,
	`issued_date` text,
	`date_received` text,
	`doctor_id` integer,
	`facility_id` integer,
	`norm_specialty_id` integer,
	`specialty_original` text,
	`summary_en` text,
	`summary_original` text,
	`insurance_company` text,
	`insurance_policy` text,
	`event_id` integer,
	`notes` text,
	`user_notes` text,
	`tags` text,
	`page_count` integer,
	`file_size` integer NOT NULL,
	`file_hash` text NOT NULL,
	`language_source` text,
	`ocr_text_en_model` text,
	`ocr_text_en_translated_at` text,
	`ocr_confidence` real,
	`ocr_engine` text,
	`llm_provider` text,
	`cost_amount` real,
	`cost_currency` text,
	`status` text NOT NULL,
	`error_message` text,
	`retry_count` integer DEFAULT 0 NOT NULL,
	`process_at` text,
	`extracted_patient_name` text,
	`filename_stem` text,
	`evidence` text,
	`review_reasons` text,
	`edited_fields` text,
	`page_turns` text,
	`uploaded_by_user_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`facility_id`) REFERENCES `facilities`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`norm_specialty_id`) REFERENCES `norm_specialties`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`uploaded_by_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_path` ON `documents` (`file_path`);--> statement-breakpoint
CREATE INDEX `documents_hash` ON `documents` (`file_hash`);--> statement-breakpoint
CREATE INDEX `documents_patient_date` ON `documents` (`patient_id`,`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_date` ON `documents` (`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_type` ON `documents` (`doc_type`,`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_status` ON `documents` (`status`,`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_doctor` ON `documents` (`doctor_id`,`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_facility` ON `documents` (`facility_id`,`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_specialty` ON `documents` (`norm_specialty_id`,`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_event` ON `documents` (`event_id`,`event_date`,`id`);--> statement-breakpoint
CREATE INDEX `documents_created` ON `documents` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `documents_filename` ON `documents` (`original_filename`,`id`);--> statement-breakpoint
CREATE TABLE `encounters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`doctor_id` integer,
	`facility_id` integer,
	`encounter_date` text,
	`admission_date` text,
	`discharge_date` text,
	`norm_diagnosis_id` integer,
	`diagnosis_original` text,
	`diagnosis_code` text,
	`specialty_original` text,
	`notes` text,
	`findings` text,
	`follow_up_date` text,
	`follow_up_instructions` text,
	`evidence` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`facility_id`) REFERENCES `facilities`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`norm_diagnosis_id`) REFERENCES `norm_diagnoses`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `encounters_document` ON `encounters` (`document_id`);--> statement-breakpoint
CREATE INDEX `encounters_doctor` ON `encounters` (`doctor_id`);--> statement-breakpoint
CREATE INDEX `encounters_facility` ON `encounters` (`facility_id`);--> statement-breakpoint
CREATE INDEX `encounters_diagnosis` ON `encounters` (`norm_diagnosis_id`);--> statement-breakpoint
CREATE INDEX `encounters_follow_up` ON `encounters` (`follow_up_date`);--> statement-breakpoint
CREATE TABLE `event_documents` (
	`event_id` integer NOT NULL,
	`document_id` integer NOT NULL,
	`relevance` text DEFAULT 'primary' NOT NULL,
	`auto_linked` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`event_id`, `document_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `event_documents_document` ON `event_documents` (`document_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`patient_id` integer NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`event_type` text NOT NULL,
	`description` text,
	`date_start` text,
	`date_end` text,
	`is_ongoing` integer DEFAULT false NOT NULL,
	`severity` text,
	`diagnosis_text` text,
	`icd10_code` text,
	`specialty_text` text,
	`norm_diagnosis_id` integer,
	`norm_specialty_id` integer,
	`notes` text,
	`color` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`norm_diagnosis_id`) REFERENCES `norm_diagnoses`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`norm_specialty_id`) REFERENCES `norm_specialties`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `events_patient` ON `events` (`patient_id`,`date_start`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_slug` ON `events` (`patient_id`,`slug`);--> statement-breakpoint
CREATE TABLE `extraction_corrections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`field` text NOT NULL,
	`old_value` text,
	`new_value` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `extraction_corrections_document` ON `extraction_corrections` (`document_id`);--> statement-breakpoint
CREATE TABLE `invoice_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`description` text NOT NULL,
	`quantity` real,
	`unit_price` real,
	`amount` real,
	`currency` text,
	`tariff_code` text,
	`tax_rate` real,
	`category` text,
	`evidence` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `invoice_items_document` ON `invoice_items` (`document_id`);--> statement-breakpoint
CREATE TABLE `lab_results` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer,
	`patient_id` integer,
	`test_name_original` text NOT NULL,
	`norm_lab_test_id` integer,
	`value` real,
	`value_text` text,
	`unit` text,
	`reference_range_low` real,
	`reference_range_high` real,
	`is_abnormal` integer,
	`sample_type` text,
	`panel_name` text,
	`test_date` text,
	`evidence` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`norm_lab_test_id`) REFERENCES `norm_lab_tests`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `lab_results_document` ON `lab_results` (`document_id`);--> statement-breakpoint
CREATE INDEX `lab_results_patient` ON `lab_results` (`patient_id`,`test_date`,`id`);--> statement-breakpoint
CREATE INDEX `lab_results_series` ON `lab_results` (`patient_id`,`norm_lab_test_id`,`test_date`);--> statement-breakpoint
CREATE INDEX `lab_results_name` ON `lab_results` (`patient_id`,`test_name_original`,`test_date`);--> statement-breakpoint
CREATE INDEX `lab_results_norm` ON `lab_results` (`norm_lab_test_id`);--> statement-breakpoint
CREATE TABLE `medications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`norm_medication_id` integer,
	`brand_name` text,
	`active_ingredient_original` text,
	`dosage` text,
	`form` text,
	`frequency` text,
	`duration` text,
	`quantity` text,
	`prescribed_date` text,
	`evidence` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`norm_medication_id`) REFERENCES `norm_medications`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `medications_document` ON `medications` (`document_id`);--> statement-breakpoint
CREATE INDEX `medications_norm` ON `medications` (`norm_medication_id`);--> statement-breakpoint
CREATE TABLE `page_cache` (
	`key` text PRIMARY KEY NOT NULL,
	`file_hash` text NOT NULL,
	`data` blob NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_cache_file` ON `page_cache` (`file_hash`);--> statement-breakpoint
CREATE TABLE `region_translations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`page` integer NOT NULL,
	`bbox_x` real NOT NULL,
	`bbox_y` real NOT NULL,
	`bbox_w` real NOT NULL,
	`bbox_h` real NOT NULL,
	`ocr_text` text,
	`translated_text` text,
	`ocr_provider_id` text,
	`llm_provider_id` text,
	`llm_model` text,
	`thumbnail_path` text,
	`target_language` text,
	`status` text,
	`error` text,
	`share_id` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `region_translations_document` ON `region_translations` (`document_id`);--> statement-breakpoint
CREATE TABLE `vaccinations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`vaccine_name` text NOT NULL,
	`manufacturer` text,
	`lot_number` text,
	`dose_number` integer,
	`date_administered` text,
	`evidence` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `vaccinations_document` ON `vaccinations` (`document_id`);--> statement-breakpoint
CREATE TABLE `imaging_series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`series_number` integer,
	`series_description` text,
	`modality` text,
	`num_images` integer DEFAULT 0 NOT NULL,
	`series_instance_uid` text,
	`folder_path` text,
	FOREIGN KEY (`study_id`) REFERENCES `imaging_studies`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imaging_series_uid` ON `imaging_series` (`study_id`,`series_instance_uid`);--> statement-breakpoint
CREATE INDEX `imaging_series_study` ON `imaging_series` (`study_id`);--> statement-breakpoint
CREATE TABLE `imaging_studies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer,
	`patient_id` integer,
	`modality` text,
	`body_part` text,
	`study_description` text,
	`accession_number` text,
	`study_instance_uid` text,
	`study_date` text,
	`num_series` integer DEFAULT 0 NOT NULL,
	`num_images` integer DEFAULT 0 NOT NULL,
	`folder_path` text,
	`bundle_path` text,
	`doctor_id` integer,
	`facility_id` integer,
	`report_status` text DEFAULT 'placeholder' NOT NULL,
	`report_document_id` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`facility_id`) REFERENCES `facilities`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`report_document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `imaging_studies_document` ON `imaging_studies` (`document_id`);--> statement-breakpoint
CREATE INDEX `imaging_studies_patient` ON `imaging_studies` (`patient_id`,`study_date`);--> statement-breakpoint
CREATE INDEX `imaging_studies_uid` ON `imaging_studies` (`study_instance_uid`);--> statement-breakpoint
CREATE INDEX `imaging_studies_report` ON `imaging_studies` (`report_document_id`);--> statement-breakpoint
CREATE TABLE `chat_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`patient_id` integer NOT NULL,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`sources` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_messages_conversation` ON `chat_messages` (`user_id`,`patient_id`,`id`);--> statement-breakpoint
CREATE TABLE `prompts` (
	`key` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `providers` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`position` integer NOT NULL,
	`type` text NOT NULL,
	`settings` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `providers_order` ON `providers` (`kind`,`position`);--> statement-breakpoint
CREATE TABLE `share_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`share_id` text NOT NULL,
	`action` text NOT NULL,
	`document_id` integer,
	`session_id` integer,
	`client_ip` text,
	`user_agent` text,
	`details` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `share_audit_share` ON `share_audit` (`share_id`,`id`);--> statement-breakpoint
CREATE TABLE `share_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`share_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_encrypted` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`used_at` text,
	`expires_at` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`share_id`) REFERENCES `shares`(`share_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `share_codes_share` ON `share_codes` (`share_id`,`id`);--> statement-breakpoint
CREATE TABLE `share_documents` (
	`share_id` text NOT NULL,
	`document_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`share_id`, `document_id`),
	FOREIGN KEY (`share_id`) REFERENCES `shares`(`share_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `share_documents_document` ON `share_documents` (`document_id`);--> statement-breakpoint
CREATE TABLE `share_queue` (
	`rowid` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`share_id` text NOT NULL,
	`client_ip` text,
	`user_agent` text,
	`created_at` text NOT NULL,
	`queue_expires_at` text NOT NULL,
	FOREIGN KEY (`share_id`) REFERENCES `shares`(`share_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `share_queue_token_hash_unique` ON `share_queue` (`token_hash`);--> statement-breakpoint
CREATE INDEX `share_queue_share` ON `share_queue` (`share_id`);--> statement-breakpoint
CREATE TABLE `share_sessions` (
	`rowid` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_hash` text NOT NULL,
	`share_id` text NOT NULL,
	`client_ip` text,
	`user_agent` text,
	`created_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`ended_at` text,
	FOREIGN KEY (`share_id`) REFERENCES `shares`(`share_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `share_sessions_session_hash_unique` ON `share_sessions` (`session_hash`);--> statement-breakpoint
CREATE INDEX `share_sessions_share` ON `share_sessions` (`share_id`);--> statement-breakpoint
CREATE TABLE `shares` (
	`share_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`token_encrypted` text NOT NULL,
	`patient_id` integer NOT NULL,
	`recipient_label` text NOT NULL,
	`recipient_contact` text,
	`otp_delivery` text DEFAULT 'manual' NOT NULL,
	`default_ocr_provider_id` text,
	`default_llm_provider_id` text,
	`failed_codes` integer DEFAULT 0 NOT NULL,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	`created_by` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_token_hash_unique` ON `shares` (`token_hash`);--> statement-breakpoint
CREATE INDEX `shares_patient` ON `shares` (`patient_id`);--> statement-breakpoint
CREATE TABLE `job_artifacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`data` text NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `job_artifacts_document` ON `job_artifacts` (`document_id`,`name`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`document_id` integer NOT NULL,
	`priority` integer NOT NULL,
	`size` integer NOT NULL,
	`state` text DEFAULT 'queued' NOT NULL,
	`options` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`not_before` text,
	`created_at` text NOT NULL,
	`started_at` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `jobs_order` ON `jobs` (`state`,`priority`,`size`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_document` ON `jobs` (`document_id`);--> statement-breakpoint
CREATE TABLE `pipeline_state` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stage_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`stage` text NOT NULL,
	`status` text NOT NULL,
	`job_kind` text NOT NULL,
	`message` text,
	`page_current` integer,
	`page_total` integer,
	`started_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stage_events_document` ON `stage_events` (`document_id`,`id`);--> statement-breakpoint
CREATE TABLE `trash` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`patient_id` integer,
	`file_hash` text,
	`rows` text NOT NULL,
	`files` text NOT NULL,
	`size` integer NOT NULL,
	`deleted_by_user_id` integer,
	`deleted_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `trash_patient` ON `trash` (`patient_id`);--> statement-breakpoint
CREATE INDEX `trash_time` ON `trash` (`deleted_at`);--> statement-breakpoint
CREATE INDEX `trash_hash` ON `trash` (`file_hash`);--> statement-breakpoint
CREATE TABLE `vault_journal` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_path` text NOT NULL,
	`to_path` text,
	`created_at` text NOT NULL
);
