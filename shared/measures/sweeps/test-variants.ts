import type { SweepTest } from "../../contracts/submissions/sweep.ts";
import { commonSamples } from "../comparison/common-samples.ts";
import { corrected, pairedTest } from "../comparison/compare-metric.ts";
import { valueInterval } from "../comparison/compared-intervals.ts";
import { type MeasuredRun, measuredRuns } from "../comparison/measured-runs.ts";
import type { ScoreTable } from "../comparison/score-table.ts";
import { isConstantlyApart, type RankingMetric } from "../comparison/standings.ts";

/**
 * Tests variants on one metric against the leader, the one with the best value, over their common samples: paired
 * t-test and Wilcoxon's test, each with Holm's correction over the tested variants. The leader is chosen with the
 * same data, so the tests do not show that two given variants differ. They show which variants may be the best: the
 * truly best one is excluded only if it is significantly worse than another, in at most 5 of 100 sweeps. The
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
  const tested = corrected(others.map((other) => pairedTest(other, leader, common, composite)));
  const byRun = new Map(others.map(({ run }, i) => [run, tested[i]!]));
  const isWorse = (i: number) => tested[i]?.significantAt !== null;
  const tied = others
    .filter((other, i) => !isWorse(i) && !isConstantlyApart(other, leader, tested[i]!.p))
    .map(({ run }) => run);
  return {
    metric: id,
    better,
    samples: common.ids.length,
    units: common.units,
    tied,
    leader: leader.run,
    best: others.length > 0 && others.every((_, i) => isWorse(i)) ? leader.run : null,
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
