import { z } from "zod";

const count = z.int().nonnegative();
const interval = z.tuple([z.number(), z.number()]).nullable();

const spreadSchema = z.object({
  metric: z.string(),
  mean: z.number(),
  min: z.number(),
  max: z.number(),
  median: z.number(),
  sd: z.number().nullable().meta({ description: "sample standard deviation; null below two" }),
});

const groupSchema = z.object({
  tag: z.string(),
  name: z.string(),
  n: count,
  figures: z.record(z.string(), z.object({ value: z.number(), interval })),
});

/** The tables of a run of the quality suite. */
export const breakdownSchema = z.object({
  samples: count,
  answers: count,
  unscored: count,
  units: z.object({ kind: z.enum(["samples", "clusters", "blocks"]), count }),
  counts: z
    .record(z.string(), count)
    .meta({ description: "answers by status, language, and those cut off" }),
  spreads: z.array(spreadSchema).meta({
    description: "of the values of samples; in runs over 20,000 answers within 0.0005",
  }),
  tags: z.array(groupSchema),
});
export type QualityBreakdown = z.infer<typeof breakdownSchema>;
