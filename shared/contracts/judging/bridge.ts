import { z } from "zod";
import { runJudgingSchema } from "./judging.ts";

/** What to judge for a bridge, and by whom. */
export const bridgeRequestSchema = z
  .strictObject({
    answers: z.int().min(2).max(1_000).default(200).meta({
      description: "stored answers to judge, spread evenly over the scores of the board",
    }),
    options: z.record(z.string(), z.unknown()).default({}).meta({
      description: "the new judges, as options of a submission; default: the deployment's own",
    }),
  })
  .meta({ id: "BridgeRequest", example: { answers: 200, options: { judge: "gpt-6.1-terra" } } });
export type BridgeRequest = z.infer<typeof bridgeRequestSchema>;

/** How much one metric shifts from the old judges to the new ones, over the answers that both judged. */
const judgeShiftSchema = z
  .object({
    metric: z.string(),
    n: z.int(),
    before: z.number(),
    after: z.number(),
    shift: z.number().meta({ description: "after − before" }),
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
    from: z.union([runJudgingSchema, z.null()]),
    to: runJudgingSchema,
    status: z.enum(["judging", "finished", "failed"]),
    statusReason: z.string().nullable(),
    progress: z.object({ total: z.int(), done: z.int() }),
    shifts: z.array(judgeShiftSchema).meta({ description: "the headline first" }),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Bridge" });
export type Bridge = z.infer<typeof bridgeSchema>;
