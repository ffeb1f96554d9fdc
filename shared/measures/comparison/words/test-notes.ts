import type { MetricComparison } from "../../../contracts/boards/comparison.ts";
import { ROUNDING } from "../../../stats/significance/power.ts";
import { roughBelow } from "../../report/figures/interval-basis.ts";

/** Level of the tests. */
const LEVEL = 0.05;
/** Maximum number of pairs named. */
const NAMED = 5;

/**
 * Cautions for readers of a comparison's tests, one sentence each: few units, tests that disagree, differences that
 * could not be tested. `nameOf` names a run.
 * Source: docs/spec/statistics.md, two models on the same samples.
 * @example testNotes(comparison.metrics[0]!, (run) => run)[0] // "Below 30 samples, intervals and tests are rough …"
 */
export function testNotes(
  { pairs, units }: { pairs: readonly Pair[]; units: MetricComparison["units"] },
  nameOf: (run: string) => string,
): string[] {
  const named = (its: readonly Pair[]) => {
    const shown = its.slice(0, NAMED).map(({ a, b }) => `${nameOf(a)} − ${nameOf(b)}`);
    const more = its.length - shown.length;
    return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
  };
  const what = units.kind === "samples" ? "samples" : "sources of samples";
  const disagreeing = pairs.filter(isDisputed);
  const constant = pairs.filter(
    ({ pHolm, difference }) => pHolm === null && Math.abs(difference.value) > ROUNDING,
  );
  return [
    ...(units.count < roughBelow
      ? [
          `Below ${roughBelow} ${what}, intervals and tests are rough. There ${units.count === 1 ? "is" : "are"} ${units.count}.`,
        ]
      : []),
    ...(disagreeing.length > 0
      ? [
          `The t-test and Wilcoxon's test disagree at 0.05: ${named(disagreeing)}. The t-test is of the mean of the differences, Wilcoxon's of the direction of most of them: a few large differences, fewer than six samples or p-values close to 0.05 set them apart.`,
        ]
      : []),
    ...(constant.length > 0 && units.count > 1
      ? [
          `Not tested, because the difference is the same everywhere: ${named(constant)}. Without variation there is nothing to test it against.`,
        ]
      : []),
  ];
}

type Pair = Pick<
  MetricComparison["pairs"][number],
  "a" | "b" | "difference" | "pHolm" | "wilcoxonPHolm"
>;

const isDisputed = ({ pHolm, wilcoxonPHolm }: Pair): boolean =>
  pHolm !== null && wilcoxonPHolm !== null && pHolm < LEVEL !== wilcoxonPHolm < LEVEL;
