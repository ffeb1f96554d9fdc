ALTER TABLE `shares` ADD `opens` text;--> statement-breakpoint
ALTER TABLE `shares` ADD `owner` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `shares_by_owner` ON `shares` (`owner`,`created_at`);--> statement-breakpoint
UPDATE `shares` SET `owner` = coalesce((SELECT `owner` FROM `runs` WHERE `runs`.`id` = `shares`.`run_id`), '');
