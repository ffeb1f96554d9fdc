CREATE TABLE `runner_requests` (
	`owner` text NOT NULL,
	`runner` text NOT NULL,
	`id` text NOT NULL,
	`run_id` text NOT NULL,
	`request` text,
	`created_at` integer NOT NULL,
	`lease` text,
	`leases` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`reply` text,
	`replied_at` integer,
	PRIMARY KEY(`owner`, `runner`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `runners` (
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`keys` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer,
	PRIMARY KEY(`owner`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `runs` ADD `runner_keys` text;