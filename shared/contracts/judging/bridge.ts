import { z } from "zod";
import { runJudgingSchema } from "./judging.ts";

/** How much one metric shifts from the old judges to the new ones, over the answers that both judged. */
const judgeShiftSchema = z
  .object({
    metric: z.string(),
    n: z.int().describe("number of answers; 0: the new judges judged none, and all else is null"),
    before: z.number().nullable(),
    after: z.number().nullable(),
    shift: z.number().nullable().meta({ description: "difference, after − before" }),
    interval: z.tuple([z.number(), z.number()]).nullable().describe("95% bootstrap interval"),
  })
  .meta({ id: "JudgeShift" });
export type JudgeShift = z.infer<typeof judgeShiftSchema>;

/** Old and new judges on the same stored answers of a board. */
export const bridgeSchema = z
  .object({
    id: z.string(),
    board: z.string().meta({ description: "id of the board with the answers and the old judges" }),
    to: runJudgingSchema.meta({ description: "new judges" }),
    shifts: z.array(judgeShiftSchema).meta({ description: "shifts by metric, headline first" }),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().meta({ description: "null: judging is in progress" }),
  })
  .meta({ id: "Bridge" });
export type Bridge = z.infer<typeof bridgeSchema>;
