import type { Estimate, Metric } from "../../../contracts/metric.ts";
import type { GaugeBlock, Tone } from "../../../contracts/report.ts";
import type { ToneSteps } from "./tone-steps.ts";
import { gradeLabels } from "./tone-steps.ts";

/**
 * A share on a gauge from 0 to 1, with a zone for each tone; below all steps is poor.
 * @example toneGauge(f1Metric, metrics["f1"], [[0.9, "excellent"], [0.5, "fair"]]).zones.length // 3
 */
export function toneGauge(
  { label, format }: Pick<Metric, "label" | "format">,
  estimate: Estimate | undefined,
  steps: ToneSteps,
): GaugeBlock {
  const { value = null, interval = null } = estimate ?? {};
  const zones: [from: number, tone: Tone][] = [
    [0, "poor"],
    ...steps.map(([from, tone]): [number, Tone] => [from, tone]).reverse(),
  ];
  return {
    kind: "gauge",
    title: label,
    value,
    interval,
    min: 0,
    max: 1,
    format,
    zones: zones.map(([from, tone], i) => ({
      from,
      to: zones[i + 1]?.[0] ?? 1,
      tone,
      label: gradeLabels[tone] ?? tone,
    })),
  };
}
