CREATE TABLE `parities` (
	`name` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`reference_id` text NOT NULL,
	`margin` real NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `parities_by_owner` ON `parities` (`owner`);--> statement-breakpoint
CREATE TABLE `parity_runs` (
	`parity` text NOT NULL,
	`run_id` text NOT NULL,
	`label` text NOT NULL,
	`added_by` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`parity`, `run_id`)
);
--> statement-breakpoint
CREATE INDEX `parity_runs_by_run` ON `parity_runs` (`run_id`);