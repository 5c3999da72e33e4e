DROP INDEX `documents_patient_date`;--> statement-breakpoint
DROP INDEX `documents_patient_specialty`;--> statement-breakpoint
ALTER TABLE `documents` ADD `extracted_birth_date` text;--> statement-breakpoint
ALTER TABLE `documents` ADD `patient_undecided` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_undecided` ON `documents` (`id`) WHERE patient_undecided = 1;--> statement-breakpoint
CREATE INDEX `documents_patient_date` ON `documents` (`patient_id`,`event_date`,`id`,`patient_undecided`);--> statement-breakpoint
CREATE INDEX `documents_patient_specialty` ON `documents` (`patient_id`,`norm_specialty_id`,`event_date`,`id`,`patient_undecided`);--> statement-breakpoint
UPDATE `documents` SET `extracted_birth_date` = (SELECT json_extract(x.raw_extraction, '$.patient.date_of_birth.value')
  FROM document_extractions AS x WHERE x.document_id = documents.id AND json_valid(x.raw_extraction));--> statement-breakpoint
UPDATE `documents` SET `patient_undecided` = 1 WHERE status = 'needs_review' AND (patient_id IS NULL OR EXISTS (
  SELECT 1 FROM json_each(documents.review_reasons) AS r WHERE json_extract(r.value, '$.code') = 'other_patient'));--> statement-breakpoint
UPDATE `lab_results` SET `patient_id` = NULL
  WHERE document_id IN (SELECT id FROM documents WHERE patient_undecided = 1);--> statement-breakpoint
-- The documents whose values count, and imaging studies that are of no document or of such a document.
CREATE VIEW `record_documents` AS SELECT * FROM documents WHERE patient_undecided = 0;--> statement-breakpoint
CREATE VIEW `record_studies` AS SELECT * FROM imaging_studies AS i WHERE NOT EXISTS (
  SELECT 1 FROM documents AS d WHERE d.id = i.document_id AND d.patient_undecided = 1);
