import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import { commonSamples, scoreAt } from "../comparison/common-samples.ts";
import type { ScoreTable } from "../comparison/score-table.ts";
import type { RankingMetric } from "../comparison/standings.ts";

/** Requirement for a run compared with a baseline on one metric. */
interface GateRule {
  /** Names of both runs in the table. */
  base: string;
  tested: string;
  /** How much worse the tested run may be, in the unit of the metric; above 0. */
  margin: number;
  /** Minimum share of the samples that must be compared, 0–1. */
  minSampleShare: number;
  /** Number of samples of the larger run. */
  samples: number;
}

/** The result on one metric over the common samples. */
export interface GateOutcome {
  metric: string;
  better: "higher" | "lower";
  margin: number;
  base: number;
  tested: number;
  /** Tested minus base, with its 95% interval; null below two units. */
  difference: { value: number; interval: readonly [number, number] | null };
  units: MetricComparison["units"];
  /** Number of compared samples, and their share of all. */
  samples: number;
  sampleShare: number;
  verdict: "no-worse" | "worse" | "not-shown" | "too-few-samples";
  /** Samples that would show non-inferiority with the same difference; null if no number would, or if it is shown. */
  samplesNeeded: number | null;
  /** Number of samples that score worse, and better. */
  fell: number;
  rose: number;
  /** The samples that fell most; at most `MOST_LISTED`. */
  worst: { id: string; base: number; tested: number }[];
}

/** Maximum number of samples listed in an outcome. */
export const MOST_LISTED = 50;
/** A difference up to this is rounding error. */
const ROUNDING = 1e-12;

/**
 * Whether a run is no worse than a baseline by more than a margin on a metric. This is shown if the 95% interval of the
 * paired difference, with positive values for better, is above −margin; a run that is worse by the margin then passes
 * in about 2.5% of cases. It is also shown if no compared sample scores worse, because then no resample does. The
 * verdict is `worse` if it is not shown and the whole interval is below 0. Several metrics need no correction, because
 * all must pass. O(samples log samples).
 * Source: docs/spec/statistics.md, two models on the same samples; Wellek 2010, Testing Statistical Hypotheses of Equivalence
 * and Noninferiority.
 * @example nonInferiority(table, eqs, compareMetric(table, eqs, "seed")!, rule).verdict // "no-worse"
 */
export function nonInferiority(
  table: ScoreTable,
  { id, better, composite }: RankingMetric,
  compared: MetricComparison,
  { base, tested, margin, minSampleShare, samples: all }: GateRule,
): GateOutcome {
  const sign = better === "higher" ? 1 : -1;
  const { samples, units } = compared;
  const difference = differenceOf(compared, base, tested);
  const common = commonSamples(table, id, composite?.parts);
  const columnOf = (run: string) => common.columns[table.runs.findIndex((one) => one.run === run)]!;
  const [before, after] = [columnOf(base), columnOf(tested)];
  const moved = common.ids.map((sample, i) => {
    const [from, to] = [scoreAt(before, i), scoreAt(after, i)];
    return { id: sample, base: from, tested: to, gain: sign * (to - from) };
  });
  const fallen = moved
    .filter(({ gain }) => gain < -ROUNDING)
    .sort((a, b) => a.gain - b.gain || (a.id < b.id ? -1 : 1));
  const gains = gainOf(difference, sign);
  const share = all === 0 ? 0 : samples / all;
  const verdict =
    share < minSampleShare ? "too-few-samples" : verdictOf(gains, margin, fallen.length === 0);
  const figureOf = (run: string) => compared.standings.find((one) => one.run === run)!.value;
  return {
    metric: id,
    better,
    margin,
    base: figureOf(base),
    tested: figureOf(tested),
    difference,
    units,
    samples,
    sampleShare: share,
    verdict,
    samplesNeeded: verdict === "not-shown" ? samplesNeeded(gains, margin, samples) : null,
    fell: fallen.length,
    rose: moved.filter(({ gain }) => gain > ROUNDING).length,
    worst: fallen
      .slice(0, MOST_LISTED)
      .map(({ id: sample, base: from, tested: to }) => ({ id: sample, base: from, tested: to })),
  };
}

/** Tested minus base, in either order of the comparison. */
function differenceOf(
  { pairs }: MetricComparison,
  base: string,
  tested: string,
): GateOutcome["difference"] {
  const pair = pairs.find(
    ({ a, b }) => (a === tested && b === base) || (a === base && b === tested),
  );
  if (pair === undefined) throw new Error(`${base} and ${tested} are not compared`);
  const { value, interval } = pair.difference;
  if (pair.a === tested) return { value, interval };
  return { value: -value || 0, interval: interval && [-interval[1], -interval[0]] };
}

/** A difference whose positive values are better. */
interface Gain {
  value: number;
  interval: readonly [number, number] | null;
}

function gainOf({ value, interval }: GateOutcome["difference"], sign: number): Gain {
  if (sign === 1) return { value, interval };
  return { value: -value, interval: interval && [-interval[1], -interval[0]] };
}

function verdictOf({ value, interval }: Gain, margin: number, noneFell: boolean) {
  if (interval === null) return "not-shown";
  // Ratios of sums can fall although no sample's own ratio does.
  if (interval[0] > -margin || (noneFell && value >= -ROUNDING)) return "no-worse";
  return interval[1] < -ROUNDING ? "worse" : "not-shown";
}

/** The interval's lower half shrinks with the square root of the number of samples. */
function samplesNeeded({ value, interval }: Gain, margin: number, samples: number): number | null {
  if (interval === null || value + margin <= ROUNDING) return null;
  const needed = Math.ceil(samples * ((value - interval[0]) / (value + margin)) ** 2);
  return Number.isSafeInteger(needed) && needed > samples ? needed : null;
}
