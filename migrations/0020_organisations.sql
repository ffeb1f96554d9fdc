CREATE TABLE `invitations` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`owner` text NOT NULL,
	`role` text NOT NULL,
	`person` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_id_unique` ON `invitations` (`id`);--> statement-breakpoint
CREATE INDEX `invitations_by_owner` ON `invitations` (`owner`);--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `members` (
	`owner` text NOT NULL,
	`person` text NOT NULL,
	`role` text NOT NULL,
	`added_at` integer NOT NULL,
	`added_by` text NOT NULL,
	PRIMARY KEY(`owner`, `person`)
);
--> statement-breakpoint
CREATE INDEX `members_by_person` ON `members` (`person`);--> statement-breakpoint
ALTER TABLE `runs` ADD `started_by` text;