CREATE TABLE `share_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `share_attempts_key` ON `share_attempts` (`kind`,`key`,`created_at`);--> statement-breakpoint
CREATE INDEX `share_attempts_created` ON `share_attempts` (`created_at`);--> statement-breakpoint
ALTER TABLE `shares` ADD `wrong_codes` integer DEFAULT 0 NOT NULL;