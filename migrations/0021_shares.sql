CREATE TABLE `shares` (
	`id` text PRIMARY KEY NOT NULL,
	`run_id` text NOT NULL,
	`runs` text NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `shares_by_run` ON `shares` (`run_id`,`created_at`);