import { z } from "zod";
import { pairedTestSchema, testedUnitsSchema } from "../boards/comparison.ts";
import { estimateSchema } from "../metric.ts";
import { provenanceSchema, runModelSchema, runSchema, runStatusSchema } from "../run.ts";
import { variantSchema } from "./variant.ts";

const interval = z.tuple([z.number(), z.number()]).nullable();

/** One metric of all variants of a model that could be tested, compared by sample. */
const sweepTestSchema = z.object({
  metric: z.string(),
  better: z.enum(["higher", "lower"]),
  samples: z.int().meta({ description: "number of samples that every tested variant has" }),
  units: testedUnitsSchema,
  leader: z.string().meta({
    description: "the run with the best value, even if the difference to others is not significant",
  }),
  best: z.string().nullable().meta({
    description:
      "the leader, if every other variant is significantly worse; null: no variant is named",
  }),
  tied: z.array(z.string()).meta({
    description:
      "runs not significantly different from the leader; with the leader, they include the truly best variant in 95 of 100 sweeps. Runs that differ by the same amount on every sample can't be tested and are excluded",
  }),
  variants: z.array(
    z.object({
      run: z.string(),
      value: z.number(),
      interval,
      versusLeader: pairedTestSchema
        .nullable()
        .meta({ description: "tests against the leader; null: is leader" }),
    }),
  ),
});
export type SweepTest = z.infer<typeof sweepTestSchema>;

/** Mean of a metric over the variants of a cell, all with the same weight. */
const cellSchema = z.object({
  value: z.number().nullable().describe("mean of the cell; null: no variant of it was measured"),
  variants: z.int().meta({ description: "number of variants included in the mean" }),
  of: z.int().meta({
    description:
      "number of the sweep's variants in this cell; if more than `variants`, some are excluded",
  }),
});

/** A metric by the values of one swept parameter, or of two. */
const sweepMapSchema = z.object({
  x: z.string().meta({ description: "parameter of the columns" }),
  y: z.string().nullable().meta({ description: "parameter of the rows; null: there is one row" }),
  metrics: z.array(
    z.object({
      metric: z.string(),
      rows: z.array(z.array(cellSchema)).meta({
        description: "cells by value of y, then of x, in the order of `parameters`",
      }),
    }),
  ),
});
export type SweepMap = z.infer<typeof sweepMapSchema>;

const sweptVariantSchema = z.object({
  run: z.string(),
  variant: variantSchema,
  status: runStatusSchema,
  leftOut: z.string().nullable().meta({
    description:
      "why the variant is excluded from tests and maps, such as a failed run; null: it is included",
  }),
  metrics: z.record(z.string(), estimateSchema).nullable().meta({
    description: "headline and board metrics; null: the variant has no scores",
  }),
  links: runSchema.shape.links.pick({ self: true, report: true }),
});
export type SweptVariant = z.infer<typeof sweptVariantSchema>;

const modelSweepSchema = z.object({
  model: runModelSchema,
  provenance: provenanceSchema,
  verdict: z
    .string()
    .meta({ description: "the best variant by the headline metric, or why none is named" }),
  variants: z
    .array(sweptVariantSchema)
    .meta({ description: "variants, ordered by parameter values, ascending" }),
  tests: z.array(sweepTestSchema).meta({
    description: "tests by metric, headline first; empty if fewer than two variants can be tested",
  }),
  untested: z.string().nullable().meta({ description: "why there are no tests; null: there are" }),
  maps: z.array(sweepMapSchema).meta({
    description:
      "maps of means, one per pair of parameters with several values, or one if only one parameter has several values",
  }),
});
export type ModelSweep = z.infer<typeof modelSweepSchema>;

/** A sweep whose runs have all ended. */
export const sweepSchema = z
  .object({
    submission: z.string(),
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string(), samples: z.int() }),
    headline: z.string(),
    createdAt: z.iso.datetime(),
    parameters: z
      .array(z.object({ name: z.string(), values: z.array(variantSchema.valueType) }))
      .meta({
        description: "swept parameters; values ascending, null (the endpoint's default) first",
      }),
    models: z.array(modelSweepSchema),
  })
  .meta({ id: "Sweep" });
export type Sweep = z.infer<typeof sweepSchema>;
