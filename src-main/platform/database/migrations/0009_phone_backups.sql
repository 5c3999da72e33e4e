CREATE TABLE `phone_backups` (
	`id` text PRIMARY KEY NOT NULL,
	`folder` text NOT NULL,
	`display_name` text,
	`device_name` text,
	`product_version` text,
	`product_type` text,
	`product_name` text,
	`serial_number` text,
	`phone_number` text,
	`is_encrypted` integer NOT NULL,
	`is_full_backup` integer,
	`is_missing` integer DEFAULT false NOT NULL,
	`size_bytes` integer NOT NULL,
	`problems` text NOT NULL,
	`last_backup_at` text,
	`last_modified_at` text,
	`decrypted_at` text,
	`last_indexed_at` text,
	`index_failed` integer DEFAULT false NOT NULL,
	`found_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `phone_sent` (
	`backup_id` text NOT NULL,
	`file_id` text NOT NULL,
	`document_id` integer NOT NULL,
	`sent_at` text NOT NULL,
	PRIMARY KEY(`backup_id`, `file_id`),
	FOREIGN KEY (`backup_id`) REFERENCES `phone_backups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `phone_sent_document` ON `phone_sent` (`document_id`);--> statement-breakpoint
ALTER TABLE `documents` ADD `original_date` text;