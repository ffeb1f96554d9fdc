import { z } from "zod";
import { judgeName, judgeOptions } from "../../judges/judge-manner.ts";
import { judges } from "../../judges/judges.ts";
import { repeatOptions } from "../../measures/passes/pass-metrics.ts";
import { weightsOf } from "../../measures/suite-options.ts";
import { defaultWeights } from "./score/mcs.ts";

const named = { description: "a model, or provider:model" };

const judgeOverridesSchema = z
  .strictObject(Object.fromEntries(judges.map(({ id }) => [id, judgeName.optional()])))
  .prefault({})
  .meta({
    description: "by metric, the model that judges it; takes precedence over judge and judges",
  });

/** Our own wording; the specification has no prompt. */
const defaultSystemPrompt = `You advise a person whom you know. What is stored about them:
{profile}

How their question sounds, as shares of emotions: {emotion}
Their character, each trait from 0 to 1: {traits}

Answer their question. Use what is stored where it bears on the question, and leave the rest alone; take nothing about them for granted that is not stored or said. Don't mention that you have a profile, shares or traits.`;

/** Options of a run of this suite; an unknown option is an error. */
export const memoryOptionsSchema = z
  .strictObject({
    temperature: z.number().min(0).max(2).nullable().default(0),
    maxTokens: z.int().min(1).default(1024),
    ...repeatOptions(null),
    systemPrompt: z.string().max(20_000).default(defaultSystemPrompt).meta({
      description:
        "the system prompt; {profile} is filled in, and so are {emotion} and {traits} if it has them",
    }),
    speechWeight: z.number().nonnegative().default(0.7),
    textWeight: z.number().nonnegative().default(0.3),
    disableTts: z.boolean().default(false).meta({
      description: "no query is spoken, and its speech emotion is uniform unless given",
    }),
    judge: judgeName.nullable().default(null).meta({
      description: "judges every metric that needs a judge model; a model, or provider:model",
    }),
    judgeOverrides: judgeOverridesSchema,
    fallbackJudge: judgeName
      .nullable()
      .default(null)
      .meta({
        description: `used if a metric's provider has no key; ${named.description}`,
      }),
    ...judgeOptions,
    weights: weightsOf(defaultWeights)
      .prefault({})
      .meta({ description: "of the memory citation score" }),
  })
  .refine(({ speechWeight, textWeight }) => speechWeight + textWeight > 0, {
    path: ["textWeight"],
    error: "must be above 0 if speechWeight is 0",
  })
  .refine(({ systemPrompt }) => systemPrompt.includes("{profile}"), {
    path: ["systemPrompt"],
    error: "must contain {profile}, or the model never sees what is stored",
  });
export type MemoryOptions = z.infer<typeof memoryOptionsSchema>;

/** The default options. */
export const defaultOptions: MemoryOptions = memoryOptionsSchema.parse({});
