import { z } from "zod";
import { unjudgedReasons } from "../../../contracts/judging/judgment.ts";
import { judgeTablesShape } from "../../../measures/judging/breakdown.ts";
import {
  basisShape,
  crowdedSchema,
  partSchema,
  tagsSchema,
} from "../../../measures/run-sums/breakdown.ts";

const count = z.int().nonnegative();

/** The tables of counts and figures of a run of the slots suite. */
export const breakdownSchema = z.object({
  ...basisShape,
  counts: z.record(z.string(), count).meta({
    description:
      "answers by status, by how they were read and by structured-output mode, and those cut off",
  }),
  topics: z.array(partSchema).meta({
    description: "results by topic, easiest first, including levels defined by the dataset",
  }),
  users: z.array(partSchema),
  sessions: z.array(partSchema).meta({ description: "results by session name, over all users" }),
  tags: tagsSchema.default([]).meta({ description: "results by other tags of sessions" }),
  // Missing from runs that finished before there were judges.
  judges: judgeTablesShape.judges.default([]),
  panels: judgeTablesShape.panels.default([]),
  unjudged: z
    .array(z.object({ reason: z.enum(unjudgedReasons), count, share: z.number().min(0).max(1) }))
    .default([])
    .describe("in judged runs: expected slots that were stored but not judged, by reason"),
  crowded: crowdedSchema,
});
export type SlotsBreakdown = z.infer<typeof breakdownSchema>;
