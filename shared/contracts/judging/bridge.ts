import { z } from "zod";
import { runJudgingSchema } from "./judging.ts";

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
    interval: z.tuple([z.number(), z.number()]).nullable().meta({ description: "95%, bootstrap" }),
  })
  .meta({ id: "JudgeShift" });
export type JudgeShift = z.infer<typeof judgeShiftSchema>;

/** Old and new judges on the same stored answers of a board. */
export const bridgeSchema = z
  .object({
    id: z.string(),
    board: z.string().meta({ description: "the board of the answers and old judges" }),
    to: runJudgingSchema.meta({ description: "the new judges" }),
    shifts: z.array(judgeShiftSchema).meta({ description: "the headline first" }),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().meta({ description: "null: it is being judged" }),
  })
  .meta({ id: "Bridge" });
export type Bridge = z.infer<typeof bridgeSchema>;
