CREATE TABLE `devices` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_code` text NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`owner` text,
	`person` text,
	`interval_seconds` integer NOT NULL,
	`asked_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_user_code_unique` ON `devices` (`user_code`);--> statement-breakpoint
CREATE INDEX `devices_by_expiry` ON `devices` (`expires_at`);