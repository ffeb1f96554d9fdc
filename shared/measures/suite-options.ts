import { z } from "zod";
import type { Run } from "../contracts/run.ts";
import { runOptionsSchema } from "../contracts/submissions/submission.ts";

/**
 * A run's options without the options of every suite, because suites reject unknown names.
 * @example suiteOptions({ temperature: 0, concurrency: 4 }) // { temperature: 0 }
 */
export const suiteOptions = (options: Run["options"]): Run["options"] =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(name in runOptionsSchema.shape)));

/** Tolerance for the sum of weights: sums of decimal fractions are rounded. */
const tolerance = 1e-9;

/**
 * An option of weights that sum to 1, with `shares` as defaults.
 * @example weightsOf({ validity: 0.4, f1: 0.6 }).parse({}) // { validity: 0.4, f1: 0.6 }
 */
export function weightsOf<Name extends string>(shares: Readonly<Record<Name, number>>) {
  const weights = Object.entries<number>(shares).map(
    ([name, share]) => [name, z.number().nonnegative().default(share)] as const,
  );
  return z
    .strictObject(Object.fromEntries(weights) as Record<Name, z.ZodDefault<z.ZodNumber>>)
    .refine((its: object) => Math.abs(sumOf(Object.values(its)) - 1) <= tolerance, {
      error: "weights must sum to 1",
    });
}

const sumOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
