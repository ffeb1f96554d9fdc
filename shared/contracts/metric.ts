import { z } from "zod";

/**
 * One entry of a suite's metric catalogue. The only description of a metric: OpenAPI, report tables, methodology
 * pages and chart axes all use it.
 */
export interface Metric {
  id: string;
  label: string;
  /** A shorter label for narrow columns, if the label is too long for them. */
  short?: string | undefined;
  /** Unit of the value: `ratio` is 0–1, `level` 1–5. */
  unit: "ratio" | "level" | "ms" | "count" | "usd" | "tokens";
  better: "higher" | "lower";
  /** Number format on the site. */
  format: "score" | "percent" | "level" | "ms" | "count" | "usd";
  /** One or two sentences and the formula, in plain text. */
  definition: string;
}

/** Names of a metric's limits, the lowest first. */
export const limitTiers = ["minimum", "target", "excellence"] as const;
/** Name of a limit. */
export type LimitTier = (typeof limitTiers)[number];

/** A metric's three limits; `better` says whether values must be above or below them. */
export interface MetricLimits {
  /** Id in the catalogue. */
  metric: string;
  better: "higher" | "lower";
  minimum: number;
  target: number;
  excellence: number;
}

/** Describes a `Metric`. */
export const metricSchema = z
  .object({
    id: z.string(),
    label: z.string(),
    short: z.string().optional().meta({ description: "the label for narrow columns" }),
    unit: z.enum(["ratio", "level", "ms", "count", "usd", "tokens"]),
    better: z.enum(["higher", "lower"]),
    format: z.enum(["score", "percent", "level", "ms", "count", "usd"]),
    definition: z.string(),
  })
  .meta({ id: "Metric" }) satisfies z.ZodType<Metric>;

/** A displayed number: the value, its 95% interval, n and coverage. */
export const estimateSchema = z
  .object({
    value: z.number().nullable().describe("value of the metric; null: nothing could be measured"),
    interval: z.tuple([z.number(), z.number()]).nullable().meta({
      description:
        "95% interval [low, high]: expanded percentile bootstrap; Wilson for rates; order statistics for percentiles; null below two samples, and where all values of a figure without bounds are equal",
    }),
    n: z.int().nonnegative().meta({ description: "samples that the value is based on" }),
    coverage: z.number().min(0).max(1).meta({
      description: "share of the run's samples that were measured",
    }),
    grade: z.string().optional().meta({ description: "letter grade where the suite defines one" }),
  })
  .meta({ id: "Estimate", description: "A metric's value with its interval, n and coverage" });

export type Estimate = z.infer<typeof estimateSchema>;

/** Estimates by metric id. */
export type Estimates = Readonly<Record<string, Estimate>>;
