CREATE TABLE `deletions` (
	`hash` text PRIMARY KEY NOT NULL,
	`owner` text,
	`requested_at` integer NOT NULL,
	`held_until` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `deletions_open` ON `deletions` (`requested_at`) WHERE owner IS NOT NULL;--> statement-breakpoint
CREATE TABLE `retentions` (
	`owner` text NOT NULL,
	`dataset` text NOT NULL,
	`answer_days` integer,
	`run_days` integer,
	PRIMARY KEY(`owner`, `dataset`)
);
--> statement-breakpoint
ALTER TABLE `runs` ADD `answer_days` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `run_days` integer;--> statement-breakpoint
CREATE INDEX `runs_answers_due` ON `runs` (finished_at + answer_days * 86400000) WHERE answer_days IS NOT NULL AND answers_removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `runs_due` ON `runs` (finished_at + run_days * 86400000) WHERE run_days IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `runs_planned_against` ON `runs` (options ->> '$.plannedTest.against') WHERE options ->> '$.plannedTest.against' IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runs_started_for_others` ON `runs` (`started_by`) WHERE started_by <> owner;