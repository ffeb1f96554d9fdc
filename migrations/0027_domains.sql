CREATE TABLE `domains` (
	`domain` text NOT NULL,
	`owner` text NOT NULL,
	`token` text NOT NULL,
	`claimed_by` text NOT NULL,
	`claimed_at` integer NOT NULL,
	`checked_at` integer,
	`verified_at` integer,
	`failing_since` integer,
	`problem` text,
	PRIMARY KEY(`domain`, `owner`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_verified` ON `domains` (`domain`) WHERE verified_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `domains_due` ON `domains` (`checked_at`) WHERE verified_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `domains_by_owner` ON `domains` (`owner`);