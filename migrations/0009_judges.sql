CREATE TABLE `bridges` (
	`id` text PRIMARY KEY NOT NULL,
	`board_id` text NOT NULL,
	`to` text NOT NULL,
	`options` text NOT NULL,
	`picked` text NOT NULL,
	`shifts` text NOT NULL,
	`started_at` text NOT NULL,
	`finished_at` text,
	`held_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `judge_models` (
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`ends` text,
	`replacement` text,
	`listed` integer,
	`warning` text,
	`checked_at` text NOT NULL,
	PRIMARY KEY(`provider`, `model`)
);
