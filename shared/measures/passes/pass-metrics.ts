import { z } from "zod";
import { metricsOf } from "../metrics-of.ts";

const rate = metricsOf("ratio", "higher", "percent");
const badRate = metricsOf("ratio", "lower", "percent");

/** The k of pass^k in the catalogue; pass^1 is the pass rate, and with k repeats pass^k is `alwaysPasses`. */
export const passPowers = [2, 4, 8] as const;

/**
 * How reliably samples pass, for every suite.
 * Source: Yao et al. 2024, τ-bench (pass^k), arXiv 2406.12045.
 */
export const passMetrics = [
  rate(
    "passRate",
    "Pass rate",
    "Mean over samples of the share of their repeats that pass (pass^1). An answer passes if its score is at least the option passScore.",
  ),
  ...passPowers.map((k) =>
    rate(
      `pass${k}`,
      `pass^${k}`,
      `Chance that ${k} repeats of a sample all pass: mean over samples of C(passed, ${k}) / C(repeats, ${k}). Needs ${k} repeats.`,
    ),
  ),
  rate(
    "alwaysPasses",
    "Always pass",
    "Samples of which every repeat passes / samples with two repeats or more.",
  ),
  badRate(
    "sometimesPasses",
    "Sometimes pass",
    "Samples of which some repeats pass and some don't / samples with two repeats or more.",
  ),
  badRate(
    "neverPasses",
    "Never pass",
    "Samples of which no repeat passes / samples with two repeats or more.",
  ),
  rate(
    "lowestPassShare",
    "Lowest pass share of a sample",
    "The smallest share of repeats that pass, of any sample with two repeats or more. As a threshold: the least that every sample must reach.",
  ),
];

/**
 * The repeat options of every suite: how often each sample is requested, and the score from which an answer passes.
 * `passScore` is the suite's default; null: answers neither pass nor fail.
 * @example z.strictObject({ ...repeatOptions(1) }).parse({}) // { repeats: 1, passScore: 1 }
 */
export const repeatOptions = (passScore: number | null) => ({
  repeats: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .meta({ description: "how often each sample is asked" }),
  passScore: z.number().min(0).max(1).nullable().default(passScore).meta({
    description:
      "the score from which an answer passes, for pass rates and pass^k; 1: only an answer that is right in every part; null: no pass rates",
  }),
});

/**
 * Why a run with these options can't have a pass metric; null if it can, and for other metrics.
 * @example passProblem("pass4", { repeats: 2, passScore: 1 }) // "needs options.repeats of 4 or more, not 2"
 */
export function passProblem(metric: string, { repeats, passScore }: RepeatOptions): string | null {
  if (!passMetrics.some(({ id }) => id === metric)) return null;
  if (passScore === null) return "needs options.passScore, the score from which an answer passes";
  const power = passPowers.find((k) => metric === `pass${k}`);
  const least = metric === "passRate" ? 1 : (power ?? 2);
  return repeats < least ? `needs options.repeats of ${least} or more, not ${repeats}` : null;
}

/** The repeat options of a run. */
export interface RepeatOptions {
  repeats: number;
  passScore: number | null;
}
