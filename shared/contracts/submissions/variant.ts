import { z } from "zod";
import { bounds, nameSchema } from "../bounds.ts";

/** Variants of a sweep: as many as a table and its tests can distinguish. */
export const mostVariants = 64;

/** Values of one parameter: more than any sweep can have, so that the limit on variants gives the error. */
const mostValues = 1_000;

const valueSchema = z.union([z.number(), nameSchema, z.boolean(), z.null()], {
  error: "must be a number, a text, true, false or null",
});
export type VariantValue = z.infer<typeof valueSchema>;

/** One combination of a sweep: values by parameter name. */
export const variantSchema = z
  .record(nameSchema, valueSchema)
  .meta({ id: "Variant", example: { temperature: 0.7, top_p: 0.9 } });
export type Variant = z.infer<typeof variantSchema>;

/** The sweep of a submission: a list of values by parameter name. */
export const sweepRequestSchema = z
  .record(
    nameSchema,
    z.array(valueSchema).min(1, { error: "list at least one value" }).max(mostValues),
  )
  .meta({
    id: "SweepRequest",
    description: `lists of values; each combination, at most ${mostVariants}, is a variant with its own run. Parameter names are in \`sweeps\` of GET /v1/suites; null means the endpoint's default, if the option allows null. Boards do not list variants, because the best of many attempts would rank too high; GET /v1/submissions/{id}/sweep compares them. Limits such as \`maxCostUsd\` apply to each run`,
    example: { temperature: [0, 0.7, 1], top_p: [0.9, 1] },
  });
export type SweepRequest = z.infer<typeof sweepRequestSchema>;

/** More than the prompt options of any suite; other options are rejected. */
const mostPrompts = 10;

/** The parameter of a variant that `options.prompts` sets. */
export const promptParameter = "prompt";

/** Named prompts of a submission: options of the suite by name. */
export const promptVariantsSchema = z
  .record(
    nameSchema.min(1),
    z
      .record(nameSchema, z.string().max(bounds.prompt), {
        error: "must be an object of prompts, such as {systemPrompt: …}",
      })
      .meta({ maxProperties: mostPrompts }),
  )
  .meta({
    id: "PromptVariants",
    maxProperties: mostVariants,
    description: `prompts to compare, at most ${mostVariants}: by name, the options that each sets, of \`promptOptions\` of GET /v1/suites. Each is a variant with its own run, as in a \`sweep\`, by the parameter \`${promptParameter}\`; together with a sweep, each combination is one`,
    example: { short: { systemPrompt: "Answer with JSON." } },
  });
export type PromptVariants = z.infer<typeof promptVariantsSchema>;
