import type { Estimate, Estimates, Metric } from "../../../contracts/metric.ts";
import type { BarsBlock } from "../../../contracts/report.ts";
import type { Reference } from "../../../contracts/suite.ts";

/**
 * A run's headline as a bar with each reference as a line across it. `n`: number of samples of the references.
 * @example referenceBars(metric, metrics, references, { title, below, n: 50 }).bars[1]?.isReference // true
 */
export function referenceBars(
  { id, format }: Pick<Metric, "id" | "format">,
  metrics: Estimates,
  references: readonly Reference[],
  { title, below, n: scored }: { title: string; below: string; n: number },
): BarsBlock {
  const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
  return {
    kind: "bars",
    title,
    format,
    legend: [],
    bars: [
      { label: "This run", value, interval, n, tone: "neutral" },
      ...references.map(({ label, value: its, interval: ends }): BarsBlock["bars"][number] => ({
        label,
        value: its,
        interval: ends && [ends[0], ends[1]],
        n: scored,
        tone: "neutral",
        isReference: true,
      })),
    ],
    below,
  };
}

/**
 * The highest reference if an estimate does not clearly exceed it: the lower end of the estimate's 95% interval is not
 * above the reference's upper end, or there is no interval. Else null, and if the estimate or references are missing.
 * Source: docs/spec/quality.md, what it is not.
 * @example unbeatenReference({ value: 0.6, interval: [0.5, 0.7] }, references)?.label // "Connector salad"
 */
export function unbeatenReference(
  { value, interval }: Pick<Estimate, "value" | "interval">,
  references: readonly Reference[],
): Reference | null {
  const endOf = (one: Reference) => one.interval?.[1] ?? one.value;
  const [best] = [...references].sort((a, b) => endOf(b) - endOf(a));
  if (best === undefined || value === null) return null;
  return interval !== null && interval[0] > endOf(best) ? null : best;
}
