import { z } from "zod";
import { nameSchema } from "../bounds.ts";

/** What is to be shown, stated before the first answer. */
export const plannedTestSchema = z
  .strictObject({
    metric: nameSchema.meta({ example: "eqs" }),
    margin: z.number().positive().max(1e6).meta({
      description: "largest loss that is acceptable, in the unit of the metric",
      example: 0.02,
    }),
    against: nameSchema.meta({
      description: "a finished run on the same version of the dataset",
      example: "run_01",
    }),
  })
  .meta({
    id: "PlannedTest",
    description:
      "pre-registration: the run is to be no worse than another by a margin. Metric, margin, samples and version of the dataset are fixed before the first answer; the report shows them with what differs from the plan. Not for answers that exist already",
  });
export type PlannedTest = z.infer<typeof plannedTestSchema>;
