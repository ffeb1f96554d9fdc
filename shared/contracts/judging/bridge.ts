import { z } from "zod";
import { runJudgingSchema } from "./judging.ts";

/** The new judges. */
export const bridgeRequestSchema = z
  .strictObject({
    options: z.record(z.string(), z.unknown()).default({}).meta({
      description: "the new judges, as options of a submission; default: the deployment's own",
    }),
  })
  .meta({ id: "BridgeRequest", example: { options: { judge: "gpt-6.1-terra" } } });
export type BridgeRequest = z.infer<typeof bridgeRequestSchema>;

/** How much one metric shifts from the old judges to the new ones, over the answers that both judged. */
const judgeShiftSchema = z
  .object({
    metric: z.string(),
    n: z
      .int()
      .meta({ description: "answers; 0: the new judges judged none, and the rest is null" }),
    before: z.number().nullable(),
    after: z.number().nullable(),
    shift: z.number().nullable().meta({ description: "after − before" }),
    interval: z.tuple([z.number(), z.number()]).nullable().meta({
      description: "95% bootstrap interval of the shift; answers to the same sample are one unit",
    }),
  })
  .meta({ id: "JudgeShift" });
export type JudgeShift = z.infer<typeof judgeShiftSchema>;

/** Old and new judges on the same stored answers of a board. */
export const bridgeSchema = z
  .object({
    id: z.string(),
    board: z.string().meta({ description: "whose answers and old judges these are" }),
    to: runJudgingSchema.meta({ description: "the new judges" }),
    shifts: z.array(judgeShiftSchema).meta({ description: "the headline first" }),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().meta({ description: "null: it is being judged" }),
  })
  .meta({ id: "Bridge" });
export type Bridge = z.infer<typeof bridgeSchema>;
