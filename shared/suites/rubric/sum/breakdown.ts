import { z } from "zod";
import { judgeTablesShape, unjudgedShape } from "../../../measures/judging/breakdown.ts";
import { basisShape, crowdedSchema, tagsSchema } from "../../../measures/run-sums/breakdown.ts";

const count = z.int().nonnegative();
const grade = z.number();

/** The tables of a run of the rubric suite. */
export const breakdownSchema = z.object({
  ...basisShape,
  rubric: z.string().meta({ description: "name of the rubric" }),
  counts: z.record(z.string(), count).meta({ description: "answers by status, and those cut off" }),
  criteria: z
    .array(
      z.object({
        metric: z.string(),
        label: z.string(),
        question: z.string(),
        share: z.number().min(0).max(1).describe("weight of the criterion / sum of all weights"),
        worst: grade,
        best: grade,
        judged: count,
        coverage: z.number().min(0).max(1).nullable(),
        mean: grade.nullable().meta({ description: "mean grade, on the criterion's scale" }),
        interval: z
          .tuple([grade, grade])
          .nullable()
          .meta({ description: "95% interval of the mean, lower grade first" }),
        levels: z
          .array(z.object({ grade, count }))
          .meta({ description: "number of answers by grade, worst first" }),
        unsupportedEvidence: count,
      }),
    )
    .meta({ description: "criteria, in the order of the rubric" }),
  ...unjudgedShape,
  ...judgeTablesShape,
  tags: tagsSchema,
  crowded: crowdedSchema,
});
export type RubricBreakdown = z.infer<typeof breakdownSchema>;
