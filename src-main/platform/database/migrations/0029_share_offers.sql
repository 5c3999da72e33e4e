CREATE TABLE `share_translation_offer` (
	`id` integer PRIMARY KEY NOT NULL,
	`offer` text NOT NULL,
	`valid_until` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `share_health_links` ADD `origin` text;