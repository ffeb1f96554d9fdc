import { z } from "zod";
import { bounds } from "../../contracts/bounds.ts";
import { judgeName, judgeOptions } from "../../judges/judge-manner.ts";
import { repeatOptions } from "../../measures/passes/pass-metrics.ts";
import { defaultRubric, mostCriteria, rubricSchema } from "./rubric.ts";

/** Options of a run of this suite; an unknown option is an error. */
export const rubricOptionsSchema = z
  .strictObject({
    rubric: rubricSchema
      .default(() => defaultRubric)
      .meta({
        description: "the criteria by which judges grade an answer",
      }),
    temperature: z.number().min(0).max(2).nullable().default(0),
    maxTokens: z.int().min(1).default(2048),
    ...repeatOptions(null),
    systemPrompt: z.string().max(bounds.prompt).nullable().default(null).meta({
      description: "system message for samples without one; null: no system message",
    }),
    userPrompt: z
      .string()
      .max(bounds.prompt)
      .refine((text) => text.includes("{query}"), { error: "must contain {query}" })
      .nullable()
      .default(null)
      .meta({ description: "message in which {query} is filled in; null: the query alone" }),
    judge: judgeName.nullable().default(null).meta({
      description: "judges every criterion; a model, or provider:model",
    }),
    // Keys are ids of criteria, so their number is bounded.
    judgeOverrides: z.record(z.string().max(bounds.name), judgeName).default({}).meta({
      description: "by criterion, the model that judges it; takes precedence over judge and judges",
      maxProperties: mostCriteria,
    }),
    fallbackJudge: judgeName.nullable().default(null).meta({
      description: "used if a criterion's provider has no key; a model, or provider:model",
    }),
    ...judgeOptions,
  })
  .superRefine(({ rubric, judgeOverrides }, context) => {
    const ids = rubric.criteria.map(({ id }) => id);
    for (const id of Object.keys(judgeOverrides)) {
      if (ids.includes(id)) continue;
      const message = `the rubric has no criterion "${id}", only ${ids.join(", ")}`;
      context.addIssue({ code: "custom", path: ["judgeOverrides", id], message });
    }
  });
export type RubricOptions = z.infer<typeof rubricOptionsSchema>;
