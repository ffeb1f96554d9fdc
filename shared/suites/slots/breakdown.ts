import { z } from "zod";
import { basisShape, crowdedSchema, partSchema } from "../../measures/run-sums/breakdown.ts";

const count = z.int().nonnegative();

/** The tables of counts and figures of a run of the slots suite. */
export const breakdownSchema = z.object({
  ...basisShape,
  counts: z
    .record(z.string(), count)
    .meta({ description: "answers by status, by how they were read, and those cut off" }),
  topics: z.array(partSchema).meta({ description: "easiest first; made-up ones among them" }),
  users: z.array(partSchema),
  sessions: z.array(partSchema).meta({ description: "by name of the session, over all users" }),
  crowded: crowdedSchema,
});
export type SlotsBreakdown = z.infer<typeof breakdownSchema>;
