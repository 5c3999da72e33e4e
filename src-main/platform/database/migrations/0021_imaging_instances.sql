CREATE TABLE `imaging_bundle_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`file_size` integer NOT NULL,
	`file_hash` text NOT NULL,
	FOREIGN KEY (`study_id`) REFERENCES `imaging_studies`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imaging_bundle_files_name` ON `imaging_bundle_files` (`study_id`,`name`);--> statement-breakpoint
CREATE TABLE `imaging_instances` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`series_id` integer NOT NULL,
	`sop_instance_uid` text NOT NULL,
	`sop_class_uid` text NOT NULL,
	`transfer_syntax_uid` text NOT NULL,
	`kind` text NOT NULL,
	`file_name` text NOT NULL,
	`file_size` integer NOT NULL,
	`file_hash` text NOT NULL,
	`instance_number` integer,
	`position` real,
	`frames` integer DEFAULT 0 NOT NULL,
	`rows` integer,
	`columns` integer,
	`window_center` real,
	`window_width` real,
	FOREIGN KEY (`series_id`) REFERENCES `imaging_series`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imaging_instances_file` ON `imaging_instances` (`series_id`,`file_name`);--> statement-breakpoint
CREATE INDEX `imaging_instances_order` ON `imaging_instances` (`series_id`,`position`,`instance_number`,`id`);--> statement-breakpoint
CREATE INDEX `imaging_instances_uid` ON `imaging_instances` (`sop_instance_uid`);--> statement-breakpoint
DROP INDEX `documents_path`;--> statement-breakpoint
CREATE UNIQUE INDEX `documents_one_path` ON `documents` (`file_path`) WHERE file_path <> '';--> statement-breakpoint
CREATE INDEX `documents_path` ON `documents` (`file_path`);--> statement-breakpoint
CREATE INDEX `imaging_series_folder` ON `imaging_series` (`folder_path`);--> statement-breakpoint
CREATE INDEX `imaging_studies_created` ON `imaging_studies` (`patient_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `imaging_studies_folder` ON `imaging_studies` (`folder_path`);--> statement-breakpoint
CREATE INDEX `imaging_studies_bundle` ON `imaging_studies` (`bundle_path`);--> statement-breakpoint
-- A study belongs to the patient of its document; as long as it waits for a report, also its date and names
-- are those that people correct there.
CREATE TRIGGER `imaging_studies_of_document` AFTER UPDATE OF patient_id, event_date, doctor_id, facility_id ON documents
WHEN EXISTS (SELECT 1 FROM imaging_studies WHERE document_id = new.id)
BEGIN
  UPDATE imaging_studies SET patient_id = new.patient_id
    WHERE document_id = new.id AND patient_id IS NOT new.patient_id;
  UPDATE imaging_studies SET study_date = new.event_date, doctor_id = new.doctor_id, facility_id = new.facility_id
    WHERE document_id = new.id AND report_status = 'placeholder';
END;
