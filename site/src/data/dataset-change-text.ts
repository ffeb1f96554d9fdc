import type { DatasetChange } from "#shared/contracts/dataset-change.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { formatDifference, formatDifferenceInterval } from "../format/difference.ts";
import { formatCount } from "../format/number.ts";

/** What became of a headline on another version of the dataset, and what it is put to. */
export function datasetChangeText(
  {
    difference,
    unchanged,
    isFlagged,
  }: Pick<DatasetChange, "difference" | "unchanged" | "isFlagged">,
  { label, format }: Pick<Metric, "label" | "format">,
): string {
  const whole = `${label} ${formatDifference(difference, format)}`;
  if (unchanged === null) return `${whole}, put to the dataset: no sample is the same in both`;
  const { n, difference: own, interval } = unchanged;
  const within = interval && ` (95% interval ${formatDifferenceInterval(interval, format)})`;
  const same = `${formatDifference(own, format)}${within ?? ""} over the ${formatCount(n)} samples that are the same in both`;
  return isFlagged
    ? `${whole}; ${same}, which is flagged as a drift`
    : `${whole}, put to the dataset; ${same}`;
}
