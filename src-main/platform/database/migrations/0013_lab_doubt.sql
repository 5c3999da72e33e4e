ALTER TABLE `lab_results` ADD `doubt` text;--> statement-breakpoint
ALTER TABLE `lab_results` ADD `reference_range_comparator` text;