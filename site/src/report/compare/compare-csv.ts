import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { View } from "#shared/contracts/suite.ts";
import { csvRecord } from "#shared/contracts/text/csv.ts";
import { orientedPairs } from "#shared/measures/comparison/words/oriented-pairs.ts";
import { type Compared, runNames } from "./compared.ts";
import { overviewOf } from "./overview.ts";

/** The overview as CSV, one line per run, with unrounded numbers. */
export function overviewCsv(compared: Compared, view: View): string {
  const { columns, rows } = overviewOf(compared, view);
  const head = columns.flatMap(({ metric: { id } }) => [id, `${id}_low`, `${id}_high`]);
  const records = rows.map(({ run: { run, model, provenance }, cells }) => [
    run,
    model.name,
    model.slug,
    model.simulated,
    provenance.kind,
    ...cells.flatMap(({ value, interval }) => [value, interval?.[0], interval?.[1]]),
  ]);
  return [["run", "model", "slug", "simulated", "provenance", ...head], ...records]
    .map(csvRecord)
    .join("");
}

const pairColumns = [
  "metric",
  "first",
  "second",
  "first_name",
  "second_name",
  "difference",
  "low",
  "high",
  "t",
  "p",
  "p_holm",
  "wilcoxon",
  "wilcoxon_p",
  "wilcoxon_p_holm",
  "cohens_d",
  "dz",
  "win_rate",
  "significant_at",
  "detectable_difference",
  "samples_to_separate",
];

/** The pairs of a metric as CSV, with unrounded numbers. */
export function pairsCsv({ comparison }: Compared, tested: MetricComparison): string {
  const names = runNames(comparison);
  const records = orientedPairs(tested).map((pair) => [
    tested.metric,
    pair.first,
    pair.second,
    names.get(pair.first),
    names.get(pair.second),
    pair.difference.value,
    pair.difference.interval?.[0],
    pair.difference.interval?.[1],
    pair.t,
    pair.p,
    pair.pHolm,
    pair.wilcoxon,
    pair.wilcoxonP,
    pair.wilcoxonPHolm,
    pair.cohensD,
    pair.dz,
    pair.winRate,
    pair.significantAt,
    pair.detectableDifference,
    pair.samplesToSeparate,
  ]);
  return [pairColumns, ...records].map(csvRecord).join("");
}
