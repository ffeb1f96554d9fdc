import type { Estimates, Metric } from "../../../contracts/metric.ts";
import type { BarsBlock } from "../../../contracts/report.ts";
import type { Reference } from "../../../contracts/suite.ts";

/**
 * A run's headline as a bar, and each reference as a line across it. `n`: samples that the references were scored on.
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
