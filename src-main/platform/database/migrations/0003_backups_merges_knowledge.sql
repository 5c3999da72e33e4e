CREATE TABLE `knowledge_editions` (
	`part` text PRIMARY KEY NOT NULL,
	`edition` text NOT NULL,
	`sown_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `name_merges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`target_id` integer NOT NULL,
	`target_created` integer DEFAULT false NOT NULL,
	`sources` text NOT NULL,
	`aliases` text NOT NULL,
	`moved` text NOT NULL,
	`user_id` integer,
	`created_at` text NOT NULL,
	`undone_at` text
);
--> statement-breakpoint
CREATE INDEX `name_merges_kind` ON `name_merges` (`kind`,`id`);--> statement-breakpoint
CREATE TABLE `backups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`scheduled` integer DEFAULT false NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`error_code` text,
	`files` integer DEFAULT 0 NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`started_at` text NOT NULL,
	`finished_at` text,
	`verified_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `backups_name` ON `backups` (`name`);--> statement-breakpoint
CREATE INDEX `backups_time` ON `backups` (`started_at`);--> statement-breakpoint
CREATE TABLE `vault_checks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`status` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`documents` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`faults` text NOT NULL,
	`started_at` text NOT NULL,
	`finished_at` text
);
