import type { MetricComparison, PairedTest } from "../../contracts/boards/comparison.ts";
import type { Composite } from "../../contracts/suite.ts";
import { holm } from "../../stats/significance/holm.ts";
import { cohensD, effectSize } from "../../stats/significance/moments.ts";
import { pairedT } from "../../stats/significance/paired-tests.ts";
import {
  detectableDifference,
  samplesToSeparate,
  standardError,
} from "../../stats/significance/power.ts";
import { wilcoxon } from "../../stats/significance/wilcoxon.ts";
import { winRate } from "../../stats/significance/wilson-interval.ts";
import { type CommonSamples, commonSamples } from "./common-samples.ts";
import { differenceInterval } from "./compared-intervals.ts";
import { differences, eachPair, type MeasuredRun, measuredRuns } from "./measured-runs.ts";
import type { ScoreTable } from "./score-table.ts";
import { type RankingMetric, rankRuns, standings } from "./standings.ts";
import { levelOf } from "./tie-groups.ts";
import { testNotes } from "./words/test-notes.ts";

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

/**
 * `compareMetric` without the figures of each pair, for many runs; the tie groups still use t-tests of all pairs. Null
 * if `compareMetric` is. O(resamples · units · runs + pairs · units).
 * Source: as above.
 * @example rankMetric(table, { id: "eqs", better: "higher" }, "seed")?.pairs // []
 */
export function rankMetric(
  table: ScoreTable,
  metric: RankingMetric,
  seed: string,
): MetricComparison | null {
  const ranked = rankRuns(table, metric, seed);
  if (ranked === null) return null;
  const { samples, units, standings: ranks } = ranked;
  const notes = testNotes({ pairs: [], units }, (run) => run);
  const { id, better } = metric;
  return { metric: id, better, samples, units, pairs: [], notes, standings: ranks };
}

/** Two runs before the correction of p-values. */
function pairOf(
  a: MeasuredRun,
  b: MeasuredRun,
  common: CommonSamples,
  composite?: Composite,
): Pair {
  const test = pairedTest(a, b, common, composite);
  const { units, ids } = common;
  const error = standardError(test.detectableDifference);
  const deviation = error && error * Math.sqrt(units.count);
  const perUnit = ids.length / units.count;
  return {
    a: a.run,
    b: b.run,
    ...test,
    winRate: winRate(a.scores, b.scores) ?? 0.5,
    samplesToSeparate: samplesToSeparate(deviation, test.difference.value, perUnit),
  };
}

/**
 * Tests of the difference of two runs, a − b, before the correction of p-values. O(samples log samples).
 * @example pairedTest(a, b, common).p // 0.03
 */
export function pairedTest(
  a: MeasuredRun,
  b: MeasuredRun,
  { weights }: CommonSamples,
  composite?: Composite,
): PairedTest {
  const { t, p, dz, sdDifference } = pairedT(a.tested, b.tested, weights);
  const ranks = wilcoxon(differences(a, b, composite));
  const d = a.tested.length < 2 ? null : cohensD(a.scores, b.scores);
  return {
    t,
    p,
    pHolm: null,
    significantAt: null,
    difference: { value: a.value - b.value, interval: differenceInterval(a, b) },
    wilcoxon: ranks.statistic,
    wilcoxonP: ranks.p,
    wilcoxonPHolm: null,
    cohensD: d,
    dz,
    effectSize: d === null ? null : effectSize(d),
    detectableDifference: detectableDifference(sdDifference, a.tested.length),
  };
}

/**
 * Tests with Holm's correction over all of them; Wilcoxon's p-values only for pairs that have a t-test.
 * @example corrected(pairs)[0]?.pHolm // 0.06
 */
export function corrected<Test extends PairedTest>(tests: readonly Test[]): Test[] {
  const p = holm(tests.map((test) => test.p));
  const wilcoxonP = holm(tests.map((test) => (test.p === null ? null : test.wilcoxonP)));
  return tests.map((test, i) => {
    const pHolm = p[i] ?? null;
    const significantAt = levelOf(pHolm);
    return { ...test, pHolm, wilcoxonPHolm: wilcoxonP[i] ?? null, significantAt };
  });
}
