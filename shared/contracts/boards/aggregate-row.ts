import { z } from "zod";
import { metricSchema } from "../metric.ts";
import { runSchema } from "../run.ts";

const known = z.number().nullable();
const { unit, better, definition } = metricSchema.shape;

/** A figure of a run as a table row: a metric, or a cell of the suite's breakdown. */
export const aggregateRowSchema = z
  .object({
    kind: z.enum(["metric", "cell"]),
    id: z.string().meta({ description: "the metric's id; for a breakdown cell, its JSON pointer" }),
    label: z
      .string()
      .meta({ description: "the metric's label; for a breakdown cell, the names of its path" }),
    value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
    low: known.meta({ description: "lower end of the 95% interval" }),
    high: known.meta({ description: "upper end of the 95% interval" }),
    n: z.int().nullable().meta({
      description: "number of items that the value is based on, if known",
    }),
    coverage: known.meta({ description: "share of the run's samples that were measured" }),
    unit: unit.nullable(),
    better: better.nullable(),
    grade: z.string().nullable(),
    definition: definition.nullable(),
  })
  .meta({ id: "AggregateRow" });
export type AggregateRow = z.infer<typeof aggregateRowSchema>;

/** A run with all its aggregates. */
export const aggregatesSchema = z
  .object({ run: runSchema, aggregates: z.array(aggregateRowSchema) })
  .meta({ id: "Aggregates" });
export type Aggregates = z.infer<typeof aggregatesSchema>;
