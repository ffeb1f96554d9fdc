import type { SampleScore, Suite } from "../../contracts/suite.ts";

/**
 * An answer's value for each metric of comparisons, the headline first; a share as a number, null if its denominator
 * is zero or it was not judged.
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
