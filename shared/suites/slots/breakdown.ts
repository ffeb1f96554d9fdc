import { z } from "zod";

const count = z.int().nonnegative();
const interval = z.tuple([z.number(), z.number()]).nullable();

const partSchema = z.object({
  name: z.string(),
  n: count.meta({ description: "sessions that have it" }),
  figures: z.record(z.string(), z.object({ value: z.number(), interval })),
});

/** The tables of counts and figures of a run of the slots suite. */
export const breakdownSchema = z.object({
  samples: count,
  answers: count,
  unscored: count,
  units: z
    .object({ kind: z.enum(["samples", "clusters", "blocks"]), count })
    .meta({ description: "what is resampled: users, where sessions share them" }),
  counts: z
    .record(z.string(), count)
    .meta({ description: "answers by status, by how they were read, and those cut off" }),
  topics: z.array(partSchema).meta({ description: "easiest first; made-up ones among them" }),
  users: z.array(partSchema),
  sessions: z.array(partSchema).meta({ description: "by name of the session, over all users" }),
  crowded: z
    .array(z.object({ family: z.string().nullable(), moreThan: count, answers: count }))
    .meta({ description: "groups of too many names to tell apart" }),
});
export type SlotsBreakdown = z.infer<typeof breakdownSchema>;
