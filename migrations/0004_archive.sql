CREATE TABLE `sample_turns` (
	`sample_table` integer PRIMARY KEY NOT NULL,
	`filled_since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `samples_1` (
	`run_id` text NOT NULL,
	`seq` integer NOT NULL,
	`sample_id` text NOT NULL,
	`status` text NOT NULL,
	`covered` integer NOT NULL,
	`score` real,
	`latency_ms` real,
	`input_tokens` integer,
	`output_tokens` integer,
	`requests` integer NOT NULL,
	`attempts` integer NOT NULL,
	`queue_wait_ms` real,
	`retry_wait_ms` real,
	`done_ms` real,
	`error_class` text,
	`failed_judgments` integer DEFAULT 0 NOT NULL,
	`object` text NOT NULL,
	PRIMARY KEY(`run_id`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `runs` ADD `sample_table` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `archive` text;--> statement-breakpoint
CREATE INDEX `runs_not_archived` ON `runs` (`finished_at`,`sample_table`) WHERE archive IS NULL;