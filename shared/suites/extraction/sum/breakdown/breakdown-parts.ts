import { z } from "zod";
import { errorPatterns } from "../../score/fields/diagnosed-field.ts";
import { invalidKinds } from "../../score/lost-output.ts";
import { compositeBins, fieldTypes, predictedTypes } from "../tallies.ts";

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const interval = z.tuple([z.number(), z.number()]).nullable();

/** Missing from runs that finished before these were stored. */
const lostParts = {
  invalidOutput: count.default(0).describe("number of fields missed in invalid outputs"),
  failedRequest: count.default(0).describe("number of fields missed in failed requests"),
};

const lostSchema = z
  .record(z.enum([...invalidKinds, "failedRequest"]), z.object({ answers: count, fields: count }))
  .meta({ description: "answers without any counted field, by reason, and their expected fields" });

/** Fields by category. */
export const categoryCounts = {
  exact: count,
  partial: count,
  incorrect: count,
  missed: count,
  spurious: count,
};
const fieldCounts = { expected: count, predicted: count, ...categoryCounts, ...lostParts };

/** The fields of one part of a run: a type, a depth, a name path, a complexity bin. */
const cellSchema = z.object({
  name: z.string(),
  n: count.meta({ description: "number of samples with such a field" }),
  ...fieldCounts,
  strictPrecision: share,
  strictRecall: share,
  strictF1: share,
  partialPrecision: share,
  partialRecall: share,
  partialF1: share,
  lenientPrecision: share,
  lenientRecall: share,
  lenientF1: share,
  typeAccuracy: share,
  omissionRate: share,
  interval: interval.describe(
    "95% interval of partial F1, from 2,000 resamples of 128 groups of samples; null: n < 20",
  ),
  standing: z
    .enum(["above", "level", "below"])
    .nullable()
    .meta({ description: "position of the interval relative to the partial F1 of the whole run" }),
});
export type CellFigures = z.infer<typeof cellSchema>;

const hallucinationsSchema = z
  .object({ fabricated: count, wrongValue: count, misplaced: count, surplus: count })
  .meta({ description: "values by type of hallucination" });
const severitySchema = z.object({ critical: count, moderate: count, minor: count }).meta({
  description:
    "hallucinations by severity: critical = fabricated or wrong, moderate = misplaced, minor = surplus",
});

/** The figures of a part of the samples. */
const groupSchema = z.object({
  name: z.string(),
  n: count,
  resampled: z.enum(["samples", "groups"]).meta({
    description:
      "basis of intervals: 2,000 resamples of the run's samples (or clusters), of which the group has those that were drawn, or of 128 random groups of samples",
  }),
  figures: z.record(z.string(), z.object({ value: z.number(), interval })).meta({
    description: "figures computed from sums, by metric id; headline figures have an interval",
  }),
  hallucinations: hallucinationsSchema,
  severity: severitySchema,
  patterns: z
    .partialRecord(z.enum(errorPatterns), count)
    .meta({ description: "errors of valid outputs by pattern, the most frequent first" }),
  lost: lostSchema.nullable().default(null),
});
export type GroupFigures = z.infer<typeof groupSchema>;

export const tagsSchema = z.object({
  groups: z
    .array(groupSchema.extend({ key: z.string() }))
    .meta({ description: "values of a tag with ten samples or more, by key, largest first" }),
  left: z
    .object({
      small: count.meta({ description: "number of values with fewer than ten samples" }),
      large: count.describe("number of values beyond the 200 largest, with ten samples or more"),
      tags: z
        .array(z.object({ key: z.string().nullable(), moreThan: count, n: count }))
        .meta({ description: "tags with too many values; key null: too many tags" }),
    })
    .meta({ description: "samples without a group" }),
});
export type TagsBreakdown = z.infer<typeof tagsSchema>;

/** Names at places with too many to count separately. */
const crowdSchema = {
  side: z.enum(["expected", "invented"]).meta({
    description: "names of expected values that schemas do not list, or of predicted ones",
  }),
  moreThan: count.describe("lower bound of the number of names; if `at` is null, of places"),
};

