CREATE TABLE `name_alias_sources` (
	`alias_id` integer NOT NULL,
	`patient_id` integer DEFAULT 0 NOT NULL,
	`user_id` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`alias_id`, `patient_id`, `user_id`)
);
--> statement-breakpoint
DROP INDEX `doctors_code`;--> statement-breakpoint
ALTER TABLE `doctors` ADD `home_patient_id` integer;--> statement-breakpoint
ALTER TABLE `doctors` ADD `home_user_id` integer;--> statement-breakpoint
CREATE INDEX `doctors_code` ON `doctors` (`canonical_code`);--> statement-breakpoint
DROP INDEX `facilities_code`;--> statement-breakpoint
ALTER TABLE `facilities` ADD `home_patient_id` integer;--> statement-breakpoint
ALTER TABLE `facilities` ADD `home_user_id` integer;--> statement-breakpoint
CREATE INDEX `facilities_code` ON `facilities` (`canonical_code`);--> statement-breakpoint
DROP INDEX `name_aliases_key`;--> statement-breakpoint
ALTER TABLE `name_aliases` ADD `printed` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `name_aliases_key` ON `name_aliases` (`kind`,`alias_key`);--> statement-breakpoint
DROP INDEX `norm_diagnoses_code`;--> statement-breakpoint
ALTER TABLE `norm_diagnoses` ADD `home_patient_id` integer;--> statement-breakpoint
ALTER TABLE `norm_diagnoses` ADD `home_user_id` integer;--> statement-breakpoint
CREATE INDEX `norm_diagnoses_code` ON `norm_diagnoses` (`canonical_code`);--> statement-breakpoint
DROP INDEX `norm_lab_tests_code`;--> statement-breakpoint
ALTER TABLE `norm_lab_tests` ADD `home_patient_id` integer;--> statement-breakpoint
ALTER TABLE `norm_lab_tests` ADD `home_user_id` integer;--> statement-breakpoint
CREATE INDEX `norm_lab_tests_code` ON `norm_lab_tests` (`canonical_code`);--> statement-breakpoint
DROP INDEX `norm_medications_code`;--> statement-breakpoint
ALTER TABLE `norm_medications` ADD `home_patient_id` integer;--> statement-breakpoint
ALTER TABLE `norm_medications` ADD `home_user_id` integer;--> statement-breakpoint
CREATE INDEX `norm_medications_code` ON `norm_medications` (`canonical_code`);--> statement-breakpoint
DROP INDEX `norm_specialties_code`;--> statement-breakpoint
ALTER TABLE `norm_specialties` ADD `home_patient_id` integer;--> statement-breakpoint
ALTER TABLE `norm_specialties` ADD `home_user_id` integer;--> statement-breakpoint
CREATE INDEX `norm_specialties_code` ON `norm_specialties` (`canonical_code`);