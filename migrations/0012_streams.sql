ALTER TABLE `datasets` ADD `stream` text;--> statement-breakpoint
ALTER TABLE `schedules` ADD `stream` text;--> statement-breakpoint
ALTER TABLE `schedules` ADD `sealed_stream` text;