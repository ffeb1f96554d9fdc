import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import type { Composite } from "../../contracts/suite.ts";
import { holm } from "../../stats/significance/holm.ts";
import { cohensD, effectSize } from "../../stats/significance/moments.ts";
import { pairedT } from "../../stats/significance/paired-tests.ts";
import { detectableDifference, samplesToSeparate } from "../../stats/significance/power.ts";
import { wilcoxon } from "../../stats/significance/wilcoxon.ts";
import { winRate } from "../../stats/significance/wilson-interval.ts";
import { type CommonSamples, commonSamples } from "./common-samples.ts";
import { differenceInterval } from "./compared-intervals.ts";
import { differences, eachPair, type MeasuredRun, measuredRuns } from "./measured-runs.ts";
import type { ScoreTable } from "./score-table.ts";
import { type RankingMetric, standings } from "./standings.ts";
import { testNotes } from "./test-notes.ts";
import { levelOf } from "./tie-groups.ts";

type Pair = MetricComparison["pairs"][number];

/**
 * Compares runs on one metric over their common samples: values, ranks and differences from the same resamples,
 * paired tests with Holm's correction over all pairs. If samples share sources, sources are resampled and tested,
 * weighted by their samples. Null without common samples, and if a run has no value of a composite metric.
 * O(resamples · units · runs + pairs · samples log samples).
 * Source: docs/spec/statistics.md.
 * @example compareMetric(table, { id: "eqs", better: "higher" }, "seed")?.pairs[0]?.pHolm
 */
export function compareMetric(
  table: ScoreTable,
  { id, better, composite }: RankingMetric,
  seed: string,
): MetricComparison | null {
  const common = commonSamples(table, id, composite?.parts);
  const measured = measuredRuns(table, common, seed, composite);
  if (measured === null) return null;
  const samples = common.ids.length;
  const pairs = corrected(eachPair(measured, (a, b) => pairOf(a, b, common, composite)));
  return {
    metric: id,
    better,
    samples,
    units: common.units,
    pairs,
    notes: testNotes({ pairs, units: common.units }, (run) => run),
    standings: standings(
      measured,
      pairs.map(({ pHolm }) => pHolm),
      better,
    ),
  };
}

/** Two runs before the correction of p-values. */
function pairOf(
  a: MeasuredRun,
  b: MeasuredRun,
  { weights, units, ids }: CommonSamples,
  composite?: Composite,
): Pair {
  const { t, p, dz, sdDifference, meanDifference } = pairedT(a.tested, b.tested, weights);
  const ranks = wilcoxon(differences(a, b, composite));
  const d = a.tested.length < 2 ? null : cohensD(a.scores, b.scores);
  return {
    a: a.run,
    b: b.run,
    t,
    p,
    pHolm: null,
    significantAt: null,
    difference: {
      value: a.value - b.value,
      interval: differenceInterval(a, b),
    },
    wilcoxon: ranks.statistic,
    wilcoxonP: ranks.p,
    wilcoxonPHolm: null,
    cohensD: d,
    dz,
    effectSize: d === null ? null : effectSize(d),
    winRate: winRate(a.scores, b.scores) ?? 0.5,
    detectableDifference: detectableDifference(sdDifference, a.tested.length),
    samplesToSeparate: samplesToSeparate(sdDifference, meanDifference, ids.length / units.count),
  };
}

function corrected(pairs: readonly Pair[]): Pair[] {
  const p = holm(pairs.map((pair) => pair.p));
  const wilcoxonP = holm(pairs.map((pair) => pair.wilcoxonP));
  return pairs.map((pair, i) => {
    const pHolm = p[i] ?? null;
    return {
      ...pair,
      pHolm,
      wilcoxonPHolm: wilcoxonP[i] ?? null,
      significantAt: levelOf(pHolm),
    };
  });
}
