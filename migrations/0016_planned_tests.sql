CREATE TABLE `planned_tests` (
	`owner` text NOT NULL,
	`against` text NOT NULL,
	`run_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`owner`, `against`, `run_id`)
);
--> statement-breakpoint
INSERT INTO `planned_tests` (`owner`, `against`, `run_id`, `created_at`)
SELECT `owner`, `options` ->> '$.plannedTest.against', `id`, `created_at` FROM `runs`
WHERE `parent_id` IS NULL AND `options` ->> '$.plannedTest.against' IS NOT NULL;