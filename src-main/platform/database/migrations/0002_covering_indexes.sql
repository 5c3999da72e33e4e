DROP INDEX `documents_date`;--> statement-breakpoint
DROP INDEX `documents_type`;--> statement-breakpoint
DROP INDEX `documents_status`;--> statement-breakpoint
DROP INDEX `documents_doctor`;--> statement-breakpoint
DROP INDEX `documents_facility`;--> statement-breakpoint
DROP INDEX `documents_specialty`;--> statement-breakpoint
DROP INDEX `documents_event`;--> statement-breakpoint
DROP INDEX `documents_created`;--> statement-breakpoint
DROP INDEX `documents_filename`;--> statement-breakpoint
CREATE INDEX `documents_date` ON `documents` (`event_date`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_type` ON `documents` (`doc_type`,`event_date`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_status` ON `documents` (`status`,`event_date`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_doctor` ON `documents` (`doctor_id`,`event_date`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_facility` ON `documents` (`facility_id`,`event_date`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_specialty` ON `documents` (`norm_specialty_id`,`event_date`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_event` ON `documents` (`event_id`,`event_date`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_created` ON `documents` (`created_at`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `documents_filename` ON `documents` (`original_filename`,`id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `norm_specialties_display` ON `norm_specialties` (`canonical_display`);