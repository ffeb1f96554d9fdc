import { z } from "zod";

const differenceSchema = z.object({ what: z.string(), signed: z.unknown(), found: z.unknown() });
/** A difference from the signed value. */
export type Difference = z.infer<typeof differenceSchema>;

/** One check. */
export const checkSchema = z.object({
  name: z.enum([
    "signature",
    "dataset",
    "answers",
    "scores",
    "models",
    "metrics",
    "verdicts",
    "current",
  ]),
  outcome: z
    .enum(["ok", "differs", "unchecked"])
    .meta({ description: "unchecked: could not be checked" }),
  said: z.string().meta({ description: "the result, or why there is none" }),
  differences: z.array(differenceSchema),
});
export type Check = z.infer<typeof checkSchema>;

type Name = Check["name"];

/** The check found the signed value. */
export const passed = (name: Name, said: string): Check => ({
  name,
  outcome: "ok",
  said,
  differences: [],
});

/** The check found another value. */
export const differs = (name: Name, said: string, differences: Difference[] = []): Check => ({
  name,
  outcome: "differs",
  said,
  differences,
});

/** The check was not possible. */
export const unchecked = (name: Name, said: string): Check => ({
  name,
  outcome: "unchecked",
  said,
  differences: [],
});
