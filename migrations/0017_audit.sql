CREATE TABLE `audit_log` (
	`at` integer NOT NULL,
	`id` text NOT NULL,
	`actor` text NOT NULL,
	`key_id` text,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`reason` text,
	`before` text,
	`after` text,
	`status` integer NOT NULL,
	`request_id` text NOT NULL,
	PRIMARY KEY(`at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_log_by_actor` ON `audit_log` (`actor`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_by_target` ON `audit_log` (`target`,`at`);