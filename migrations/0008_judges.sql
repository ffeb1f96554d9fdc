CREATE TABLE `bridges` (
	`id` text PRIMARY KEY NOT NULL,
	`board_id` text NOT NULL,
	`to` text NOT NULL,
	`options` text NOT NULL,
	`picked` text NOT NULL,
	`shifts` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`held_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bridges_by_board` ON `bridges` (`board_id`);--> statement-breakpoint
CREATE INDEX `bridges_open` ON `bridges` (`held_until`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE TABLE `judge_models` (
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`ends` text,
	`replacement` text,
	`listed` integer,
	`warning` text,
	`checked_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `model`)
);
