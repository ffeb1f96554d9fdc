import { z } from "zod";
import { basisShape, crowdedSchema, tagsSchema } from "../../../measures/run-sums/breakdown.ts";

const count = z.int().nonnegative();

/** The tables of a run of the pairs suite. */
export const breakdownSchema = z.object({
  ...basisShape,
  counts: z
    .record(z.string(), count)
    .meta({ description: "answers by status, by both orders together, those cut off, and labels" }),
  models: z
    .array(
      z.object({
        model: z.string(),
        group: count.describe("group of the model; scores of different groups can't be compared"),
        n: count.meta({ description: "number of judged pairs with the model" }),
        winRate: z.number().meta({ description: "wins / pairs; ties count half" }),
        score: z.number().meta({ description: "Bradley–Terry score: log odds, mean 0 in a group" }),
        interval: z.tuple([z.number(), z.number()]).nullable().meta({
          description: "95% interval; null where the data don't bound the group's scores",
        }),
      }),
    )
    .meta({ description: "the models that wrote the answers, the strongest first" }),
  pairings: z
    .array(
      z.object({
        first: z.string(),
        second: z.string(),
        n: count,
        wins: z.number().meta({ description: "wins of the first model; ties count half" }),
      }),
    )
    .meta({ description: "judged pairs by the two models" }),
  tags: tagsSchema,
  crowded: crowdedSchema,
});
export type PairsBreakdown = z.infer<typeof breakdownSchema>;
