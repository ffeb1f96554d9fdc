import type { JudgeShift } from "../../contracts/judging/bridge.ts";
import type { RunScores } from "../../contracts/runs/run-scores.ts";
import { compareMetric } from "../comparison/compare-metric.ts";
import { addRun, scoreTable } from "../comparison/score-table.ts";
import type { RankingMetric } from "../comparison/standings.ts";

const none = { n: 0, before: null, after: null, shift: null, interval: null };

/**
 * How much each metric shifts from old judges to new ones, over the answers that both judged. In both scores, `ids` are
 * answers and `clusters` their samples.
 * Source: docs/spec/statistics.md, two models on the same samples.
 * @example judgeShifts(before, after, [{ id: "mcs", better: "higher" }], "bridge")[0]?.shift // -0.02
 */
export function judgeShifts(
  before: RunScores,
  after: RunScores,
  metrics: readonly RankingMetric[],
  seed: string,
): JudgeShift[] {
  const table = scoreTable(before);
  addRun(table, "after", after);
  addRun(table, "before", before);
  return metrics.map((metric) => {
    const compared = compareMetric(table, metric, `${seed},${metric.id}`);
    const [pair] = compared?.pairs ?? [];
    if (!compared || !pair) return { ...none, metric: metric.id };
    const meanOf = (run: string) =>
      compared.standings.find((standing) => standing.run === run)?.value ?? Number.NaN;
    const { value: shift, interval } = pair.difference;
    const values = { before: meanOf("before"), after: meanOf("after") };
    return { metric: metric.id, n: compared.samples, ...values, shift, interval };
  });
}
