import { z } from "zod";
import { runModelSchema } from "../run.ts";

const share = z.number().min(0).max(1);
const interval = z.tuple([z.number(), z.number()]).nullable();

const judgingSchema = z.object({
  scoringVersion: z.string(),
  options: z.record(z.string(), z.unknown()).meta({ description: "those that differ" }),
  judges: z.array(z.string()).default([]).meta({
    description: "their models; empty in a study of an earlier version",
  }),
  simulated: z.boolean().meta({ description: "a judge is simulated" }),
  longerWins: z.object({ value: share, interval }).nullable().meta({
    description:
      "length bias: share of pairs of answers to the same sample in which the longer one scores higher, ties half; compare it between judgings, because longer answers may be better. Null: no pair differs in length, or the answers were deleted",
  }),
});

const resultSchema = z.object({
  run: z.string(),
  value: z.number(),
  rank: z.number().meta({ description: "1 is the best; equals share their mean rank" }),
});

const studiedModelSchema = z.object({
  run: z.string().meta({ description: "the run that has the answers" }),
  model: runModelSchema,
  results: z.array(resultSchema).meta({ description: "in the order of the judgings" }),
  first: z.int().meta({ description: "judgings in which it ranks first, alone or not" }),
});

/** How much the judging decides: the same answers of several models under several judgings. */
export const judgingStudySchema = z
  .object({
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    metric: z.string().meta({ description: "the headline, by which the models are ranked" }),
    samples: z.int().meta({ description: "samples that every model has in every judging" }),
    judgings: z.array(judgingSchema).meta({ description: "the runs' own judging first" }),
    models: z.array(studiedModelSchema).meta({ description: "by mean rank" }),
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
