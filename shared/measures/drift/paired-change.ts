import type { PairedChange } from "../../contracts/drift/drift.ts";
import { compareMetric } from "../comparison/compare-metric.ts";
import type { ScoreTable } from "../comparison/score-table.ts";
import type { RankingMetric } from "../comparison/standings.ts";

/**
 * The difference of a run and an earlier one on a metric over the samples that both cover; null without common samples.
 * Both runs are in `table`. Seeded by both runs, so the result is always the same.
 * Source: docs/spec/statistics.md, two models on the same samples.
 * @example pairedChange(table, { id: "eqs", better: "higher" }, "run-b", "run-a")?.difference // -0.04
 */
export function pairedChange(
  table: ScoreTable,
  metric: RankingMetric,
  run: string,
  earlier: string,
): PairedChange | null {
  const runs = [run, earlier].flatMap((id) => table.runs.find((one) => one.run === id) ?? []);
  if (runs.length < 2) return null;
  const compared = compareMetric({ ...table, runs }, metric, `${run},${earlier}`);
  const [pair] = compared?.pairs ?? [];
  if (!compared || !pair) return null;
  const { p, wilcoxonP, difference } = pair;
  return {
    run: earlier,
    n: compared.samples,
    p,
    wilcoxonP,
    difference: difference.value,
    interval: difference.interval,
  };
}
