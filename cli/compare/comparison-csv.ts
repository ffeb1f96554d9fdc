import type { Comparison } from "#shared/contracts/comparison.ts";
import { csvRecord } from "#shared/contracts/csv.ts";

const columns = [
  "record",
  "metric",
  "better",
  "samples",
  "a",
  "b",
  "value",
  "low",
  "high",
  "rank_low",
  "rank_high",
  "p_best",
  "tie_group",
  "p_t_holm",
  "p_wilcoxon_holm",
  "cohens_d",
  "dz",
  "win_rate",
  "significant_at",
] as const;

/**
 * A comparison as one table: a record for each run and metric, with value and 95% interval, and one for each
 * pair and metric, with the difference a − b.
 */
export function comparisonCsv({ metrics }: Comparison): string {
  const records = metrics.flatMap(({ metric, better, samples, standings, pairs }) => {
    const common = { metric, better, samples };
    return [
      ...standings.map(({ run, value, interval, rankInterval, best, tieGroup }) => ({
        ...common,
        record: "run",
        a: run,
        value,
        low: interval?.[0],
        high: interval?.[1],
        rank_low: rankInterval[0],
        rank_high: rankInterval[1],
        p_best: best,
        tie_group: tieGroup,
      })),
      ...pairs.map(({ a, b, difference: { value, interval }, ...pair }) => ({
        ...common,
        record: "pair",
        a,
        b,
        value,
        low: interval?.[0],
        high: interval?.[1],
        p_t_holm: pair.pHolm,
        p_wilcoxon_holm: pair.wilcoxonPHolm,
        cohens_d: pair.cohensD,
        dz: pair.dz,
        win_rate: pair.winRate,
        significant_at: pair.significantAt,
      })),
    ];
  });
  const rows = (records as Record<string, unknown>[]).map((one) =>
    columns.map((name) => one[name]),
  );
  return [columns, ...rows].map(csvRecord).join("");
}
