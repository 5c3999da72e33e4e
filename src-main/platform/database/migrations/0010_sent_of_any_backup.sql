PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_phone_sent` (
	`backup_id` text NOT NULL,
	`file_id` text NOT NULL,
	`document_id` integer NOT NULL,
	`sent_at` text NOT NULL,
	PRIMARY KEY(`backup_id`, `file_id`),
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_phone_sent`("backup_id", "file_id", "document_id", "sent_at") SELECT "backup_id", "file_id", "document_id", "sent_at" FROM `phone_sent`;--> statement-breakpoint
DROP TABLE `phone_sent`;--> statement-breakpoint
ALTER TABLE `__new_phone_sent` RENAME TO `phone_sent`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `phone_sent_document` ON `phone_sent` (`document_id`);