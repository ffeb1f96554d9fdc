import { z } from "zod";
import type { Run } from "../contracts/run.ts";
import { runOptionsSchema } from "../contracts/submissions/submission.ts";

/**
 * A run's options without those that every suite has: suites refuse names they don't know.
 * @example suiteOptions({ temperature: 0, concurrency: 4 }) // { temperature: 0 }
 */
export const suiteOptions = (options: Run["options"]): Run["options"] =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(name in runOptionsSchema.shape)));

/** How far the sum of weights may be from 1: they are decimal fractions, whose sum rounds. */
const tolerance = 1e-9;

/**
 * An option of weights that sum to 1, by the shares of a run that sets none.
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
