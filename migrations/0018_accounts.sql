CREATE TABLE `accounts` (
	`owner` text PRIMARY KEY NOT NULL,
	`skeleton` text NOT NULL,
	`provider` text,
	`subject` text,
	`login` text,
	`name` text,
	`avatar_url` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_by_skeleton` ON `accounts` (`skeleton`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_by_identity` ON `accounts` (`provider`,`subject`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`previous_hash` text,
	`rotated_at` integer NOT NULL,
	`confirmed_at` integer,
	`id` text NOT NULL,
	`owner` text NOT NULL,
	`csrf_token` text NOT NULL,
	`browser` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id_unique` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_previous` ON `sessions` (`previous_hash`);--> statement-breakpoint
CREATE INDEX `sessions_by_owner` ON `sessions` (`owner`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
CREATE INDEX `api_keys_by_owner` ON `api_keys` (`owner`,`created_at`);--> statement-breakpoint
ALTER TABLE `schedules` ADD `person` text;--> statement-breakpoint
-- Names of the operator's keys are taken. Their skeletons are those of nameSkeleton() in shared/contracts/text/slug.ts.
INSERT OR IGNORE INTO `accounts` (`owner`, `skeleton`, `created_at`)
SELECT `owner`, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`owner`,
	'.', ''), '_', ''), '-', ''), 'rn', 'm'), 'vv', 'w'), '0', 'o'), '1', 'l'), 'i', 'l'), '3', 'e'), '5', 's'), min(`created_at`)
FROM `api_keys` GROUP BY `owner`;
