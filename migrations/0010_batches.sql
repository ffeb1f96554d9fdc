CREATE TABLE `batches` (
	`id` text PRIMARY KEY NOT NULL,
	`run_id` text NOT NULL,
	`phase` text NOT NULL,
	`retry` integer NOT NULL,
	`lane` integer NOT NULL,
	`judge` text,
	`requests` integer NOT NULL,
	`provider_id` text,
	`pieces` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `batches_by_run` ON `batches` (`run_id`);--> statement-breakpoint
CREATE INDEX `batches_by_provider_id` ON `batches` (`provider_id`);