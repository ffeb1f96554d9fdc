import type { SweepTest, VersusLeader } from "../../contracts/submissions/sweep.ts";
import { holm } from "../../stats/significance/holm.ts";
import { cohensD, effectSize } from "../../stats/significance/moments.ts";
import { pairedT } from "../../stats/significance/paired-tests.ts";
import { detectableDifference } from "../../stats/significance/power.ts";
import { wilcoxon } from "../../stats/significance/wilcoxon.ts";
import { type CommonSamples, commonSamples } from "../comparison/common-samples.ts";
import { differenceInterval, valueInterval } from "../comparison/compared-intervals.ts";
import { differences, type MeasuredRun, measuredRuns } from "../comparison/measured-runs.ts";
import type { ScoreTable } from "../comparison/score-table.ts";
import type { RankingMetric } from "../comparison/standings.ts";
import { levelOf } from "../comparison/tie-groups.ts";

/**
 * Tests variants on one metric against the leader, the one with the best value, over their common samples: paired
 * t-test and Wilcoxon's test, each with Holm's correction over the tested variants. The leader is chosen with the
 * same data, so the tests do not show that two given variants differ. They show which variants may be the best: the
 * truly best one is excluded only if it is significantly worse than some other, in at most 5 of 100 sweeps. The
 * leader is therefore named best only if every other variant is significantly worse. Null without common samples.
 * O(variants · (resamples · units + samples log samples)).
 * Source: docs/spec/quality.md, sweep; docs/spec/statistics.md; Gupta 1965 and Hsu 1984 (subset
 * selection, comparisons with the best).
 * @example testVariants(table, { id: "overall", better: "higher" }, "sub-1")?.best
 */
export function testVariants(
  table: ScoreTable,
  metric: RankingMetric,
  seed: string,
): SweepTest | null {
  const { id, better, composite } = metric;
  const common = commonSamples(table, id, composite?.parts);
  const measured = measuredRuns(table, common, seed, composite);
  const leader = measured && leaderOf(measured, better);
  if (!measured || !leader) return null;
  const others = measured.filter((one) => one !== leader);
  const tested = corrected(others.map((other) => versus(other, leader, common, metric)));
  const byRun = new Map(others.map(({ run }, i) => [run, tested[i]!]));
  const tied = others.filter((_, i) => tested[i]?.significantAt === null).map(({ run }) => run);
  return {
    metric: id,
    better,
    samples: common.ids.length,
    units: common.units,
    tied,
    leader: leader.run,
    best: tied.length === 0 && others.length > 0 ? leader.run : null,
    variants: measured.map((one) => ({
      run: one.run,
      value: one.value,
      interval: valueInterval(one),
      versusLeader: byRun.get(one.run) ?? null,
    })),
  };
}

/** The first variant with the best value. */
function leaderOf(measured: readonly MeasuredRun[], better: RankingMetric["better"]) {
  const sign = better === "higher" ? 1 : -1;
  return measured.reduce<MeasuredRun | null>(
    (leader, one) => (leader !== null && sign * leader.value >= sign * one.value ? leader : one),
    null,
  );
}

/** P-values before correction. */
function versus(
  variant: MeasuredRun,
  leader: MeasuredRun,
  { weights }: CommonSamples,
  { composite }: RankingMetric,
): VersusLeader {
  const { t, p, dz, sdDifference } = pairedT(variant.tested, leader.tested, weights);
  const ranks = wilcoxon(differences(variant, leader, composite));
  const d = variant.tested.length < 2 ? null : cohensD(variant.scores, leader.scores);
  return {
    difference: {
      value: variant.value - leader.value,
      interval: differenceInterval(variant, leader),
    },
    t,
    p,
    pHolm: null,
    significantAt: null,
    dz,
    cohensD: d,
    wilcoxon: ranks.statistic,
    wilcoxonP: ranks.p,
    wilcoxonPHolm: null,
    effectSize: d === null ? null : effectSize(d),
    detectableDifference: detectableDifference(sdDifference, variant.tested.length),
  };
}

function corrected(tests: readonly VersusLeader[]): VersusLeader[] {
  const p = holm(tests.map((test) => test.p));
  const wilcoxonP = holm(tests.map((test) => test.wilcoxonP));
  return tests.map((test, i) => {
    const pHolm = p[i] ?? null;
    const significantAt = levelOf(pHolm);
    return { ...test, pHolm, wilcoxonPHolm: wilcoxonP[i] ?? null, significantAt };
  });
}
