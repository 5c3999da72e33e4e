CREATE TABLE `name_distinctions` (
	`kind` text NOT NULL,
	`low_id` integer NOT NULL,
	`high_id` integer NOT NULL,
	PRIMARY KEY(`kind`, `low_id`, `high_id`)
);
--> statement-breakpoint
CREATE TABLE `name_reindexes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`entry_id` integer NOT NULL,
	`position` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `name_reindexes_entry` ON `name_reindexes` (`kind`,`entry_id`);--> statement-breakpoint
CREATE INDEX `events_diagnosis` ON `events` (`norm_diagnosis_id`);--> statement-breakpoint
CREATE INDEX `events_specialty` ON `events` (`norm_specialty_id`);--> statement-breakpoint
CREATE INDEX `imaging_studies_doctor` ON `imaging_studies` (`doctor_id`);--> statement-breakpoint
CREATE INDEX `imaging_studies_facility` ON `imaging_studies` (`facility_id`);