CREATE TABLE `archive_import_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`import_id` integer NOT NULL,
	`member` text NOT NULL,
	`kind` text NOT NULL,
	`details` text NOT NULL,
	`status` text NOT NULL,
	`code` text,
	`params` text,
	`count` integer DEFAULT 0 NOT NULL,
	`document_ids` text NOT NULL,
	`result_ids` text NOT NULL,
	`started_at` text,
	FOREIGN KEY (`import_id`) REFERENCES `archive_imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `archive_import_items_status` ON `archive_import_items` (`import_id`,`status`);--> statement-breakpoint
CREATE TABLE `archive_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`patient_id` integer NOT NULL,
	`user_id` integer,
	`status` text NOT NULL,
	`error_code` text,
	`created_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `archive_imports_patient` ON `archive_imports` (`patient_id`);