export const fieldsSchema = z.object({
  byType: z
    .array(cellSchema)
    .meta({ description: "fields by type of the expected, else predicted value" }),
  byDepth: z.array(cellSchema),
  byRequired: z
    .array(cellSchema)
    .meta({ description: "required and optional fields, without spurious ones" }),
  byComplexity: z
    .array(cellSchema)
    .meta({ description: "fields by complexity of the sample's schema" }),
  byPath: z
    .array(cellSchema)
    .meta({ description: "fields by name path, if in three samples or more" }),
  crowds: z.array(z.object({ at: z.string().nullable(), ...crowdSchema, ...fieldCounts })).meta({
    description:
      "places with too many names for byPath that schemas do not list; at null: places beyond the limit",
  }),
  pathsLeft: z
    .object({
      rare: count.meta({ description: "number of name paths in fewer than three samples" }),
      rareFields: count,
      paths: count.meta({
        description: "approximate number of paths beyond the limit on separate counts",
      }),
      fields: count,
    })
    .meta({ description: "fields not counted by path" }),
  typeConfusion: z
    .record(z.enum(fieldTypes), z.record(z.enum(predictedTypes), count))
    .meta({ description: "expected fields by type, then by predicted type" }),
  categoryShares: z
    .object({ exact: share, partial: share, incorrect: share, missed: share, spurious: share })
    .nullable(),
  compositeBins: z.record(z.enum(compositeBins.map(({ id }) => id)), count).meta({
    description: "matched fields by composite: ≥ 0.95, ≥ 0.80, ≥ 0.60, ≥ 0.40, below",
  }),
  similarity: z
    .record(
      z.enum(["tokenF1", "levenshtein", "containment"]),
      z.object({ mean: share.nullable(), median: share.nullable(), histogram: z.array(count) }),
    )
    .meta({ description: "similarity of matched string fields; histograms of 20 equal bins" }),
  matchedStrings: count,
  fuzzy: z.object({ threshold: share, count, rate: share.nullable() }),
  leftOut: count.describe("fields beyond the first 50,000 of an answer, only in overall counts"),
});
export type FieldsBreakdown = z.infer<typeof fieldsSchema>;

const exampleSchema = z
  .object({ seq: count, id: z.string() })
  .nullable()
  .meta({ description: "sample with such an error; null: samples are hidden" });

export const errorsSchema = z.object({
  hallucinations: hallucinationsSchema,
  severity: severitySchema,
  lost: lostSchema.nullable().default(null),
  salvage: z
    .object({ answers: count, partialF1: share })
    .nullable()
    .default(null)
    .meta({ description: "scores of invalid JSON outputs if they were valid; null: none" }),
  total: count.meta({ description: "number of errors with a pattern, in valid outputs only" }),
  patterns: z.record(z.enum(errorPatterns), count),
  groups: z.object({ type: count, structure: count, boundary: count, extraction: count }),
  common: z
    .array(
      z.object({
        pattern: z.enum(errorPatterns),
        path: z.string(),
        count,
        example: exampleSchema,
      }),
    )
    .meta({ description: "the ten most common pairs of pattern and name path" }),
  crowds: z
    .array(
      z.object({
        pattern: z.enum(errorPatterns).nullable(),
        path: z.string(),
        ...crowdSchema,
        count,
        example: exampleSchema,
      }),
    )
    .meta({
      description:
        "errors at names that schemas do not list, too many at a place to be pairs; the ten most common. pattern null: pairs beyond the limit",
    }),
  left: z
    .object({
      errors: count,
      pairs: count.meta({ description: "approximate number of pairs not listed" }),
      crowds: count.meta({ description: "number of entries of `crowds` not listed" }),
    })
    .meta({ description: "errors and fields not listed" }),
});
export type ErrorsBreakdown = z.infer<typeof errorsSchema>;

const correlationSchema = z.object({
  id: z.string(),
  measure: z.string(),
  by: z.string(),
  n: count,
  r: z.number().min(-1).max(1).nullable(),
  p: share.nullable().meta({ description: "two-sided p-value" }),
});

export const complexitySchema = z.object({
  bins: z.array(groupSchema),
  features: z
    .object({
      totalFields: z.number(),
      requiredFields: z.number(),
      optionalFields: z.number(),
      maxDepth: z.number(),
      typeDiversity: z.number(),
      enumFields: z.number(),
      formatFields: z.number(),
      hasArrays: share,
      hasNestedObjects: share,
    })
    .nullable()
    .meta({ description: "mean complexity of the schemas; the last two are shares" }),
  correlations: z
    .array(correlationSchema)
    .meta({ description: "Pearson correlations over samples" }),
});
export type ComplexityBreakdown = z.infer<typeof complexitySchema>;

export const calibrationSchema = z
  .object({
    n: count,
    error: share,
    bins: z.array(
      z.object({
        from: share,
        to: share,
        n: count,
        confidence: share.nullable(),
        accuracy: share.nullable(),
      }),
    ),
  })
  .nullable();

export const consistencySchema = z
  .object({
    samples: count.describe("number of compared samples, at most 2,000, chosen at random"),
    modalShare: share.nullable(),
    fieldAgreement: share.nullable(),
    fields: count,
    valueDeviation: z.number().nonnegative().nullable(),
    numericFields: count,
  })
  .nullable();
