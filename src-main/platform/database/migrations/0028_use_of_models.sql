CREATE TABLE `model_usage` (
	`day` text NOT NULL,
	`purpose` text NOT NULL,
	`provider` text NOT NULL,
	`currency` text NOT NULL,
	`answers` integer NOT NULL,
	`tokens_in` integer NOT NULL,
	`tokens_out` integer NOT NULL,
	`amount` real,
	PRIMARY KEY(`day`, `purpose`, `provider`, `currency`)
);
--> statement-breakpoint
ALTER TABLE `chat_messages` ADD `usage` text;