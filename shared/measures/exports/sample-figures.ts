import type { SampleScore, Suite } from "../../contracts/suite.ts";

/**
 * What an answer is worth by each metric that runs are compared by, the headline first; a share as the number it
 * comes to, null where there is nothing to divide by or nobody judged.
 * @example sampleFigures(suite, score)["eqs"] // 0–1
 */
export function sampleFigures(
  suite: Pick<Suite, "sampleValues">,
  score: SampleScore,
): Record<string, number | null> {
  const values = Object.entries(suite.sampleValues(score));
  return Object.fromEntries(
    values.map(([metric, value]) => {
      if (value === null || typeof value === "number") return [metric, value];
      return [metric, value.over === 0 ? null : value.of / value.over];
    }),
  );
}
