DROP INDEX `lab_results_timeline`;--> statement-breakpoint
CREATE INDEX `lab_results_timeline` ON `lab_results` (`patient_id`,`test_date`,`document_id`,`is_abnormal`,`doubt`);