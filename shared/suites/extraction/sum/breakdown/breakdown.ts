import { z } from "zod";
import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { withoutRareParts } from "../../../../measures/run-sums/without-rare-parts.ts";
import { tierSchema } from "../../thresholds.ts";
import {
  calibrationSchema,
  categoryCounts,
  complexitySchema,
  consistencySchema,
  errorsSchema,
  fieldsSchema,
  tagsSchema,
} from "./breakdown-parts.ts";

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);

/** The tables of counts and ratios of an extraction run. */
export const breakdownSchema = z.object({
  samples: count.meta({ description: "number of distinct samples; other counts are of answers" }),
  answers: count.meta({ description: "number of answers with a score" }),
  unscored: count.describe("number of answers that could not be validated against the schema"),
  alignedApproximately: count.meta({
    description: "number of answers with arrays of objects too long to align exactly",
  }),
  clusters: count
    .nullable()
    .meta({ description: "number of clusters, resampled as units; null: single samples" }),
  units: z
    .object({ kind: z.enum(["samples", "clusters", "blocks"]), count })
    .meta({ description: "units of resampling; blocks of samples in runs over 20,000 answers" }),
  categories: z.object(categoryCounts),
  identical: count,
  parse: z.object({ clean: count, recovered: count, failed: count }).meta({
    description: "how answers with text were parsed",
  }),
  refused: count,
  empty: count,
  truncated: count,
  structuredModes: z
    .record(z.string(), count)
    .meta({ description: "answers by structured-output mode" }),
  unfitByMode: z.record(z.string(), count).default({}).meta({
    description:
      "answers that are not JSON alone or don't fit the schema, by structured-output mode",
  }),
  errors: z.record(z.string(), count).meta({ description: "failed requests by class" }),
  validShare: share.nullable(),
  eqs: z.object({
    band: z.enum(["Poor", "Moderate", "Good", "Excellent"]).nullable(),
    components: z
      .object({ validity: share, partialF1: share, typeAccuracy: share, noHallucination: share })
      .nullable()
      .meta({ description: "means over samples; with the weights they add up to EQS" }),
  }),
  recommendation: z.string().nullable(),
  thresholds: z.array(
    z.object({ metric: z.string(), value: z.number().nullable(), tier: tierSchema.nullable() }),
  ),
  tier: tierSchema.nullable().meta({ description: "lowest tier of all measured thresholds" }),
  sla: z.object({
    p95Under2000Ms: z.boolean().nullable(),
    p99Under5000Ms: z.boolean().nullable(),
  }),
  fields: fieldsSchema,
  errorAnalysis: errorsSchema,
  complexity: complexitySchema,
  tags: tagsSchema,
  calibration: calibrationSchema.describe("calibration of confidences; null without confidences"),
  consistency: consistencySchema.describe("consistency of repeats; null without repeats"),
});
export type ExtractionBreakdown = z.infer<typeof breakdownSchema>;

/**
 * A breakdown that names no sample. Keeps only name paths in three samples or more, and common errors at these paths,
 * because a name that one answer invented may quote its sample. All other counts are kept. Parts that an older
 * version's breakdown lacks stay missing.
 * @example breakdownWithoutSamples({ errorAnalysis: { crowds: [{ count: 2, example: { seq: 0, id: "a" } }] } })
 */
export function breakdownWithoutSamples(breakdown: Json): Json {
  const { errorAnalysis, fields, ...others } = withoutRareParts(breakdown, {
    tags: "n",
  }) as JsonObject;
  const rest = {
    ...others,
    ...(fields !== undefined && { fields: withoutRareParts(fields, { byPath: "n" }) }),
  };
  if (errorAnalysis === undefined) return rest;
  const { common, crowds, ...errors } = errorAnalysis as JsonObject;
  const shared = sharedPaths(rest);
  const kept = rowsOf(common).filter(({ path }) => shared.has(path ?? null));
  return {
    ...rest,
    errorAnalysis: {
      ...errors,
      ...(common !== undefined && { common: withoutExamples(kept) }),
      ...(crowds !== undefined && { crowds: withoutExamples(rowsOf(crowds)) }),
    },
  };
}

const rowsOf = (rows: Json | undefined): JsonObject[] =>
  Array.isArray(rows) ? (rows as JsonObject[]) : [];

const sharedPaths = ({ fields }: JsonObject): ReadonlySet<Json> =>
  new Set(rowsOf((fields as JsonObject | undefined)?.["byPath"]).map(({ name }) => name ?? null));

const withoutExamples = (rows: readonly JsonObject[]): Json =>
  rows.map((row) => ({ ...row, example: null }));
