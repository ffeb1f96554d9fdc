import { getTableColumns, sql } from "drizzle-orm";
import {
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import type { Json } from "#shared/contracts/json.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { RunModel, RunStatus } from "#shared/contracts/run.ts";
import { type Prices, pricesSchema } from "#shared/contracts/submissions/prices.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { Variant } from "#shared/contracts/submissions/variant.ts";

/** Times are Unix milliseconds; JSON columns are text. */

/** Prices as JSON; rows of earlier versions have them per 1,000 tokens. */
const pricesColumn = customType<{ data: Prices; driverData: string }>({
  dataType: () => "text",
  toDriver: (prices) => JSON.stringify(prices),
  fromDriver: (text) => pricesSchema.parse(JSON.parse(text)),
});

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
    /** The run whose stored answers this one scores again; null where answers were asked or submitted. */
    parentId: text("parent_id"),
    /** The service made it by itself, to score the answers of its parent again for another board. */
    republished: integer({ mode: "boolean" }).notNull().default(false),
    owner: text().notNull(),
    visibility: text({ enum: ["public", "unlisted"] }).notNull(),
    /** Set while an admin hides the run: why. */
    hiddenReason: text("hidden_reason"),
    suite: text().notNull(),
    suiteVersion: text("suite_version").notNull(),
    /** Id of the metric that ranks. */
    headline: text().notNull(),
    datasetName: text("dataset_name").notNull(),
    datasetVersion: text("dataset_version").notNull(),
    datasetSamples: integer("dataset_samples").notNull(),
    modelSlug: text("model_slug").notNull(),
    model: text({ mode: "json" }).$type<RunModel>().notNull(),
    /** Null for answers made elsewhere. Never holds a key or a header: those are sealed. */
    endpoint: text({ mode: "json" }).$type<Omit<Endpoint, "apiKey" | "headers">>(),
    /** Key of the cap on requests across runs: the origin that is called. */
    endpointOrigin: text("endpoint_origin"),
    /** Of a hybrid target, in addition to the local `endpoint`; null: one endpoint is asked. */
    hybrid: text({ mode: "json" }).$type<{
      cloud: Omit<Endpoint, "apiKey" | "headers">;
      confidenceThreshold: number;
    }>(),
    /** Wiped when the run ends; `hadSecrets` says whether a retry needs them again. */
    sealedSecrets: text("sealed_secrets"),
    hadSecrets: integer("had_secrets", { mode: "boolean" }).notNull().default(false),
    options: text({ mode: "json" }).$type<Record<string, Json>>().notNull(),
    /** What a sweep set of them, by the sweep's names; null: it is none of a sweep. */
    variant: text({ mode: "json" }).$type<Variant>(),
    prices: pricesColumn(),
    /** Spending at which the run pauses, USD; null: none. */
    maxCostUsd: real("max_cost_usd"),
    scoringVersion: text("scoring_version").notNull(),
    promptHash: text("prompt_hash"),
    /** Who judges its answers; null: no judge is asked. */
    judging: text({ mode: "json" }).$type<RunJudging>(),
    /** The canary whose answers it judges; null: it is none. */
    canary: text(),
    /** Whether the model is asked, or its answers are judged. */
    phase: text({ enum: ["answering", "judging"] })
      .notNull()
      .default("answering"),
    /** The board it is listed on; null for subsets, unlisted runs and the like. */
    boardId: text("board_id"),
    /** The board among whose attempts it counts, listed there or not; null for subsets and canaries. */
    countedOn: text("counted_on"),
    /** The owner of a private dataset, who alone reads samples; null: whoever reads the run. */
    samplesOwner: text("samples_owner"),
    status: text().$type<RunStatus>().notNull(),
    statusReason: text("status_reason"),
    /** Units planned, and the first that no lane has claimed yet. */
    units: integer().notNull(),
    cursor: integer().notNull().default(0),
    /** Units that the latest commit of any lane claimed, for the rest of its transaction to know. */
    given: integer().notNull().default(0),
    lanes: integer().notNull(),
    /** Requests at once: what was asked for, and what the endpoint can take just now. */
    concurrency: integer().notNull(),
    slotLimit: integer("slot_limit").notNull(),
    slotLimitChangedAt: integer("slot_limit_changed_at").notNull().default(0),
    /** The endpoint asked not to be called before this, and since when it has kept asking. */
    notBefore: integer("not_before").notNull().default(0),
    blockedSince: integer("blocked_since"),
    /**
     * Samples × repeats; those with a row, while answers are judged those that are; those that could not
     * be had.
     */
    total: integer().notNull(),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** Sums over the rows. */
    inputTokens: integer("input_tokens").notNull().default(0),
    outputTokens: integer("output_tokens").notNull().default(0),
    /** Answers for which the endpoint gave no token counts, so that their cost is not known. */
    unmetered: integer().notNull().default(0),
    /** Judgments that a judge was asked for and did not give. */
    failedJudgments: integer("failed_judgments").notNull().default(0),
    /** What its endpoint was found not to take: structured-output modes and parameters. */
    refused: text({ mode: "json" }).$type<{ modes: string[]; parameters: string[] }>().notNull(),
    notes: text({ mode: "json" }).$type<string[]>().notNull(),
    metrics: text({ mode: "json" }).$type<Record<string, Estimate>>(),
    /** Which code summed it up; null until it is. */
    codeRevision: text("code_revision"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** When its answers were all in: of one that scores those of another again, when that one had finished. */
    answeredAt: integer("answered_at"),
    /** Between an end and the retry after it: no part of the time that the run took. */
    idleMs: integer("idle_ms").notNull().default(0),
    /** Whose daily quota was charged last, of which day (YYYY-MM-DD, UTC); null: nobody's. */
    quotaKey: text("quota_key"),
    quotaDay: text("quota_day"),
    /** Samples charged for and not given back, and how many of them that quota may still get back. */
    charged: integer().notNull().default(0),
    refundable: integer().notNull().default(0),
    /** Ids of the retries that opened it again, so that one that comes twice is known. */
    retries: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** Raw answers were removed, by age or with the run. */
    answersRemovedAt: integer("answers_removed_at"),
    /** Gone for readers; the cron job removes what is left of it. */
    deletedAt: integer("deleted_at"),
    /** Which of the tables of samples has its rows, and for good; see `sampleTables`. */
    sampleTable: integer("sample_table").$type<SampleTable>().notNull().default(0),
    /** What its rows moved to; null: they are in its table. */
    archive: text({ mode: "json" }).$type<SampleArchive>(),
  },
  (table) => [
    index("runs_by_submission").on(table.submissionId),
    index("runs_by_board").on(table.boardId),
    index("runs_by_counted_on").on(table.countedOn).where(sql`counted_on IS NOT NULL`),
    index("runs_by_model").on(table.modelSlug, table.finishedAt),
    index("runs_listed_of_model")
      .on(table.modelSlug, table.answeredAt)
      .where(sql`status = 'finished' AND board_id IS NOT NULL`),
    index("runs_by_status").on(table.status),
    index("runs_by_dataset").on(table.suite, table.datasetVersion),
    index("runs_by_parent").on(table.parentId).where(sql`parent_id IS NOT NULL`),
    index("runs_of_canaries").on(table.suite, table.scoringVersion).where(sql`canary IS NOT NULL`),
    index("runs_deleted").on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
    index("runs_with_answers").on(table.finishedAt).where(sql`answers_removed_at IS NULL`),
    index("runs_not_archived").on(table.finishedAt, table.sampleTable).where(sql`archive IS NULL`),
  ],
);

