CREATE TABLE `share_health_links` (
	`link_id` text PRIMARY KEY NOT NULL,
	`share_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`label` text NOT NULL,
	`document_ids` text NOT NULL,
	`passcode_hash` text,
	`tries_left` integer,
	`uses_left` integer,
	`file_sizes` text,
	`failure` text,
	`opened_count` integer DEFAULT 0 NOT NULL,
	`last_opened_at` text,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	`created_by` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`share_id`) REFERENCES `shares`(`share_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `share_health_links_token_hash_unique` ON `share_health_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `share_health_links_share` ON `share_health_links` (`share_id`);