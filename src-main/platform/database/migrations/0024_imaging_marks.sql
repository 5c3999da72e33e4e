CREATE TABLE `imaging_marks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`instance_id` integer NOT NULL,
	`frame` integer NOT NULL,
	`kind` text NOT NULL,
	`points` text NOT NULL,
	`measured` text,
	`label` text,
	`created_by_user_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`instance_id`) REFERENCES `imaging_instances`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `imaging_marks_instance` ON `imaging_marks` (`instance_id`);--> statement-breakpoint
CREATE INDEX `imaging_marks_user` ON `imaging_marks` (`created_by_user_id`);