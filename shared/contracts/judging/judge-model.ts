import { z } from "zod";
import { pricesSchema } from "../submissions/prices.ts";

/** A model that judges, and how long its provider offers it. */
export const judgeModelSchema = z
  .object({
    provider: z.string(),
    model: z.string(),
    simulated: z.boolean(),
    judges: z.array(z.string()).meta({
      description:
        "what it judges in this deployment, as suite/metric or suite/stage; empty: only on existing boards",
    }),
    price: pricesSchema.nullable().meta({ description: "null: not known" }),
    ends: z.iso
      .date()
      .nullable()
      .meta({ description: "day on which its provider shuts it down; null: none announced" }),
    replacement: z
      .string()
      .nullable()
      .meta({ description: "the model that its provider names in its place" }),
    listed: z.boolean().nullable().meta({
      description: "whether it is in its provider's list of models; null: the list is not known",
    }),
    checkedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "last look at the list, once a day; null: never" }),
    warning: z.string().nullable().meta({
      description:
        "why it needs a successor: it is gone, or ends within 60 days; null: it does not",
    }),
  })
  .meta({ id: "JudgeModel" });
export type JudgeModel = z.infer<typeof judgeModelSchema>;

export const judgeModelsSchema = z
  .object({ judges: z.array(judgeModelSchema) })
  .meta({ id: "JudgeModels" });
