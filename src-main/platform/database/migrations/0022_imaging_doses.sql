CREATE TABLE `imaging_doses` (
	`instance_id` integer PRIMARY KEY NOT NULL,
	`ctdi_vol` real,
	`dlp` real,
	`dap` real,
	`fluoroscopy_seconds` real,
	`glandular_dose` real,
	`activity` real,
	FOREIGN KEY (`instance_id`) REFERENCES `imaging_instances`(`id`) ON UPDATE no action ON DELETE cascade
);