/** A lane's hold on units of a run; `attempt` fences off a lane that lost its hold. */
export const leases = sqliteTable(
  "leases",
  {
    runId: text("run_id").notNull(),
    lane: integer().notNull(),
    attempt: integer().notNull(),
    /** Who took it last, so that a taking whose reply was lost can be repeated. */
    holder: text().notNull(),
    /** Commits of this attempt: one is applied once, however often it is sent. */
    commits: integer().notNull().default(0),
    /** Holders that vanished one after the other without finishing a sample. */
    crashes: integer().notNull().default(0),
    /** Requests it may have in flight (0: given up), and at whose endpoint. */
    slots: integer().notNull().default(0),
    endpointOrigin: text("endpoint_origin"),
    /** Units held: those listed, and the range claimed with the last commit. */
    pending: text({ mode: "json" }).$type<number[]>().notNull(),
    claimFrom: integer("claim_from").notNull().default(0),
    claimTo: integer("claim_to").notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.lane] })],
);

/** Rows of a run in an object of R2: how many, and how many bytes each page of them takes, in order. */
export interface SampleArchive {
  rows: number;
  pages: number[];
}

const sampleColumns = () => ({
  runId: text("run_id").notNull(),
  seq: integer().notNull(),
  sampleId: text("sample_id").notNull(),
  /** `answered`: its judgment is to come. */
  status: text({ enum: ["scored", "unscored", "not_applicable", "answered"] }).notNull(),
  covered: integer({ mode: "boolean" }).notNull(),
  score: real(),
  latencyMs: real("latency_ms"),
  inputTokens: integer("input_tokens"),
  outputTokens: integer("output_tokens"),
  /** Requests that the suite made, and HTTP calls that they took. */
  requests: integer().notNull(),
  attempts: integer().notNull(),
  /** From the run's start to the first call, and from that to the call that was answered, ms. */
  queueWaitMs: real("queue_wait_ms"),
  retryWaitMs: real("retry_wait_ms"),
  /** When the answer was in, ms from the run's start. */
  doneMs: real("done_ms"),
  errorClass: text("error_class"),
  /** Judgments that a judge was asked for and did not give. */
  failedJudgments: integer("failed_judgments").notNull().default(0),
  /** Key of the R2 object that holds the answer and the scoring in detail. */
  object: text().notNull(),
});

/**
 * One row a sample result: WITHOUT ROWID and no further index, so one insert is one row written. There are two such
 * tables in turn: while new runs fill one, those of the other are archived, and it is dropped as a whole, since a row
 * that is deleted is billed like one that is written and a dropped table is not.
 */
export const samples = sqliteTable("samples", sampleColumns(), (table) => [
  primaryKey({ columns: [table.runId, table.seq] }),
]);
export const samples1 = sqliteTable("samples_1", sampleColumns(), (table) => [
  primaryKey({ columns: [table.runId, table.seq] }),
]);

/** Names of the tables of samples, by the number that runs have of theirs. */
export const sampleTables = ["samples", "samples_1"] as const;
export type SampleTable = 0 | 1;

const names = Object.values(getTableColumns(samples)).map(({ name }) => name);

/** Rows of either table, as a part of a query in SQL: a run has rows in one. */
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

/** Whether an answer waits for its judgment, and only then has a score. */
export const isJudgedLater = ({ judging, phase }: Pick<RunRecord, "judging" | "phase">): boolean =>
  judging !== null && phase === "answering";
