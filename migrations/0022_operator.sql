CREATE TABLE `alerts` (
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`id` text NOT NULL,
	`message` text NOT NULL,
	`since` integer NOT NULL,
	`announced_at` integer,
	PRIMARY KEY(`kind`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bans` (
	`owner` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`by` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `database_sizes` (
	`day` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `judge_spend` (
	`day` text NOT NULL,
	`owner` text NOT NULL,
	`judge` text NOT NULL,
	`requests` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`usd` real NOT NULL,
	`unpriced` integer NOT NULL,
	PRIMARY KEY(`day`, `owner`, `judge`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `reader_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`run_id` text NOT NULL,
	`kind` text NOT NULL,
	`message` text NOT NULL,
	`reporter` text NOT NULL,
	`account` text,
	`state` text NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	`reason` text
);
--> statement-breakpoint
CREATE INDEX `reader_reports_by_state` ON `reader_reports` (`state`,`at`);--> statement-breakpoint
CREATE INDEX `reader_reports_by_reporter` ON `reader_reports` (`reporter`,`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `reader_reports_once` ON `reader_reports` (`run_id`,`reporter`);--> statement-breakpoint
ALTER TABLE `runs` ADD `judge_spend` text;