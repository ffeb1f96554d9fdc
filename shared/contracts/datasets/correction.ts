import { z } from "zod";
import { printableText } from "../text/printable-text.ts";

/** Ids of corrected samples that are named: more of them tell nobody more. */
export const MOST_NAMED = 100;

/** What a dataset version puts right in the one before it. */
export const correctionSchema = z
  .object({
    version: z.string().meta({ description: "whole version that it corrects" }),
    reason: z.string(),
    samples: z.int().positive().meta({ description: "samples that are scored otherwise" }),
    ids: z.array(z.string()).meta({
      description: `of these samples, the first ${MOST_NAMED}; none of a private dataset`,
    }),
  })
  .meta({ id: "Correction" });
export type Correction = z.infer<typeof correctionSchema>;

/** The version that an upload corrects. */
export const correctsSchema = z
  .string()
  .regex(/^[0-9a-f]{6,64}$/, { error: "must be 6 to 64 hex digits of a version" })
  .meta({ description: "newest version of the name, by its first digits at least" });

/** Why gold answers are corrected. */
export const correctionReasonSchema = printableText(500).meta({
  description: "what was wrong, for readers of the boards",
  example: "two totals were of the wrong page",
});
