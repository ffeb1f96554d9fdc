import cdf from "@stdlib/stats-base-dists-t-cdf";
import type {
  Comparison,
  MarginTests,
  MetricComparison,
} from "../../contracts/boards/comparison.ts";
import type { Metric } from "../../contracts/metric.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import { holm } from "../../stats/significance/holm.ts";
import { standardError } from "../../stats/significance/power.ts";

type Compared = Pick<
  MetricComparison["pairs"][number],
  "a" | "b" | "difference" | "t" | "detectableDifference"
>;

/** Level of the tests. */
const LEVEL = 0.05;

/**
 * Tests of pairs against a margin, in the unit of the metric: whether the first is no worse than the second by more
 * than the margin, the reverse, and whether both are equivalent within it. Each is a one-sided t-test on the same
 * samples; equivalence requires both (two one-sided tests). P-values have Holm's correction, for non-inferiority over
 * both directions of all pairs. Null if the differences don't vary.
 * Source: Schuirmann 1987; Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority.
 * @example marginTests(comparison.metrics[0]!, 0.02).pairs[0]?.verdict // "same"
 */
export function marginTests(
  { pairs, units, better }: Pick<MetricComparison, "units" | "better"> & { pairs: Compared[] },
  margin: number,
): MarginTests {
  const sides = pairs.map((pair) => oneSided(pair, units.effective ?? units.count, margin));
  const noWorse = holm(
    sides.flatMap(({ above, below }) => (better === "higher" ? [above, below] : [below, above])),
  );
  const same = holm(
    sides.map(({ above, below }) =>
      above === null || below === null ? null : Math.max(above, below),
    ),
  );
  return {
    margin,
    pairs: pairs.map(({ a, b }, i) => {
      const p = { aNoWorse: noWorse[2 * i]!, bNoWorse: noWorse[2 * i + 1]!, same: same[i]! };
      return { a, b, ...p, verdict: verdictOf(p) };
    }),
  };
}

/** Largest possible difference by unit; other units are unbounded. */
const ranges: Partial<Record<Metric["unit"], number>> = { ratio: 1, level: 4 };

/** Margins by metric. */
export type Margins = ReadonlyMap<string, number>;

/**
 * Adds tests against margins to a comparison, for the metrics with a margin. The error names a metric that is not
 * compared, or a margin that exceeds every possible difference. `catalogue`: the suite's metrics.
 * @example withMargins(comparison, new Map([["eqs", 0.02]]), suite.metrics) // { ok: true, value: { …, metrics: [{ …, margin }] } }
 */
export function withMargins(
  comparison: Comparison,
  margins: Margins,
  catalogue: readonly Pick<Metric, "id" | "unit">[],
): Result<Comparison, string> {
  const known = comparison.metrics.map(({ metric }) => metric);
  const problem = marginProblem(margins, known, catalogue);
  if (problem !== null) return err(problem);
  const metrics = comparison.metrics.map((one) => {
    const margin = margins.get(one.metric);
    return margin === undefined ? one : { ...one, margin: marginTests(one, margin) };
  });
  return ok({ ...comparison, metrics });
}

/**
 * Why margins can't be used; null if they can. `known`: ids of the compared metrics.
 * @example marginProblem(new Map([["eqs", 2]]), ["eqs"], suite.metrics) // '"eqs" can differ by 1 at most: …'
 */
export function marginProblem(
  margins: Margins,
  known: readonly string[],
  catalogue: readonly Pick<Metric, "id" | "unit">[],
): string | null {
  const unknown = [...margins.keys()].find((metric) => !known.includes(metric));
  if (unknown !== undefined) {
    return `"${unknown}" is not compared by sample; metrics are ${known.join(", ")}`;
  }
  for (const { id, unit } of catalogue) {
    const range = ranges[unit] ?? Number.POSITIVE_INFINITY;
    if ((margins.get(id) ?? 0) < range) continue;
    return `"${id}" can differ by ${range} at most: its margin has to be smaller`;
  }
  return null;
}

/** A margin larger than this is a mistake. */
const MOST = 1e6;

/**
 * Parses margins by metric, such as `eqs:0.02,validity=0.05`; each is above 0 and in the unit of its metric. The error
 * describes the syntax.
 * @example readMargins("eqs:0.02") // { ok: true, value: new Map([["eqs", 0.02]]) }
 */
export function readMargins(text: string): Result<Margins, string> {
  const margins = new Map<string, number>();
  for (const part of text.split(",")) {
    const [metric = "", value = "", ...rest] = part.trim().split(/[:=]/);
    const margin = Number(value);
    const isGood = metric !== "" && value !== "" && rest.length === 0 && !margins.has(metric);
    if (!isGood || !(margin > 0) || margin > MOST) {
      return err(
        "give margins above 0 as metric:number, such as eqs:0.02, separated by commas, one for each metric",
      );
    }
    margins.set(metric, margin);
  }
  return ok(margins);
}

type PairTests = MarginTests["pairs"][number];

/** P of a − b ≤ −margin, and of a − b ≥ margin. */
function oneSided(
  { difference, t, detectableDifference }: Compared,
  units: number,
  margin: number,
): { above: number | null; below: number | null } {
  const error = standardError(detectableDifference);
  if (t === null || error === null || units < 2) return { above: null, below: null };
  const degrees = units - 1;
  return {
    above: cdf(-(difference.value + margin) / error, degrees),
    below: cdf((difference.value - margin) / error, degrees),
  };
}

function verdictOf({
  aNoWorse,
  bNoWorse,
  same,
}: Pick<PairTests, "aNoWorse" | "bNoWorse" | "same">) {
  const isShown = (p: number | null) => p !== null && p < LEVEL;
  if (isShown(same)) return "same";
  if (isShown(aNoWorse)) return "a-no-worse";
  return isShown(bNoWorse) ? "b-no-worse" : "not-shown";
}
