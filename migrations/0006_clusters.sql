ALTER TABLE `boards` ADD `likely_clusters` text;--> statement-breakpoint
ALTER TABLE `datasets` ADD `likely_clusters` text;