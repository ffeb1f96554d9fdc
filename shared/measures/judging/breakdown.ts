import { z } from "zod";
import { unjudgedReasons } from "../../contracts/judging/judgment.ts";

const count = z.int().nonnegative();
const interval = z.tuple([z.number(), z.number()]).nullable();
const measured = z.object({ value: z.number().nullable(), interval });

/** Counts and values of one judge for one metric. */
const judgeRowSchema = z.object({
  metric: z.string(),
  judge: z.string().nullable().meta({ description: "dated name of the judge; null: not reported" }),
  asked: count,
  judged: count,
  cached: count,
  fallback: count.describe("number of answers for which the judge was the fallback"),
  selfPreference: z.boolean().meta({ description: "whether judge and model have the same maker" }),
  simulated: z.boolean().meta({ description: "whether the judge is simulated" }),
  mean: z.number().nullable(),
  calibration: z
    .object({ n: count, kappa: measured, meanAbsoluteError: measured })
    .nullable()
    .meta({ description: "comparison with people's scores; null: none" }),
});
export type JudgeRow = z.infer<typeof judgeRowSchema>;

/** Agreement of a panel's judges on one metric. */
const panelRowSchema = z.object({
  metric: z.string(),
  answers: count,
  ratings: count,
  alpha: measured,
});
export type PanelRow = z.infer<typeof panelRowSchema>;

/** Answers without a value of a metric, by reason. */
const unjudgedRowSchema = z.object({
  metric: z.string(),
  reason: z.enum(unjudgedReasons),
  count,
  share: z.number().min(0).max(1).nullable(),
});
export type UnjudgedRow = z.infer<typeof unjudgedRowSchema>;

/** The unjudged values in a breakdown. */
export const unjudgedShape = { unjudged: z.array(unjudgedRowSchema) };

/** Tables of judges and panels in a judged run's breakdown. */
export const judgeTablesShape = {
  judges: z.array(judgeRowSchema).meta({ description: "judges by metric" }),
  panels: z
    .array(panelRowSchema)
    .meta({ description: "Krippendorff's alpha of the judges of a panel" }),
};
