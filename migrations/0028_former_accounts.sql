ALTER TABLE `deletions` ADD `identity` text;--> statement-breakpoint
ALTER TABLE `deletions` ADD `used` text;--> statement-breakpoint
ALTER TABLE `deletions` ADD `banned` text;--> statement-breakpoint
CREATE INDEX `deletions_by_identity` ON `deletions` (`identity`) WHERE identity IS NOT NULL;