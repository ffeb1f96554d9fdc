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
        share: z.number().min(0).max(1).meta({ description: "its weight / all weights" }),
        worst: grade,
        best: grade,
        judged: count,
        coverage: z.number().min(0).max(1).nullable(),
        mean: grade.nullable().meta({ description: "of the grades, on the criterion's scale" }),
        interval: z
          .tuple([grade, grade])
          .nullable()
          .meta({ description: "95%, the lower grade first" }),
        levels: z
          .array(z.object({ grade, count }))
          .meta({ description: "answers by grade, the worst first" }),
        unsupportedEvidence: count,
      }),
    )
    .meta({ description: "the criteria, in the rubric's order" }),
  ...unjudgedShape,
  ...judgeTablesShape,
  tags: tagsSchema,
  crowded: crowdedSchema,
});
export type RubricBreakdown = z.infer<typeof breakdownSchema>;
