import { z } from "zod";
import { estimateSchema } from "../metric.ts";

/** What the headline of a canary must not exceed. */
const canaryBoundSchema = z.union([
  z.object({ most: z.number() }),
  z.object({
    over: z.string().meta({ description: "id of the canary whose headline it may exceed" }),
    margin: z.number(),
  }),
]);

const canaryResultSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  bound: canaryBoundSchema.nullable().meta({ description: "null: it is only reported" }),
  run: z.string().nullable().meta({ description: "the run that measured it; null: none did" }),
  headline: estimateSchema.nullable(),
  verdict: z.enum(["within", "broken", "unbounded", "unmeasured"]),
  finishedAt: z.iso.datetime().nullable(),
});
export type CanaryResult = z.infer<typeof canaryResultSchema>;

/** What answers that are worth little earn from the judges of a deployment. */
export const canaryReportSchema = z
  .object({
    suite: z.string(),
    scoringVersion: z.string().meta({ description: "of the judges that were measured" }),
    simulated: z.boolean().meta({
      description: "judged by programs that play judges: it only tests the machinery",
    }),
    canaries: z.array(canaryResultSchema),
  })
  .meta({ id: "CanaryReport" });
export type CanaryReport = z.infer<typeof canaryReportSchema>;
