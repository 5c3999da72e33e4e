CREATE TABLE `document_vectors` (
	`document_id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`passages` integer,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `document_vectors_model` ON `document_vectors` (`model`);--> statement-breakpoint
CREATE TABLE `passage_vectors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` integer NOT NULL,
	`page` integer NOT NULL,
	`first_line` integer NOT NULL,
	`last_line` integer NOT NULL,
	`vector` blob NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `document_vectors`(`document_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passage_vectors_document` ON `passage_vectors` (`document_id`);--> statement-breakpoint
CREATE TRIGGER `document_vectors_of_new_pages` AFTER INSERT ON `document_pages` BEGIN
  DELETE FROM document_vectors WHERE document_id = new.document_id;
END;
--> statement-breakpoint
CREATE TRIGGER `document_vectors_of_old_pages` AFTER DELETE ON `document_pages` BEGIN
  DELETE FROM document_vectors WHERE document_id = old.document_id;
END;
--> statement-breakpoint
CREATE TRIGGER `document_vectors_of_changed_pages` AFTER UPDATE ON `document_pages` BEGIN
  DELETE FROM document_vectors WHERE document_id IN (old.document_id, new.document_id);
END;
