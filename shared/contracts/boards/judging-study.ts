import { z } from "zod";
import { runModelSchema } from "../run.ts";

const share = z.number().min(0).max(1);
const interval = z.tuple([z.number(), z.number()]).nullable();

const judgingSchema = z.object({
  scoringVersion: z.string(),
  options: z.record(z.string(), z.unknown()).describe("options that differ between the judgings"),
  judges: z.array(z.string()).default([]).meta({
    description: "models of the judges; empty in a study of an earlier version",
  }),
  simulated: z.boolean().meta({ description: "whether a judge is simulated" }),
  longerWins: z.object({ value: share, interval }).nullable().meta({
    description:
      "length bias: share of pairs of answers to the same sample in which the longer one scores higher, ties half; compare it between judgings, because longer answers may be better. Null: no pair differs in length, or the answers were deleted",
  }),
});

const resultSchema = z.object({
  run: z.string(),
  value: z.number(),
  rank: z.number().meta({ description: "rank, 1 is the best; equal models share their mean rank" }),
});

const studiedModelSchema = z.object({
  run: z.string().meta({ description: "id of the run with the answers" }),
  model: runModelSchema,
  results: z.array(resultSchema).meta({ description: "results, in the order of the judgings" }),
  first: z.int().describe("number of judgings in which the model ranks first, alone or tied"),
});

/** How much the judging decides: the same answers of several models under several judgings. */
export const judgingStudySchema = z
  .object({
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    metric: z.string().meta({ description: "id of the headline metric, which ranks the models" }),
    samples: z.int().describe("number of samples that every model has in every judging"),
    judgings: z.array(judgingSchema).meta({ description: "judgings, the original one first" }),
    models: z.array(studiedModelSchema).meta({ description: "models, ordered by mean rank" }),
    variance: z
      .object({ models: share, judgings: share, samples: share, both: share })
      .nullable()
      .meta({
        description:
          "shares of the variance of ranks over judgings and resamples of the samples: between models; by the judging; by the samples; by the judging depending on the samples. They add up to 1. Null: all models tie",
      }),
  })
  .meta({ id: "JudgingStudy" });
export type JudgingStudy = z.infer<typeof judgingStudySchema>;
