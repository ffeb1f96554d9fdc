import { z } from "zod";

const comparators = ["text", "exact", "number", "date", "set", "list", "ignore"] as const;

/** How one field is compared, and its weight. */
export const fieldRuleSchema = z.strictObject({
  compare: z.enum(comparators).optional().meta({
    description:
      "text: by similarity; exact: equal, case included; number: within the tolerance; date: the same day; set: a list in any order; list: a list in order; ignore: not compared. Default: by the field's type",
  }),
  tolerance: z
    .number()
    .min(0)
    .optional()
    .meta({ description: "of number: largest absolute difference that is exact" }),
  relativeTolerance: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "of number: largest difference as a share of the expected value" }),
  threshold: z.number().min(0).max(1).optional().meta({
    description:
      "similarity from which the field is exact; default: 0.95. Of number, the tolerance decides",
  }),
  partial: z
    .boolean()
    .optional()
    .meta({ description: "whether a field that is half right counts half; default: true" }),
  weight: z
    .number()
    .min(0)
    .max(1_000)
    .optional()
    .meta({ description: "share in the sample's F1, and so in EQS; default: 1" }),
});
export type FieldRule = z.infer<typeof fieldRuleSchema>;

/** Maximum number of field rules. */
export const mostRules = 500;
export const longestPath = 500;

/** Rules by name path, such as `items[].price`. */
export const fieldRulesSchema = z
  .record(z.string().min(1).max(longestPath), fieldRuleSchema)
  .refine((rules) => Object.keys(rules).length <= mostRules, {
    error: `must have at most ${mostRules} fields`,
  });
export type Rules = z.infer<typeof fieldRulesSchema>;
