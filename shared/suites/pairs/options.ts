import { z } from "zod";
import { structuredModes } from "../../contracts/answer.ts";
import { bounds } from "../../contracts/bounds.ts";
import { repeatOptions } from "../../measures/passes/pass-metrics.ts";

const defaultInstructions =
  "You are a judge: you compare two answers to one request and say which is better. The better answer does what the request asks for, correctly and completely, and nothing that it rules out. The place of an answer, its length, its style and its confidence are worth nothing in themselves.";

/** Options of a run of this suite; an unknown option is an error. */
export const pairsOptionsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).nullable().default(0),
  maxTokens: z.int().min(1).default(2048),
  structuredOutput: z.enum(["auto", ...structuredModes]).default("auto"),
  ...repeatOptions(null),
  instructions: z.string().max(bounds.prompt).default(defaultInstructions).meta({
    description: "what makes an answer better; how to read the pair and reply is added to it",
  }),
  ties: z.boolean().default(true).meta({ description: "whether the judge may call a pair a tie" }),
  rankBy: z.enum(["accuracy", "consistency"]).default("accuracy").meta({
    description:
      "what ranks judges: accuracy, for pairs with labels; consistency of both orders, for pairs without",
  }),
});
export type PairsOptions = z.infer<typeof pairsOptionsSchema>;

/** The default options. */
export const defaultOptions: PairsOptions = pairsOptionsSchema.parse({});
