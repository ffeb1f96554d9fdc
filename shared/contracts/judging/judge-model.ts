import { z } from "zod";

/** A model that judges, and how long its provider offers it. */
export const judgeModelSchema = z
  .object({
    provider: z.string(),
    model: z.string(),
    ends: z.iso.date().nullable().describe("day of the judge's shutdown; null: not announced"),
    replacement: z.string().nullable().describe("replacement named by the provider; null: none"),
    listed: z.boolean().nullable().describe("whether the provider lists it; null: not known"),
    checkedAt: z.iso
      .datetime()
      .meta({ description: "time of the last check of the provider's list, once a day" }),
    warning: z.string().nullable().describe("warning: gone, or ends within 60 days; null: none"),
  })
  .meta({ id: "JudgeModel" });
export type JudgeModel = z.infer<typeof judgeModelSchema>;

export const judgeModelsSchema = z
  .object({ judges: z.array(judgeModelSchema) })
  .meta({ id: "JudgeModels" });
