import { z } from "zod";
import { structuredModes } from "../../contracts/answer.ts";
import { bounds } from "../../contracts/bounds.ts";
import { repeatOptions } from "../../measures/passes/pass-metrics.ts";
import { weightsOf } from "../../measures/suite-options.ts";
import { fieldRulesSchema, mostRules } from "./score/fields/field-rule.ts";

/** Source: docs/spec/extraction.md, section 9. */
const defaultSystemPrompt =
  "You are a precise data extraction assistant. Extract information from the provided text according to the given JSON schema. Only extract information explicitly stated in the text. If information for a field is not present, omit the field or use null as appropriate.";

/** Source: docs/spec/extraction.md, section 9. */
const defaultUserPrompt =
  "Text:\n{text}\n\nExtract information according to this JSON schema:\n{schema}\n\nOutput valid JSON matching the schema exactly.";

/** Weights of the components of EQS. */
const weightsSchema = weightsOf({
  validity: 0.15,
  partialF1: 0.5,
  typeAccuracy: 0.2,
  noHallucination: 0.15,
});
export type Weights = z.infer<typeof weightsSchema>;

/** Options of a run of this suite; an unknown option is an error. */
export const extractionOptionsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).nullable().default(0),
  maxTokens: z.int().min(1).default(2048),
  structuredOutput: z.enum(["auto", ...structuredModes]).default("auto"),
  logprobs: z.boolean().default(false),
  ...repeatOptions(1),
  systemPrompt: z.string().max(bounds.prompt).default(defaultSystemPrompt),
  userPrompt: z
    .string()
    .max(bounds.prompt)
    .default(defaultUserPrompt)
    .meta({ description: "{text} and {schema} are filled in" }),
  weights: weightsSchema.prefault({}),
  numericTolerance: z.number().min(0).max(1).default(0.001).meta({
    description: "relative; numbers that are not whole and differ by at most this are exact",
  }),
  stringFuzzyThreshold: z.number().min(0).max(1).default(0.85).meta({
    description:
      "strings at least this close by Levenshtein are fuzzy matches; not part of a score",
  }),
  coerceTypes: z.boolean().default(false).meta({
    description: 'a numeric string matches a number, "true" and "false" a boolean',
  }),
  fieldCaseSensitive: z
    .boolean()
    .default(false)
    .meta({ description: "case counts in field matching" }),
  fieldNormalizeWhitespace: z.boolean().default(true),
  caseSensitive: z.boolean().default(true).meta({ description: "case counts in exact match" }),
  normalizeWhitespace: z.boolean().default(true).meta({ description: "in exact match" }),
  arrayOrder: z
    .boolean()
    .default(true)
    .meta({ description: "order of arrays counts in exact match" }),
  fieldRules: fieldRulesSchema.default({}).meta({
    description: "by name path, such as items[].price: how the field is compared, and its weight",
    maxProperties: mostRules,
  }),
  schemaRules: z.boolean().default(false).meta({
    description:
      "read rules from the schemas of samples, too: x-assay-rule, or Stickler's x-aws-stickler-*",
  }),
  assertFormats: z.boolean().default(false).meta({ description: "`format` counts in validity" }),
});
export type ExtractionOptions = z.infer<typeof extractionOptionsSchema>;

/** Options of a new run. The prompts of stored options may lack the text. */
export const newOptionsSchema = extractionOptionsSchema.refine(
  ({ systemPrompt, userPrompt }) => `${systemPrompt}${userPrompt}`.includes("{text}"),
  { path: ["userPrompt"], error: "must contain {text}, or the model never sees the text" },
);

/** The default options. */
export const defaultOptions: ExtractionOptions = extractionOptionsSchema.parse({});
