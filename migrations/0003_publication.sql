CREATE TABLE `retired_objects` (
	`delete_at` integer NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`delete_at`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `snapshot_changes` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`changes` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`kind`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `snapshot_items` (
	`kind` text NOT NULL,
	`page` integer NOT NULL,
	`id` text NOT NULL,
	`entry` text NOT NULL,
	`key` text,
	PRIMARY KEY(`kind`, `page`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `board_places` (
	`board_id` text NOT NULL,
	`model_slug` text NOT NULL,
	`page` integer NOT NULL,
	PRIMARY KEY(`board_id`, `model_slug`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `boards` ADD `pages` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `boards` ADD `withdrawn_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `publications` ADD `root` text;--> statement-breakpoint
ALTER TABLE `publications` ADD `format` text;--> statement-breakpoint
ALTER TABLE `publications` ADD `writer` text;--> statement-breakpoint
UPDATE `publications` SET `changes` = `changes` + 1, `hash` = NULL;
