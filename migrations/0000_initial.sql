CREATE TABLE `republications` (
	`id` text PRIMARY KEY NOT NULL,
	`suite` text NOT NULL,
	`dataset_name` text NOT NULL,
	`headline` text NOT NULL,
	`causes` text NOT NULL,
	`reason` text NOT NULL,
	`corrected_samples` integer,
	`from_board` text NOT NULL,
	`to_board` text,
	`from_dataset` text NOT NULL,
	`to_dataset` text NOT NULL,
	`from_suite_version` text NOT NULL,
	`to_suite_version` text NOT NULL,
	`submission_id` text NOT NULL,
	`changes` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `republications_from` ON `republications` (`from_board`);--> statement-breakpoint
CREATE INDEX `republications_to` ON `republications` (`to_board`);--> statement-breakpoint
CREATE UNIQUE INDEX `republications_open` ON `republications` (`from_board`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE TABLE `drifts` (
	`run_id` text PRIMARY KEY NOT NULL,
	`series` text NOT NULL,
	`position` integer NOT NULL,
	`covered` integer NOT NULL,
	`reference_id` text,
	`rerun` integer NOT NULL,
	`evidence` real NOT NULL,
	`flagged` integer NOT NULL,
	`dataset_changed` integer NOT NULL,
	`finished_at` integer NOT NULL,
	`drift` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drifts_by_series` ON `drifts` (`series`,`position`);--> statement-breakpoint
CREATE INDEX `drifts_flagged` ON `drifts` (`finished_at`) WHERE flagged;--> statement-breakpoint
CREATE INDEX `drifts_dataset_changed` ON `drifts` (`finished_at`) WHERE dataset_changed;--> statement-breakpoint
CREATE TABLE `schedule_events` (
	`schedule_id` text NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`detail` text NOT NULL,
	`run_id` text,
	PRIMARY KEY(`schedule_id`, `at`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`key_id` text,
	`any_owner` integer NOT NULL,
	`note` text,
	`request` text NOT NULL,
	`sealed_secrets` text,
	`cron` text,
	`every_hours` integer,
	`status` text NOT NULL,
	`status_reason` text,
	`next_at` integer NOT NULL,
	`tick_at` integer,
	`tick_since` integer,
	`submission_id` text,
	`is_settled` integer DEFAULT true NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `schedules_by_owner` ON `schedules` (`owner`);--> statement-breakpoint
CREATE INDEX `schedules_due` ON `schedules` (`next_at`) WHERE status = 'active';--> statement-breakpoint
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`daily_samples` integer,
	`revoked_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_id_unique` ON `api_keys` (`id`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`board_id` text NOT NULL,
	`model_slug` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`board_id`, `model_slug`)
);
--> statement-breakpoint
CREATE TABLE `boards` (
	`id` text PRIMARY KEY NOT NULL,
	`suite` text NOT NULL,
	`suite_version` text NOT NULL,
	`headline` text NOT NULL,
	`dataset_name` text NOT NULL,
	`dataset_version` text NOT NULL,
	`dataset_samples` integer NOT NULL,
	`scoring_version` text NOT NULL,
	`prompt_hash` text NOT NULL,
	`structured_output` text NOT NULL,
	`repeats` integer NOT NULL,
	`judging` text,
	`is_default` integer NOT NULL,
	`hidden_samples` integer NOT NULL,
	`entries` text NOT NULL,
	`compared_samples` integer,
	`tests` text,
	`updated_at` integer NOT NULL,
	`superseded_by` text,
	`superseded_at` integer,
	`lease_expires_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `boards_by_dataset` ON `boards` (`suite`,`dataset_name`);--> statement-breakpoint
CREATE TABLE `datasets` (
	`suite` text NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`owner` text NOT NULL,
	`samples` integer NOT NULL,
	`malformed` text NOT NULL,
	`warnings` text NOT NULL,
	`visibility` text NOT NULL,
	`license` text,
	`source` text,
	`corrects` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`suite`, `name`, `version`)
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`owner` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`resource` text NOT NULL,
	`reserved_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`owner`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `leases` (
	`run_id` text NOT NULL,
	`lane` integer NOT NULL,
	`attempt` integer NOT NULL,
	`holder` text NOT NULL,
	`commits` integer DEFAULT 0 NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`slots` integer DEFAULT 0 NOT NULL,
	`endpoint_origin` text,
	`pending` text NOT NULL,
	`claim_from` integer DEFAULT 0 NOT NULL,
	`claim_to` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`run_id`, `lane`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `publications` (
	`target` text PRIMARY KEY NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL,
	`published` integer DEFAULT 0 NOT NULL,
	`hooked` integer DEFAULT 0 NOT NULL,
	`hook_called_at` integer DEFAULT 0 NOT NULL,
	`hash` text
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`parent_id` text,
	`republished` integer DEFAULT false NOT NULL,
	`owner` text NOT NULL,
	`visibility` text NOT NULL,
	`hidden_reason` text,
	`suite` text NOT NULL,
	`suite_version` text NOT NULL,
	`headline` text NOT NULL,
	`dataset_name` text NOT NULL,
	`dataset_version` text NOT NULL,
	`dataset_samples` integer NOT NULL,
	`model_slug` text NOT NULL,
	`model` text NOT NULL,
	`endpoint` text,
	`endpoint_origin` text,
	`hybrid` text,
	`sealed_secrets` text,
	`had_secrets` integer DEFAULT false NOT NULL,
	`options` text NOT NULL,
	`variant` text,
	`prices` text,
	`max_cost_usd` real,
	`scoring_version` text NOT NULL,
	`prompt_hash` text,
	`judging` text,
	`canary` text,
	`phase` text DEFAULT 'answering' NOT NULL,
	`board_id` text,
	`counted_on` text,
	`samples_owner` text,
	`status` text NOT NULL,
	`status_reason` text,
	`units` integer NOT NULL,
	`cursor` integer DEFAULT 0 NOT NULL,
	`given` integer DEFAULT 0 NOT NULL,
	`lanes` integer NOT NULL,
	`concurrency` integer NOT NULL,
	`slot_limit` integer NOT NULL,
	`slot_limit_changed_at` integer DEFAULT 0 NOT NULL,
	`not_before` integer DEFAULT 0 NOT NULL,
	`blocked_since` integer,
	`total` integer NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`input_tokens` integer DEFAULT 0 NOT NULL,
	`output_tokens` integer DEFAULT 0 NOT NULL,
	`unmetered` integer DEFAULT 0 NOT NULL,
	`failed_judgments` integer DEFAULT 0 NOT NULL,
	`refused` text NOT NULL,
	`notes` text NOT NULL,
	`metrics` text,
	`code_revision` text,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`answered_at` integer,
	`idle_ms` integer DEFAULT 0 NOT NULL,
	`quota_key` text,
	`quota_day` text,
	`charged` integer DEFAULT 0 NOT NULL,
	`refundable` integer DEFAULT 0 NOT NULL,
	`retries` text DEFAULT '[]' NOT NULL,
	`answers_removed_at` integer,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `runs_by_submission` ON `runs` (`submission_id`);--> statement-breakpoint
CREATE INDEX `runs_by_board` ON `runs` (`board_id`);--> statement-breakpoint
CREATE INDEX `runs_by_counted_on` ON `runs` (`counted_on`) WHERE counted_on IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runs_by_model` ON `runs` (`model_slug`,`finished_at`);--> statement-breakpoint
CREATE INDEX `runs_listed_of_model` ON `runs` (`model_slug`,`answered_at`) WHERE status = 'finished' AND board_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runs_by_status` ON `runs` (`status`);--> statement-breakpoint
CREATE INDEX `runs_by_parent` ON `runs` (`parent_id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runs_of_canaries` ON `runs` (`suite`,`scoring_version`) WHERE canary IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runs_deleted` ON `runs` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runs_with_answers` ON `runs` (`finished_at`) WHERE answers_removed_at IS NULL;--> statement-breakpoint
CREATE TABLE `samples` (
	`run_id` text NOT NULL,
	`seq` integer NOT NULL,
	`sample_id` text NOT NULL,
	`status` text NOT NULL,
	`covered` integer NOT NULL,
	`score` real,
	`latency_ms` real,
	`input_tokens` integer,
	`output_tokens` integer,
	`requests` integer NOT NULL,
	`attempts` integer NOT NULL,
	`queue_wait_ms` real,
	`retry_wait_ms` real,
	`done_ms` real,
	`error_class` text,
	`failed_judgments` integer DEFAULT 0 NOT NULL,
	`object` text NOT NULL,
	PRIMARY KEY(`run_id`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`suite` text NOT NULL,
	`dataset_name` text NOT NULL,
	`dataset_version` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`key` text NOT NULL,
	`day` text NOT NULL,
	`used` integer NOT NULL,
	`allowed` integer NOT NULL,
	PRIMARY KEY(`key`, `day`),
	CONSTRAINT "usage_within_quota" CHECK(used <= allowed)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`attempted_at` integer,
	`response_status` integer,
	`duration_ms` real,
	`response` text,
	`error` text,
	PRIMARY KEY(`webhook_id`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`owner` text NOT NULL,
	`subject` text NOT NULL,
	`data` text,
	`occurred_at` integer NOT NULL,
	`fanned_out_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_events_waiting` ON `webhook_events` (`occurred_at`) WHERE fanned_out_at IS NULL;--> statement-breakpoint
CREATE INDEX `webhook_events_by_age` ON `webhook_events` (`occurred_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`description` text NOT NULL,
	`origin` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`status` text NOT NULL,
	`status_reason` text,
	`failing_since` integer,
	`failed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_owner` ON `webhooks` (`owner`);