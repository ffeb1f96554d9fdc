import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "#shared/contracts/api-key.ts";
import type { RowNote } from "#shared/contracts/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { RunModel, RunStatus } from "#shared/contracts/run.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";

/** Times are Unix milliseconds; JSON columns are text. */

const visibility = () => text({ enum: ["public", "unlisted"] }).notNull();

export const datasets = sqliteTable(
  "datasets",
  {
    suite: text().notNull(),
    name: text().notNull(),
    version: text().notNull(),
    owner: text().notNull(),
    samples: integer().notNull(),
    malformed: text({ mode: "json" }).$type<RowNote[]>().notNull(),
    warnings: text({ mode: "json" }).$type<RowNote[]>().notNull(),
    visibility: visibility(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.suite, table.name, table.version] })],
);

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
    owner: text().notNull(),
    visibility: visibility(),
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
    sealedSecrets: text("sealed_secrets"),
    options: text({ mode: "json" }).$type<Record<string, Json>>().notNull(),
    prices: text({ mode: "json" }).$type<{ inputPer1k: number; outputPer1k: number }>(),
    scoringVersion: text("scoring_version").notNull(),
    promptHash: text("prompt_hash"),
    /** The board it is listed on; null for subsets, unlisted runs and the like. */
    boardId: text("board_id"),
    status: text().$type<RunStatus>().notNull(),
    statusReason: text("status_reason"),
    /** Units planned, and the first that no lane has claimed yet. */
    units: integer().notNull(),
    cursor: integer().notNull().default(0),
    lanes: integer().notNull(),
    /** Samples × repeats, those with a row, and those of them that could not be had. */
    total: integer().notNull(),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** What its endpoint was found not to take: structured-output modes and parameters. */
    refused: text({ mode: "json" }).$type<{ modes: string[]; parameters: string[] }>().notNull(),
    notes: text({ mode: "json" }).$type<string[]>().notNull(),
    metrics: text({ mode: "json" }).$type<Record<string, Estimate>>(),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    index("runs_by_submission").on(table.submissionId),
    index("runs_by_board").on(table.boardId),
    index("runs_by_model").on(table.modelSlug),
    index("runs_by_status").on(table.status),
  ],
);

/** A lane's hold on units of a run; `attempt` fences off a lane that lost its hold. */
export const leases = sqliteTable(
  "leases",
  {
    runId: text("run_id").notNull(),
    lane: integer().notNull(),
    attempt: integer().notNull(),
    /** Units held: those listed, and the range claimed with the last commit. */
    pending: text({ mode: "json" }).$type<number[]>().notNull(),
    claimFrom: integer("claim_from").notNull().default(0),
    claimTo: integer("claim_to").notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.lane] })],
);

/** One row a sample result: WITHOUT ROWID and no further index, so one insert is one row written. */
export const samples = sqliteTable(
  "samples",
  {
    runId: text("run_id").notNull(),
    seq: integer().notNull(),
    sampleId: text("sample_id").notNull(),
    status: text({ enum: ["scored", "unscored", "not_applicable"] }).notNull(),
    covered: integer({ mode: "boolean" }).notNull(),
    score: real(),
    latencyMs: real("latency_ms"),
    inputTokens: integer("input_tokens"),
    outputTokens: integer("output_tokens"),
    attempts: integer().notNull(),
    errorClass: text("error_class"),
    /** Key of the R2 object that holds the answer and the scoring in detail. */
    object: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.seq] })],
);

/** A board, materialised: a public read is one row. */
export const boards = sqliteTable(
  "boards",
  {
    id: text().primaryKey(),
    suite: text().notNull(),
    headline: text().notNull(),
    datasetName: text("dataset_name").notNull(),
    datasetVersion: text("dataset_version").notNull(),
    datasetSamples: integer("dataset_samples").notNull(),
    scoringVersion: text("scoring_version").notNull(),
    promptHash: text("prompt_hash").notNull(),
    structuredOutput: text("structured_output").notNull(),
    repeats: integer().notNull(),
    /** The board that the suite's default options lead to. */
    isDefault: integer("is_default", { mode: "boolean" }).notNull(),
    entries: text({ mode: "json" }).$type<LeaderboardEntry[]>().notNull(),
    updatedAt: integer("updated_at").notNull(),
    leaseExpiresAt: integer("lease_expires_at").notNull().default(0),
  },
  (table) => [index("boards_by_dataset").on(table.suite, table.datasetName)],
);

/** Changes of results, counted: what is published and built is behind when its count is lower. */
export const publications = sqliteTable("publications", {
  target: text().primaryKey(),
  changes: integer().notNull().default(0),
  published: integer().notNull().default(0),
  hooked: integer().notNull().default(0),
  hookCalledAt: integer("hook_called_at").notNull().default(0),
  hash: text(),
});

/** API keys by their SHA-256; the key itself is shown once and kept nowhere. */
export const apiKeys = sqliteTable("api_keys", {
  hash: text().primaryKey(),
  id: text().notNull().unique(),
  owner: text().notNull(),
  name: text().notNull(),
  scopes: text({ mode: "json" }).$type<Scope[]>().notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  lastUsedAt: integer("last_used_at"),
});
