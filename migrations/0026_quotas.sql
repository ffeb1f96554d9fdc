ALTER TABLE `accounts` ADD `quotas` text;--> statement-breakpoint
CREATE INDEX `accounts_by_creator` ON `accounts` (`created_by`) WHERE created_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `stored_bytes` integer;