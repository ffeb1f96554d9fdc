import { z } from "zod";

/** A model that judges, and how long its provider offers it. */
export const judgeModelSchema = z
  .object({
    provider: z.string(),
    model: z.string(),
    ends: z.iso.date().nullable().meta({ description: "day of its shutdown; null: not announced" }),
    replacement: z.string().nullable().meta({ description: "named by its provider" }),
    listed: z.boolean().nullable().meta({ description: "in its provider's list; null: not known" }),
    checkedAt: z.iso.datetime().meta({ description: "last look at that list, once a day" }),
    warning: z.string().nullable().meta({ description: "it has ended, or ends within 60 days" }),
  })
  .meta({ id: "JudgeModel" });
export type JudgeModel = z.infer<typeof judgeModelSchema>;

export const judgeModelsSchema = z
  .object({ judges: z.array(judgeModelSchema) })
  .meta({ id: "JudgeModels" });
