import { z } from "zod";
import { datasetSchema } from "../datasets/dataset.ts";
import { estimateSchema } from "../metric.ts";
import { driftCauseSchema, redirectSchema } from "./drift-notice.ts";

const interval = z.tuple([z.number(), z.number()]).nullable();

/** A run compared with an earlier one, sample by sample. */
const pairedChangeSchema = z
  .object({
    run: z.string().meta({ description: "id of the earlier run" }),
    n: z.int().nonnegative().meta({
      description:
        "number of samples that both runs cover; across dataset versions, only samples with the same row",
    }),
    difference: z.number().describe("difference of the headline, this run − earlier run"),
    interval: interval.meta({ description: "95% interval of the difference" }),
    p: z.number().nullable().meta({
      description: "two-sided p-value of a paired t-test; valid for this comparison only",
    }),
    wilcoxonP: z.number().nullable(),
  })
  .meta({ id: "PairedChange" });
export type PairedChange = z.infer<typeof pairedChangeSchema>;

/** How much one part of an evaluation changed the score while the other parts were fixed. */
const driftPartSchema = z
  .object({
    cause: driftCauseSchema.exclude(["unclear"]),
    n: z.int().nonnegative().describe("number of samples behind the figures"),
    difference: z.number(),
    interval,
    p: z.number().nullable().default(null).meta({
      description: "two-sided p-value, Wilcoxon's signed-rank test",
    }),
  })
  .meta({ id: "DriftPart" });
export type DriftPart = z.infer<typeof driftPartSchema>;

/** The fresh samples of a stream's version, compared with those of earlier versions. */
const trafficChangeSchema = z
  .object({
    runs: z.array(z.string()).meta({
      description:
        "first run on each version since the reference, at most eight: later runs are compared with them; the run itself if it is the reference",
    }),
    n: z.int().nonnegative().describe("number of scored samples (or sources) outside the anchor"),
    difference: z.number().nullable().meta({
      description:
        "difference of the mean score of these samples, run − reference; null: the run is the reference",
    }),
    interval: interval.describe(
      "95% interval of the difference (Welch, because versions have different samples)",
    ),
    eValue: z.number().nonnegative().meta({
      description:
        "evidence of a change of the traffic since the reference, as an e-value like `drift.eValue`",
    }),
    isFlagged: z.boolean().meta({ description: "eValue ≥ 20 and |difference| ≥ 0.01" }),
    cause: driftCauseSchema.nullable().meta({
      description:
        "cause of a flagged change. dataset: the traffic, because the anchor did not change; unclear: the anchor is inconclusive; others: the anchor drifted, too",
    }),
  })
  .meta({ id: "TrafficChange" });
export type TrafficChange = z.infer<typeof trafficChangeSchema>;

/** A re-evaluation compared with the runs before it. */
const driftSchema = z
  .object({
    run: z.string(),
    reference: z.string().nullable().meta({
      description:
        "id of the reference run: the first with a coverage of 0.95, or the first such run after the last flagged drift or after most samples of the dataset changed; null: this run is a reference itself, or not covered",
    }),
    isCovered: z.boolean().meta({
      description:
        "whether the run's coverage is at least 0.95; otherwise the run is not compared and is not a reference",
    }),
    rerun: z.int().nonnegative().describe("re-evaluations since the reference run"),
    eValue: z.number().nonnegative().meta({
      description:
        "evidence of a change since the reference, as a weighted e-value; without a change, at most 1 of 20 series of 20 re-evaluations reaches 20",
    }),
    isFlagged: z.boolean().meta({
      description: "eValue ≥ 20 and |difference| ≥ 0.01, or another model answered (redirect)",
    }),
    attribution: driftCauseSchema.nullable().meta({
      description:
        "cause of a flagged drift; null: not flagged; dataset: not flagged, but the first run on another version of the dataset",
    }),
    redirect: redirectSchema,
    againstReference: pairedChangeSchema.nullable(),
    againstPrevious: pairedChangeSchema.nullable(),
    moved: z
      .array(z.object({ id: z.string(), before: z.number(), since: z.number() }))
      .default([])
      .describe(
        "if flagged: samples whose scores explain the drift, largest change first, at most 20; `before` is the mean of the first runs",
      ),
    detectable: z.number().nullable().default(null).meta({
      description:
        "smallest drop of the headline that would be flagged within five re-evaluations, in 80% of cases; null: not known",
    }),
    parts: z.array(driftPartSchema).meta({
      description:
        "effect of each part, from the reference's answers scored and judged again today; empty if they were not, as for unscheduled runs that are not flagged. Across dataset versions, only samples with the same row count: the rest of the change is due to the dataset",
    }),
    traffic: trafficChangeSchema.nullable().default(null).meta({
      description:
        "change on the samples outside the anchor, which `drift` excludes; null: the dataset is not a stream",
    }),
    observedAt: z.iso.datetime(),
  })
  .meta({ id: "Drift" });
export type Drift = z.infer<typeof driftSchema>;

const historyPointSchema = z.object({
  run: z.string(),
  datasetVersion: z.string(),
  scoringVersion: z.string(),
  headline: estimateSchema.nullable(),
  finishedAt: z.iso.datetime(),
  drift: driftSchema.nullable().describe("drift since the reference; null: not checked yet"),
});

/** The runs of a model with identical requests, oldest first; one list for each kind of request. */
export const modelHistorySchema = z
  .object({
    model: z.string(),
    histories: z.array(
      z.object({
        suite: z.string(),
        metric: z.string().meta({ description: "id of the headline metric" }),
        dataset: z.string(),
        points: z.array(historyPointSchema).meta({ description: "oldest first" }),
      }),
    ),
  })
  .meta({ id: "ModelHistory" });
export type ModelHistory = z.infer<typeof modelHistorySchema>;

/** The versions of a dataset over time, with the scores of models on them. */
export const datasetTimelineSchema = z
  .object({
    suite: z.string(),
    dataset: z.string(),
    versions: z
      .array(datasetSchema.pick({ version: true, samples: true, stream: true, createdAt: true }))
      .meta({ description: "newest 1,000 versions, oldest first" }),
    histories: z
      .array(
        z.object({
          model: z.string(),
          metric: z.string().meta({ description: "id of the headline metric" }),
          points: z.array(historyPointSchema).meta({ description: "oldest first" }),
        }),
      )
      .meta({ description: "score histories, one for each model and configuration" }),
  })
  .meta({ id: "DatasetTimeline" });
export type DatasetTimeline = z.infer<typeof datasetTimelineSchema>;
