import { getTableColumns, sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "#shared/contracts/json.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import type { People } from "#shared/contracts/judging/rating.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { RunModel, RunStatus } from "#shared/contracts/run.ts";
import type { Prices } from "#shared/contracts/submissions/prices.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { Variant } from "#shared/contracts/submissions/variant.ts";
import type { JudgeCalls } from "#shared/measures/judging/judge-spend.ts";

/** Times are Unix milliseconds; JSON columns are text. */

export const submissions = sqliteTable("submissions", {
  id: text().primaryKey(),
  owner: text().notNull(),
  suite: text().notNull(),
  datasetName: text("dataset_name").notNull(),
  datasetVersion: text("dataset_version").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const runs = sqliteTable(
  "runs",
  {
    id: text().primaryKey(),
    submissionId: text("submission_id").notNull(),
    /** The run whose stored answers this run rescores; null if its answers were requested or submitted. */
    parentId: text("parent_id"),
    /** True if the service created it to score its parent's answers for another board. */
    republished: integer({ mode: "boolean" }).notNull().default(false),
    owner: text().notNull(),
    /** The person who started it, by a session or a key that they made; null: a key of the operator. */
    startedBy: text("started_by"),
    visibility: text({ enum: ["public", "unlisted", "private"] }).notNull(),
    /** Reason, while an admin hides the run. */
    hiddenReason: text("hidden_reason"),
    suite: text().notNull(),
    suiteVersion: text("suite_version").notNull(),
    headline: text().notNull(),
    datasetName: text("dataset_name").notNull(),
    datasetVersion: text("dataset_version").notNull(),
    datasetSamples: integer("dataset_samples").notNull(),
    modelSlug: text("model_slug").notNull(),
    model: text({ mode: "json" }).$type<RunModel>().notNull(),
    /** Null for submitted answers. Without key and headers, which are sealed. */
    endpoint: text({ mode: "json" }).$type<Omit<Endpoint, "apiKey" | "headers">>(),
    /** Key of the cap on requests across runs: the called origin. */
    endpointOrigin: text("endpoint_origin"),
    /** Hybrid targets: the cloud endpoint, in addition to the local `endpoint`. Null for one endpoint. */
    hybrid: text({ mode: "json" }).$type<{
      cloud: Omit<Endpoint, "apiKey" | "headers">;
      confidenceThreshold: number;
    }>(),
    /** Thumbprints of the runners' keys that signed replies; null: none. */
    runnerKeys: text("runner_keys", { mode: "json" }).$type<string[]>(),
    /** Deleted when the run ends; `hadSecrets` says whether a retry needs them again. */
    sealedSecrets: text("sealed_secrets"),
    hadSecrets: integer("had_secrets", { mode: "boolean" }).notNull().default(false),
    options: text({ mode: "json" }).$type<Record<string, Json>>().notNull(),
    /** Values that a sweep set, by the sweep's names; null outside of sweeps. */
    variant: text({ mode: "json" }).$type<Variant>(),
    prices: text({ mode: "json" }).$type<Prices>(),
    /** Cost at which the run pauses, USD; null: no limit. */
    maxCostUsd: real("max_cost_usd"),
    scoringVersion: text("scoring_version").notNull(),
    promptHash: text("prompt_hash"),
    /** Judges of its answers; null if none. */
    judging: text({ mode: "json" }).$type<RunJudging>(),
    /** The canary whose answers it judges; null if none. */
    canary: text(),
    /** Whether the model is being called, or its answers judged. */
    phase: text({ enum: ["answering", "judging"] })
      .notNull()
      .default("answering"),
    /** The board that lists it; null for subsets, unlisted runs and the like. */
    boardId: text("board_id"),
    /** The board that counts it as an attempt, whether or not it is listed there; null for subsets and canaries. */
    countedOn: text("counted_on"),
    /** Owner of its private dataset, who alone may read the samples; null: every reader of the run may. */
    samplesOwner: text("samples_owner"),
    status: text().$type<RunStatus>().notNull(),
    statusReason: text("status_reason"),
    /** Number of units, and the first that no lane has claimed. */
    units: integer().notNull(),
    cursor: integer().notNull().default(0),
    /** Units that the latest commit claimed; read by later statements of its transaction. */
    given: integer().notNull().default(0),
    lanes: integer().notNull(),
    /** Requested concurrency, and how many requests the endpoint accepts now. */
    concurrency: integer().notNull(),
    slotLimit: integer("slot_limit").notNull(),
    slotLimitChangedAt: integer("slot_limit_changed_at").notNull().default(0),
    /** No calls before this time, because of the endpoint, and since when calls have been postponed without an answer. */
    notBefore: integer("not_before").notNull().default(0),
    blockedSince: integer("blocked_since"),
    /** Number of samples × repeats. `done`: with a row, while judging with a judgment. `failed`: without an answer. */
    total: integer().notNull(),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    inputTokens: integer("input_tokens").notNull().default(0),
    outputTokens: integer("output_tokens").notNull().default(0),
    /** Answers without token counts, so that their cost is unknown. */
    unmetered: integer().notNull().default(0),
    /** Judgments that were requested but failed. */
    failedJudgments: integer("failed_judgments").notNull().default(0),
    /** What the endpoint refused: structured-output modes and parameters. */
    refused: text({ mode: "json" }).$type<{ modes: string[]; parameters: string[] }>().notNull(),
    notes: text({ mode: "json" }).$type<string[]>().notNull(),
    metrics: text({ mode: "json" }).$type<Record<string, Estimate>>(),
    /** Paid calls of its judges, counted in `judge_spend` on that day; null: none. */
    judgeSpend: text("judge_spend", { mode: "json" }).$type<{
      day: string;
      /** 1 if it pauses when its account's quota is reached. */
      isLimited?: number;
      judges: (JudgeCalls & { judge: string })[];
    }>(),
    /** Summary of people's ratings of its answers; null: none. */
    people: text({ mode: "json" }).$type<People>(),
    /** When ratings arrived that `people` may lack; null: it includes all. */
    ratedAt: integer("rated_at"),
    /** Code version that summed it up; null until then. */
    codeRevision: text("code_revision"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** When all its answers were complete; for a rescored run, when its parent finished. */
    answeredAt: integer("answered_at"),
    /** Time between ends and retries, which is not part of the run's duration. */
    idleMs: integer("idle_ms").notNull().default(0),
    /** Quota that was charged last, and its day (YYYY-MM-DD, UTC); null: none. */
    quotaKey: text("quota_key"),
    quotaDay: text("quota_day"),
    /** Charged samples that were not refunded, and how many of them are refundable. */
    charged: integer().notNull().default(0),
    refundable: integer().notNull().default(0),
    /** Ids of its retries, to recognise a repeated one. */
    retries: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** Bytes of its objects: an estimate at first, exact once it was summed up; null: none yet. */
    storedBytes: integer("stored_bytes"),
    /** When raw answers were deleted, by age or with the run. */
    answersRemovedAt: integer("answers_removed_at"),
    /** Days after its end until its raw answers, and the whole run, are deleted by its owner's rule; null: never. */
    answerDays: integer("answer_days"),
    runDays: integer("run_days"),
    /** When the run was deleted and became invisible; the cron job deletes its data. */
    deletedAt: integer("deleted_at"),
    /** Table with its rows (`sampleTables`); never changes. */
    sampleTable: integer("sample_table").$type<SampleTable>().notNull().default(0),
    /** Location of its rows in R2; null if they are in its table. */
    archive: text({ mode: "json" }).$type<SampleArchive>(),
  },
  (table) => [
    index("runs_by_submission").on(table.submissionId),
    index("runs_by_board").on(table.boardId),
    index("runs_by_counted_on").on(table.countedOn).where(sql`counted_on IS NOT NULL`),
    index("runs_ended_of_board")
      .on(sql`CASE WHEN counted_on IS NULL THEN board_id ELSE counted_on END`, table.finishedAt)
      .where(sql`finished_at IS NOT NULL AND visibility <> 'private'`),
    index("runs_by_model").on(table.modelSlug, table.finishedAt),
    index("runs_listed_of_model")
      .on(table.modelSlug, table.answeredAt)
      .where(sql`status = 'finished' AND board_id IS NOT NULL`),
    index("runs_by_status").on(table.status),
    index("runs_waiting")
      .on(
        table.phase,
        table.owner,
        sql`CASE WHEN "endpoint_origin" IS NULL THEN '' ELSE "endpoint_origin" END`,
        table.createdAt,
        table.id,
      )
      .where(sql`status IN ('queued', 'running')`),
    index("runs_by_owner").on(table.owner, table.startedAt),
    index("runs_by_dataset").on(table.suite, table.datasetVersion),
    index("runs_by_parent").on(table.parentId).where(sql`parent_id IS NOT NULL`),
    index("runs_of_canaries").on(table.suite, table.scoringVersion).where(sql`canary IS NOT NULL`),
    index("runs_deleted").on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
    index("runs_with_answers").on(table.finishedAt).where(sql`answers_removed_at IS NULL`),
    index("runs_answers_due")
      .on(sql`finished_at + answer_days * 86400000`)
      .where(sql`answer_days IS NOT NULL AND answers_removed_at IS NULL`),
    index("runs_due")
      .on(sql`finished_at + run_days * 86400000`)
      .where(sql`run_days IS NOT NULL AND deleted_at IS NULL`),
    index("runs_planned_against")
      .on(sql`options ->> '$.plannedTest.against'`)
      .where(sql`options ->> '$.plannedTest.against' IS NOT NULL`),
    index("runs_started_for_others").on(table.startedBy).where(sql`started_by <> owner`),
    index("runs_rated").on(table.ratedAt).where(sql`rated_at IS NOT NULL`),
    index("runs_not_archived").on(table.finishedAt, table.sampleTable).where(sql`archive IS NULL`),
  ],
);

/** The right to work on units of a run; `attempt` fences off earlier holders. */
export const leases = sqliteTable(
  "leases",
  {
    runId: text("run_id").notNull(),
    lane: integer().notNull(),
    attempt: integer().notNull(),
    /** The latest holder, so that a request can be repeated after a lost reply. */
    holder: text().notNull(),
    /** Number of commits of this attempt, so that a repeated commit is applied once. */
    commits: integer().notNull().default(0),
    /** Consecutive holders that crashed without finishing a sample. */
    crashes: integer().notNull().default(0),
    /** Maximum requests in flight (0: released), and the called endpoint. */
    slots: integer().notNull().default(0),
    endpointOrigin: text("endpoint_origin"),
    /**
     * Place of the seat: the lowest that no active lane had. It selects the queue, so that each queue has equally many
     * lanes.
     */
    place: integer().notNull().default(0),
    /** Held units: those listed, and the range claimed by the latest commit. */
    pending: text({ mode: "json" }).$type<number[]>().notNull(),
    claimFrom: integer("claim_from").notNull().default(0),
    claimTo: integer("claim_to").notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.lane] }),
    index("leases_in_use").on(table.runId, table.lane).where(sql`slots > 0`),
  ],
);

/** A run's rows in an R2 object: their number, and the bytes of each page in order. */
export interface SampleArchive {
  rows: number;
  pages: number[];
}

const sampleColumns = () => ({
  runId: text("run_id").notNull(),
  seq: integer().notNull(),
  sampleId: text("sample_id").notNull(),
  /** `answered`: not judged yet. */
  status: text({ enum: ["scored", "unscored", "not_applicable", "answered"] }).notNull(),
  covered: integer({ mode: "boolean" }).notNull(),
  score: real(),
  latencyMs: real("latency_ms"),
  inputTokens: integer("input_tokens"),
  outputTokens: integer("output_tokens"),
  /** Requests of the suite, and HTTP calls for them. */
  requests: integer().notNull(),
  attempts: integer().notNull(),
  /** From the run's start to the first call, and from there to the answered call, ms. */
  queueWaitMs: real("queue_wait_ms"),
  retryWaitMs: real("retry_wait_ms"),
  /** Arrival of the answer, ms from the run's start. */
  doneMs: real("done_ms"),
  errorClass: text("error_class"),
  /** Judgments that were requested but failed. */
  failedJudgments: integer("failed_judgments").notNull().default(0),
  /** Key of the R2 object with the answer and detailed score. */
  object: text().notNull(),
});

/**
 * One row per sample. WITHOUT ROWID and without further indexes, so an insert writes one row. Two such tables
 * alternate: while new runs fill one, rows of the other are archived. Then it is dropped, which is free, whereas
 * deleting a row is billed like writing one.
 */
export const samples = sqliteTable("samples", sampleColumns(), (table) => [
  primaryKey({ columns: [table.runId, table.seq] }),
]);
export const samples1 = sqliteTable("samples_1", sampleColumns(), (table) => [
  primaryKey({ columns: [table.runId, table.seq] }),
]);

/** Tables of samples, by the number stored in `sampleTable`. */
export const sampleTables = ["samples", "samples_1"] as const;
export type SampleTable = 0 | 1;

const names = Object.values(getTableColumns(samples)).map(({ name }) => name);

/** Rows of both tables as a subquery; a run has rows in one of them. */
export const ALL_SAMPLES = `(${sampleTables.map((table) => `SELECT ${names} FROM ${table}`).join(" UNION ALL ")})`;

/** Since when each table of samples has been filled; new runs fill the latest. */
export const sampleTurns = sqliteTable("sample_turns", {
  sampleTable: integer("sample_table").$type<SampleTable>().primaryKey(),
  filledSince: integer("filled_since").notNull(),
});

export type NewSubmission = typeof submissions.$inferInsert;
export type RunRecord = typeof runs.$inferSelect;
export type NewRun = typeof runs.$inferInsert;
export type SampleRecord = typeof samples.$inferSelect;

/** Whether an answer gets its score only with its judgment. */
export const isJudgedLater = ({ judging, phase }: Pick<RunRecord, "judging" | "phase">): boolean =>
  judging !== null && phase === "answering";

/** Whether a run requested its answers itself: they are neither another run's nor submitted. */
export const hasOwnAnswers = ({ parentId, endpoint }: Pick<RunRecord, "parentId" | "endpoint">) =>
  parentId === null && endpoint !== null;

/** Whether the requests of a run's phase are sent in the provider's batches. */
export const isBatched = ({
  phase,
  options,
  endpoint,
  parentId,
}: Pick<RunRecord, "phase" | "options" | "endpoint" | "parentId">): boolean =>
  phase === "judging"
    ? options["judgeMode"] === "batch"
    : options["mode"] === "batch" && endpoint !== null && parentId === null;
