import { z } from "zod";
import { datasetSchema } from "../datasets/dataset.ts";
import { datasetChangeSchema, driftNoticeSchema } from "../drift/drift-notice.ts";
import { canaryReportSchema } from "../judging/canary.ts";
import { listedRunSchema } from "../run.ts";
import { leaderboardEntrySchema, leaderboardSchema } from "./leaderboard.ts";
import { paritySchema } from "./parity.ts";
import { republicationSchema } from "./republication.ts";

/** A sweep that GET /v1/submissions/{id}/sweep returns, with a hash that changes with its state. */
const listedSweepSchema = z.object({
  submission: z.string(),
  hash: z.string().describe("hash that changes when a run of the sweep is retried or rescored"),
});
export type ListedSweep = z.infer<typeof listedSweepSchema>;

const listedDatasetSchema = datasetSchema.omit({ malformed: true, warnings: true });

/** SHA-256 of an object's bytes, also its name. An object is written once and never changed. */
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, { error: "must be 64 hex digits" });

const pageRefsSchema = z.array(
  z.object({ page: z.int().nonnegative(), hash: hashSchema, items: z.int().positive() }),
);

/** The small document that refers to everything public; readers start there. */
export const snapshotRootSchema = z
  .object({
    version: z.literal(2),
    hash: z
      .string()
      .meta({ description: "SHA-256 of the canonical JSON of all other fields but createdAt" }),
    createdAt: z.iso.datetime(),
    runs: pageRefsSchema,
    boards: pageRefsSchema,
    datasets: pageRefsSchema,
    sweeps: pageRefsSchema,
    // Roots of earlier versions have none.
    parities: pageRefsSchema.default([]),
    news: hashSchema.nullable().describe("hash of the news; null: nothing was published yet"),
  })
  .meta({ id: "SnapshotRoot" });
export type SnapshotRoot = z.infer<typeof snapshotRootSchema>;

/** A page of the index; each page lists one kind of object. */
export const snapshotPageSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("runs"),
      items: z.array(
        z.object({ id: z.string(), hash: hashSchema, finishedAt: z.iso.datetime().nullable() }),
      ),
    }),
    z.object({
      kind: z.literal("boards"),
      items: z.array(z.object({ id: z.string(), hash: hashSchema })),
    }),
    z.object({ kind: z.literal("datasets"), items: z.array(listedDatasetSchema) }),
    z.object({
      kind: z.literal("sweeps"),
      items: z
        .array(listedSweepSchema)
        .meta({ description: "submissions whose runs have all ended" }),
    }),
    z.object({ kind: z.literal("parities"), items: z.array(paritySchema) }),
  ])
  .meta({ id: "SnapshotPage" });
export type SnapshotPage = z.infer<typeof snapshotPageSchema>;
export type SnapshotKind = SnapshotPage["kind"];

/** A board as published: its first page of entries, and the hashes of the others. */
export const publishedBoardSchema = leaderboardSchema
  .extend({
    pages: z
      .array(z.object({ hash: hashSchema, entries: z.int().positive() }))
      .meta({ description: "further pages of entries, in order" }),
  })
  .meta({ id: "PublishedBoard" });

/** A page of a board's entries after the first. */
export const boardEntriesSchema = z
  .object({
    rankedAt: z.iso.datetime().meta({ description: "when the entries were ranked" }),
    entries: z.array(leaderboardEntrySchema),
  })
  .meta({ id: "BoardEntries" });
export type BoardEntries = z.infer<typeof boardEntriesSchema>;

/** News, newest first. */
export const snapshotNewsSchema = z
  .object({
    canaries: z
      .array(canaryReportSchema)
      .meta({ description: "canary scores by suite, of the current judges of the deployment" }),
    drifts: z.array(driftNoticeSchema).meta({ description: "newest 500 drifts" }),
    datasetChanges: z.array(datasetChangeSchema).describe("newest 500 changes of datasets"),
    republications: z.array(republicationSchema).meta({
      description: "newest 50 finished re-publications, each with at most 100 `changes`",
    }),
  })
  .meta({ id: "SnapshotNews" });

/** Everything public at one moment, as the site and a snapshot folder hold it. */
export const snapshotSchema = snapshotNewsSchema.extend({
  hash: z.string(),
  createdAt: z.iso.datetime(),
  boards: z.array(leaderboardSchema).meta({ description: "with all of their entries" }),
  datasets: z.array(listedDatasetSchema),
  runs: z.array(listedRunSchema).meta({ description: "newest first" }),
  sweeps: z.array(listedSweepSchema),
  parities: z.array(paritySchema).default([]).meta({ description: "by name" }),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
