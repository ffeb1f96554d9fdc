CREATE TABLE `dataset_leftovers` (
	`suite` text NOT NULL,
	`version` text NOT NULL,
	`due_at` integer NOT NULL,
	`claimed_at` integer,
	PRIMARY KEY(`suite`, `version`)
);
--> statement-breakpoint
CREATE INDEX `dataset_leftovers_due` ON `dataset_leftovers` (`due_at`);--> statement-breakpoint
ALTER TABLE `boards` ADD `made_by` text;--> statement-breakpoint
CREATE INDEX `boards_by_maker` ON `boards` (`made_by`) WHERE made_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `datasets` ADD `bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `datasets_by_version` ON `datasets` (`suite`,`version`);--> statement-breakpoint
CREATE INDEX `datasets_by_owner` ON `datasets` (`owner`);--> statement-breakpoint
CREATE INDEX `runs_by_dataset` ON `runs` (`suite`,`dataset_version`);