ALTER TABLE `accounts` ADD `created_by` text;--> statement-breakpoint
UPDATE `accounts` SET `created_by` = (SELECT `person` FROM `members` WHERE `members`.`owner` = `accounts`.`owner` AND `person` = `added_by`) WHERE `provider` IS NULL;--> statement-breakpoint
ALTER TABLE `shares` ADD `created_by` text;--> statement-breakpoint
CREATE INDEX `shares_by_creator` ON `shares` (`created_by`) WHERE created_by IS NOT NULL;