import { z } from "zod";
import { repeatOptions } from "../../measures/passes/pass-metrics.ts";
import { weightsOf } from "../../measures/suite-options.ts";

/** Weights of the metrics in the overall score. Source: docs/spec/quality.md, overall. */
const weightsSchema = weightsOf({
  coherence: 0.25,
  completeness: 0.25,
  length: 0.2,
  structure: 0.15,
  vocabulary: 0.15,
});
export type Weights = z.infer<typeof weightsSchema>;

const asked = { description: "null: the endpoint's default" };
const penaltySchema = z.number().min(-2).max(2).nullable().default(null).meta(asked);

/** Options of a run of this suite; an unknown option is an error. */
export const qualityOptionsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).nullable().default(0).meta(asked),
  topP: z.number().min(0).max(1).nullable().default(null).meta(asked),
  maxTokens: z.int().min(1).default(2048),
  presencePenalty: penaltySchema,
  frequencyPenalty: penaltySchema,
  seed: z.int().nullable().default(null).meta(asked),
  ...repeatOptions(null),
  weights: weightsSchema.prefault({}),
  lengthRatio: z
    .number()
    .min(0.01)
    .max(1000)
    .default(2.5)
    .meta({ description: "words of an ideal response / words of its prompt" }),
});
export type QualityOptions = z.infer<typeof qualityOptionsSchema>;

/** The default options. */
export const defaultOptions: QualityOptions = qualityOptionsSchema.parse({});
