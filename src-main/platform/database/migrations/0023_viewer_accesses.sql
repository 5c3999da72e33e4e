CREATE TABLE `viewer_accesses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`origins` text NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `viewer_accesses_token` ON `viewer_accesses` (`token_hash`);--> statement-breakpoint
CREATE INDEX `viewer_accesses_user` ON `viewer_accesses` (`user_id`);