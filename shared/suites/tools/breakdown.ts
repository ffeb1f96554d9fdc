import { z } from "zod";
import { failureClasses } from "./failures.ts";
import { levels } from "./sample.ts";

const count = z.int().nonnegative();
const interval = z.tuple([z.number(), z.number()]).nullable();
const failureCounts = z.record(z.enum(failureClasses), count);

const thresholdSchema = z.object({
  threshold: z
    .number()
    .nullable()
    .meta({ description: "least confidence of a local answer that stands; null: the cloud alone" }),
  total: z.number(),
  onDevice: z.number(),
  avgF1: z.number(),
  avgTime: z.number().nullable().meta({ description: "ms" }),
});

/** The tables of a run of the tools suite. */
export const breakdownSchema = z.object({
  samples: count,
  answers: count,
  unscored: count,
  units: z.object({ kind: z.enum(["samples", "clusters", "blocks"]), count }),
  counts: z
    .record(z.string(), count)
    .meta({ description: "answers by status, by where calls were read from, and those cut off" }),
  levels: z.array(
    z.object({
      level: z.enum(levels),
      n: count,
      weight: z.number().meta({ description: "in the total, rescaled to the levels present" }),
    }),
  ),
  failures: failureCounts,
  functions: z
    .array(z.object({ name: z.string(), expected: count, matched: count, failures: failureCounts }))
    .meta({ description: "by function expected, or else called; most failures first" }),
  arguments: z.array(z.object({ name: z.string(), failures: failureCounts })),
  sources: z
    .array(z.object({ name: z.string(), n: count }))
    .meta({ description: "where answers came from, as they say" }),
  tags: z.array(
    z.object({
      tag: z.string(),
      name: z.string(),
      n: count,
      figures: z.record(z.string(), z.object({ value: z.number(), interval })),
    }),
  ),
  crowded: z
    .array(z.object({ family: z.string().nullable(), moreThan: count, answers: count }))
    .meta({ description: "groups of too many names to tell apart" }),
  hybrid: z
    .object({
      threshold: z.number(),
      n: count.meta({ description: "answers for which the cloud was asked, too" }),
      curve: z.array(thresholdSchema),
      best: thresholdSchema.nullable(),
    })
    .nullable(),
});
export type ToolsBreakdown = z.infer<typeof breakdownSchema>;
