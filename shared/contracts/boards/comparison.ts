import { z } from "zod";
import { estimateSchema, metricSchema } from "../metric.ts";
import { provenanceSchema, runModelSchema } from "../run.ts";

const interval = z.tuple([z.number(), z.number()]);

/** Names for |Cohen's d|: below 0.2, below 0.5, below 0.8, and above. */
const effectSizes = ["negligible", "small", "medium", "large"] as const;
export type EffectSize = (typeof effectSizes)[number];

/** Units of resampling and tests: samples, or clusters of samples that share a source. */
export const testedUnitsSchema = z.object({
  kind: z.enum(["samples", "clusters"]),
  count: z.int().meta({ description: "units of resampling and tests" }),
  effective: z.number().optional().meta({
    description: "if clusters differ in size: number of equal clusters with the same information",
  }),
});

/** A run's value of one metric over the common samples, and its rank. */
const standingSchema = z.object({
  run: z.string(),
  value: z.number(),
  interval: interval.nullable().meta({
    description: "95% interval: Wilson's for rates, else of resamples",
  }),
  rankInterval: interval.meta({ description: "95% interval of the rank; 1 is the best" }),
  best: z.number().meta({ description: "share of resamples in which the run ranks first, 0–1" }),
  tieGroup: z.int().positive().meta({
    description:
      "1: not significantly different from the first; 2: not significantly different from the best of the others; and so on",
  }),
});

/** Paired test of two runs on one metric: first minus second. */
export const pairedTestSchema = z.object({
  difference: z.object({
    value: z.number(),
    interval: interval.nullable().meta({
      description: "95% interval: Bonett and Price's for two rates, else of resamples",
    }),
  }),
  t: z.number().nullable().meta({ description: "t statistic of the paired t-test" }),
  p: z.number().nullable().meta({ description: "two-sided p-value of the paired t-test" }),
  pHolm: z.number().nullable().meta({
    description: "p-value, corrected by Holm over the tests of this metric",
  }),
  wilcoxon: z.number().nullable().describe("Wilcoxon's signed-rank statistic, min(W+, W−)"),
  wilcoxonP: z.number().nullable(),
  wilcoxonPHolm: z.number().nullable(),
  cohensD: z.number().nullable(),
  effectSize: z.enum(effectSizes).nullable(),
  dz: z.number().nullable().describe("effect size: mean difference / SD of the differences"),
  significantAt: z
    .union([z.literal(0.01), z.literal(0.05)])
    .nullable()
    .meta({ description: "smallest of these levels above `pHolm`; null: none" }),
  detectableDifference: z.number().nullable().meta({
    description: "smallest difference that this number of units detects with a power of 80%",
  }),
});

export type PairedTest = z.infer<typeof pairedTestSchema>;

/** Two runs on one metric: `a` minus `b`. */
const pairSchema = pairedTestSchema.extend({
  a: z.string(),
  b: z.string(),
  winRate: z.number().describe("share of samples on which `a` is higher; ties count half"),
  samplesToSeparate: z.int().nullable().meta({
    description: "number of samples needed to detect this difference with a power of 80%",
  }),
});

const probability = z.number().nullable();

/** Tests of each pair of runs against a margin. */
const marginTestsSchema = z
  .object({
    margin: z.number().positive().meta({ description: "margin, in the unit of the metric" }),
    pairs: z.array(
      z.object({
        a: z.string(),
        b: z.string(),
        aNoWorse: probability.describe(
          "corrected p-value of the null hypothesis that `a` is worse than `b` by the margin or more",
        ),
        bNoWorse: probability.describe("corrected p-value of the same null hypothesis for `b`"),
        same: probability.describe(
          "corrected p-value of the null hypothesis that the runs differ by the margin or more",
        ),
        verdict: z.enum(["same", "a-no-worse", "b-no-worse", "not-shown"]).meta({
          description:
            "at 0.05. same: within the margin; a-no-worse, b-no-worse: no worse by the margin; not-shown: neither, which does not mean that the runs differ",
        }),
      }),
    ),
  })
  .meta({ id: "MarginTests" });
export type MarginTests = z.infer<typeof marginTestsSchema>;

const metricComparisonSchema = z.object({
  metric: z.string(),
  better: z.enum(["higher", "lower"]),
  samples: z.int().meta({ description: "number of samples that every run has" }),
  units: testedUnitsSchema,
  standings: z.array(standingSchema).meta({ description: "runs by value, best first" }),
  pairs: z.array(pairSchema),
  notes: z.array(z.string()).default([]).meta({
    description: "warnings: few samples, tests that disagree, differences that could not be tested",
  }),
  margin: marginTestsSchema
    .optional()
    .meta({ description: "tests against the margin; missing: none requested" }),
});
export type MetricComparison = z.infer<typeof metricComparisonSchema>;

/** Runs of one suite, dataset version, scoring version and prompt, compared sample by sample. */
export const comparisonSchema = z
  .object({
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    scoringVersion: z.string(),
    ownMetrics: z.array(metricSchema).optional().meta({
      description: "metrics defined by the runs' options, such as a rubric; missing: none",
    }),
    runs: z.array(
      z.object({
        run: z.string(),
        model: runModelSchema,
        provenance: provenanceSchema,
        headline: estimateSchema,
        samples: z.int(),
        leftOut: z.int().meta({ description: "number of these samples missing in another run" }),
      }),
    ),
    differingSettings: z
      .array(z.object({ setting: z.string(), values: z.array(z.string().nullable()) }))
      .optional()
      .meta({
        description:
          "inference settings and interface that differ between runs: values in run order, null if not set or unknown",
        example: [{ setting: "reasoningEffort", values: ["high", "low"] }],
      }),
    metrics: z.array(metricComparisonSchema).meta({ description: "the headline first" }),
    frontiers: z.object({
      latency: z.array(z.string()).nullable().meta({
        description:
          "runs not beaten by any other in both headline and p95 latency; null: not known",
      }),
      cost: z.array(z.string()).nullable(),
    }),
    bestBy: z
      .array(z.object({ metric: z.string(), value: z.number(), runs: z.array(z.string()) }))
      .meta({
        description: "the best runs by metric; `…PerCost` is the headline per USD of 1,000 answers",
      }),
    differing: z.array(z.object({ id: z.string(), scores: z.array(z.number()) })).meta({
      description: "samples with the largest differences in headline score, in run order",
    }),
  })
  .meta({ id: "Comparison" });
export type Comparison = z.infer<typeof comparisonSchema>;
