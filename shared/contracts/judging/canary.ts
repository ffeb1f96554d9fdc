import { z } from "zod";
import { estimateSchema } from "../metric.ts";

/** Upper bound of a canary's headline. */
const canaryBoundSchema = z.union([
  z.object({ most: z.number() }),
  z.object({
    over: z.string().meta({ description: "id of the canary" }),
    margin: z.number(),
  }),
]);

const canaryResultSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  bound: canaryBoundSchema.nullable().meta({ description: "maximum score; null: no bound" }),
  run: z.string().nullable().meta({ description: "run that measured the score; null: none" }),
  headline: estimateSchema.nullable(),
  verdict: z.enum(["within", "broken", "unbounded", "unmeasured"]),
  finishedAt: z.iso.datetime().nullable(),
});
export type CanaryResult = z.infer<typeof canaryResultSchema>;

/** Scores that the judges of a deployment give to worthless answers. */
export const canaryReportSchema = z
  .object({
    suite: z.string(),
    scoringVersion: z.string().meta({ description: "hash of the judges that were measured" }),
    simulated: z.boolean().describe("whether the judges are simulated, to test the system"),
    canaries: z.array(canaryResultSchema),
  })
  .meta({ id: "CanaryReport" });
export type CanaryReport = z.infer<typeof canaryReportSchema>;
