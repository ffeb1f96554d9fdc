CREATE TABLE `ratings` (
	`run_id` text NOT NULL,
	`seq` integer NOT NULL,
	`metric` text NOT NULL,
	`rater` text NOT NULL,
	`sample_id` text NOT NULL,
	`answer_hash` text NOT NULL,
	`score` real NOT NULL,
	PRIMARY KEY(`run_id`, `seq`, `metric`, `rater`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `runs` ADD `people` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `rated_at` integer;--> statement-breakpoint
CREATE INDEX `runs_rated` ON `runs` (`rated_at`) WHERE rated_at IS NOT NULL;