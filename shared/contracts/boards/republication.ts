import { z } from "zod";
import { correctionReasonSchema } from "../datasets/dataset.ts";
import { estimateSchema } from "../metric.ts";
import { runModelSchema } from "../run.ts";

/** Reason for a re-publication. */
export const republishRequestSchema = z
  .strictObject({ reason: correctionReasonSchema.optional() })
  .meta({ id: "RepublishRequest" });

/** What differs between the old board and the new one. */
const republicationCauses = ["dataset", "scoring"] as const;

/** The versions that score the answers, and the resulting board. */
const rulesSchema = z.object({
  board: z.string().nullable().describe("id of the board; null: no answer could be rescored"),
  datasetVersion: z.string(),
  suiteVersion: z.string(),
});

const placeSchema = z.object({
  run: z.string(),
  rank: z.int().positive().nullable().describe("rank, from 1; null: listed, not ranked"),
  headline: estimateSchema,
});

/** How a re-publication changed one model's entry on a board. */
const rankChangeSchema = z
  .object({
    model: runModelSchema.pick({ slug: true, name: true, simulated: true }),
    before: placeSchema,
    after: placeSchema
      .nullable()
      .meta({ description: "place on the new board; null: the answers were not rescored" }),
    reason: z.string().nullable().describe("why the answers were not rescored; null: they were"),
  })
  .meta({ id: "RankChange" });
export type RankChange = z.infer<typeof rankChangeSchema>;

/**
 * A board's stored answers, rescored into another board after gold answers were corrected or the suite's scoring
 * changed. Immutable once it has finished.
 */
export const republicationSchema = z
  .object({
    id: z.string(),
    suite: z.string(),
    dataset: z.string().meta({ description: "name of the dataset" }),
    metric: z.string().meta({ description: "id of the headline metric" }),
    causes: z.array(z.enum(republicationCauses)).min(1),
    reason: z.string(),
    correctedSamples: z.int().nullable().meta({
      description: "number of corrected samples; null: no gold answer was corrected",
    }),
    from: rulesSchema.extend({ board: z.string() }),
    to: rulesSchema,
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().meta({ description: "null: answers are being scored" }),
    withdrawn: z.int().nonnegative().describe("number of entries omitted: a run was withdrawn"),
    changes: z.array(rankChangeSchema).nullable().meta({
      description:
        "entries of the old board in order, except runs withdrawn since; null: answers are being scored",
    }),
    omitted: z.int().positive().optional().meta({
      description:
        "number of changes omitted in lists, which have the first 100; GET /v1/republications/{id} returns all",
    }),
  })
  .meta({ id: "Republication" });
export type Republication = z.infer<typeof republicationSchema>;
