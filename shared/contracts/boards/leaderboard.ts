import { z } from "zod";
import { likelyClustersSchema } from "../datasets/likely-clusters.ts";
import { bridgeSchema } from "../judging/bridge.ts";
import { canaryReportSchema } from "../judging/canary.ts";
import { runJudgingSchema } from "../judging/judging.ts";
import { correctedSchema } from "../judging/rating.ts";
import { estimateSchema } from "../metric.ts";
import { provenanceSchema, runModelSchema } from "../run.ts";
import { testedUnitsSchema } from "./comparison.ts";

const count = z.int().nonnegative();

/** All runs of a model in a board's configuration. Each is counted once: the parts sum to the total. */
const attemptsSchema = z
  .object({
    total: count.meta({ description: "number of all runs ever started, including deleted ones" }),
    finished: count.meta({ description: "number of finished runs; the board shows the newest" }),
    failed: count,
    cancelled: count,
    running: count.meta({ description: "number of queued, running and paused runs" }),
    unlisted: count.meta({ description: "number of unlisted runs, in any state" }),
    hidden: count.meta({ description: "number of runs hidden by an admin, in any state" }),
    deleted: count.meta({ description: "number of runs deleted or made private, in any state" }),
  })
  .meta({
    id: "Attempts",
    description:
      "runs of the model over the full dataset in the board's configuration, including variants of sweeps, at the time of the ranking",
  });
export type Attempts = z.infer<typeof attemptsSchema>;

export const leaderboardEntrySchema = z
  .object({
    rank: z.int().positive().nullable().describe("rank, from 1; null: listed, not ranked"),
    rankInterval: z.tuple([z.number(), z.number()]).nullable().meta({
      description: "95% bootstrap interval of the rank over samples",
    }),
    best: z.number().nullable().meta({
      description: "share of resamples in which the model ranks first, 0–1",
    }),
    tieGroup: z.int().positive().nullable().meta({
      description:
        "1: not significantly different from the first (paired t-tests, Holm, 0.05); 2: not significantly different from the best of the others; and so on",
    }),
    unrankedReason: z.string().nullable(),
    run: z.string(),
    model: runModelSchema,
    provenance: provenanceSchema,
    headline: estimateSchema,
    metrics: z.record(z.string(), estimateSchema).meta({
      description: "the headline and the metrics that the suite shows on its boards",
    }),
    people: z.record(z.string(), correctedSchema).optional().meta({
      description: "the judge's means, corrected by people's ratings, by metric; missing: none",
    }),
    n: z.int(),
    coverage: z.number(),
    scoringVersion: z.string(),
    codeRevision: z.string().nullable().describe("code revision that computed the metrics"),
    attempts: attemptsSchema,
    concurrency: z.int().meta({ description: "requested number of concurrent requests" }),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime(),
  })
  .meta({ id: "LeaderboardEntry" });
export type LeaderboardEntry = z.infer<typeof leaderboardEntrySchema>;

/** The tests behind the tie groups: one paired test on the headline for each pair of compared runs. */
const boardTestsSchema = z
  .object({
    count: z.int().nonnegative().meta({
      description: "number of paired t-tests; Holm corrects each p-value for all of them",
    }),
    units: testedUnitsSchema,
    pHolm: z.array(z.array(z.number().nullable())).meta({
      description:
        "corrected p-values of the first 20 entries: row i has those of entry i against each entry above it, starting with the first",
    }),
  })
  .meta({ id: "LeaderboardTests" });
export type LeaderboardTests = z.infer<typeof boardTestsSchema>;

/** A board: the runs of one suite, dataset version, scoring version and prompt, ranked. */
export const leaderboardSchema = z
  .object({
    id: z.string(),
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string(), samples: z.int() }),
    scoringVersion: z.string(),
    promptHash: z.string(),
    structuredOutput: z.string(),
    repeats: z.int().positive().meta({ description: "answers requested for each sample" }),
    headline: z.string(),
    isDefault: z.boolean().meta({
      description:
        "the board of the suite's standard prompt, scoring, judges, repeats and structured-output mode",
    }),
    simulated: z.boolean().meta({ description: "whether all models of the board are simulated" }),
    hiddenSamples: z.boolean().optional().meta({
      description: "the dataset is private: only its owner can read samples; missing: everyone can",
    }),
    likelyClusters: likelyClustersSchema.optional(),
    judging: z
      .union([runJudgingSchema, z.null()])
      .meta({ description: "judges of the board's runs; null: no judge is called" }),
    canaries: canaryReportSchema.nullable().meta({
      description: "scores that the board's judges give to worthless answers; null: never measured",
    }),
    judgeWarnings: z.array(z.string()).default([]).describe("warnings about ending judges"),
    bridges: z.array(bridgeSchema).default([]).describe("shifts of metrics with new judges"),
    comparedSamples: z.int().nullable().meta({
      description:
        "number of samples that all ranked runs have, the basis of rank intervals and tie groups; null: nothing is ranked",
    }),
    tests: boardTestsSchema.nullable().describe("tests of the tie groups; null: nothing is ranked"),
    entries: z.array(leaderboardEntrySchema).describe("page of at most 100 entries, best first"),
    listed: z.int().meta({ description: "number of entries on all pages" }),
    nextCursor: z.string().nullable().meta({
      description: "`cursor` of the next page; null: this is the last",
    }),
    supersededBy: z.string().nullable().meta({
      description: "id of the board that replaced this one, which takes no new runs; null: none",
    }),
    supersededAt: z.iso.datetime().nullable(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Leaderboard" });
export type Leaderboard = z.infer<typeof leaderboardSchema>;

/** A page of a board's entries after the first, as stored in the board's row. */
export interface BoardPageRef {
  /** SHA-256 of the object that contains it; also its name. */
  hash: string;
  /** Number of entries, and how many of them have a rank. */
  entries: number;
  ranked: number;
  /** Whether all models on it are simulated. */
  simulated: boolean;
  /** SHA-256 of the entries alone: a page with equal entries is not written again. */
  content: string;
}
