ALTER TABLE `encounters` ADD `edited_fields` text;--> statement-breakpoint
ALTER TABLE `encounters` ADD `read_key` text;--> statement-breakpoint
ALTER TABLE `lab_results` ADD `edited_fields` text;--> statement-breakpoint
ALTER TABLE `lab_results` ADD `read_key` text;--> statement-breakpoint
CREATE INDEX `lab_results_timeline` ON `lab_results` (`patient_id`,`test_date`,`document_id`,`is_abnormal`);--> statement-breakpoint
ALTER TABLE `medications` ADD `edited_fields` text;--> statement-breakpoint
ALTER TABLE `medications` ADD `read_key` text;--> statement-breakpoint
ALTER TABLE `vaccinations` ADD `edited_fields` text;--> statement-breakpoint
ALTER TABLE `vaccinations` ADD `read_key` text;