import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import type { Composite } from "../../contracts/suite.ts";
import { rankSpread } from "../../stats/bootstrap/rank-spread.ts";
import { holm } from "../../stats/significance/holm.ts";
import { pairedT } from "../../stats/significance/paired-tests.ts";
import { ROUNDING } from "../../stats/significance/power.ts";
import { commonSamples } from "./common-samples.ts";
import { valueInterval } from "./compared-intervals.ts";
import { eachPair, type MeasuredRun, measuredRuns, pairAt } from "./measured-runs.ts";
import type { ScoreTable } from "./score-table.ts";
import { levelOf, tieGroups } from "./tie-groups.ts";

/** A metric that ranks runs. */
export interface RankingMetric {
  id: string;
  better: "higher" | "lower";
  /** Present if its value over samples is computed from parts. */
  composite?: Composite | undefined;
}

/** Ranks of runs, and the tests behind their tie groups. */
export interface RankedRuns extends Pick<MetricComparison, "samples" | "units" | "standings"> {
  /** Number of tests, one for each pair; used by Holm's correction. */
  tests: number;
  /** Corrected p of two runs; null if no test was possible. */
  pHolm(one: string, other: string): number | null;
}

/**
 * Ranks runs by a metric, best first, over their common samples: the result of `compareMetric` without the figures of
 * each pair; null if `compareMetric` is. O(resamples · units · runs + pairs · units).
 * Source: docs/spec/statistics.md, rank interval; many models.
 * @example rankRuns(table, { id: "eqs", better: "higher" }, "board")?.pHolm("run-a", "run-b")
 */
export function rankRuns(
  table: ScoreTable,
  { id, better, composite }: RankingMetric,
  seed: string,
): RankedRuns | null {
  const common = commonSamples(table, id, composite?.parts);
  const measured = measuredRuns(table, common, seed, composite);
  if (measured === null) return null;
  const ps = holm(eachPair(measured, (a, b) => pairedT(a.tested, b.tested, common.weights).p));
  const places = new Map(measured.map(({ run }, place) => [run, place]));
  return {
    samples: common.ids.length,
    units: common.units,
    tests: ps.filter((p) => p !== null).length,
    standings: standings(measured, ps, better),
    pHolm: (one, other) => {
      const [a, b] = [places.get(one), places.get(other)];
      if (a === undefined || b === undefined || a === b) return null;
      return ps[pairAt(a, b, measured.length)] ?? null;
    },
  };
}

/**
 * Whether two runs without a test (`p` null) differ by the same on all units, so they are not tied. False for one unit.
 * @example isConstantlyApart(a, b, 0.3) // false
 */
export const isConstantlyApart = (a: MeasuredRun, b: MeasuredRun, p: number | null): boolean =>
  p === null && a.tested.length > 1 && Math.abs(a.value - b.value) > ROUNDING;

/**
 * Standings of measured runs, best first; `ps` are the corrected p-values, in the order of `eachPair`.
 * @example standings(measured, holm(ps), "higher")[0]?.tieGroup // 1
 */
export function standings(
  measured: readonly MeasuredRun[],
  ps: readonly (number | null)[],
  better: "higher" | "lower",
): MetricComparison["standings"] {
  const sign = better === "higher" ? 1 : -1;
  const ranked = [...measured.keys()].sort(
    (a, b) => sign * (measured[b]!.value - measured[a]!.value) || a - b,
  );
  const spreads = rankSpread(
    measured.map(({ draws }) => (sign === 1 ? draws : draws.map((value) => -value))),
  );
  const groups = tieGroups(ranked, (a, b) => {
    const p = ps[pairAt(a, b, measured.length)] ?? null;
    return isConstantlyApart(measured[a]!, measured[b]!, p) || levelOf(p) !== null;
  });
  return ranked.map((m) => ({
    run: measured[m]!.run,
    value: measured[m]!.value,
    interval: valueInterval(measured[m]!),
    rankInterval: spreads[m]!.interval,
    best: spreads[m]!.best,
    tieGroup: groups[m]!,
  }));
}
