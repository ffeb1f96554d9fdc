import type { Estimate, Metric } from "../../../contracts/metric.ts";
import type { BarsBlock, GaugeBlock, Tone } from "../../../contracts/report.ts";
import { tickText } from "../figures/figure-text.ts";
import { atLeast, levelNames } from "../figures/tier.ts";

/** The lowest value of each tone, best first; below all of them is poor. */
export type ToneSteps = readonly (readonly [from: number, tone: Tone])[];

/** Steps of a share in suites without their own zones. */
export const shareSteps = [
  [0.9, "excellent"],
  [0.75, "good"],
  [0.5, "fair"],
] as const satisfies ToneSteps;

/**
 * The tone of a value; neutral if it was not measured, or there are no steps.
 * @example toneOf(0.8, [[0.9, "excellent"], [0.75, "good"]]) // "good"
 */
export function toneOf(value: number | null, steps: ToneSteps): Tone {
  if (value === null || steps.length === 0) return "neutral";
  return steps.find(([from]) => atLeast(value, from))?.[1] ?? "poor";
}

/** Names of grades. */
const gradeLabels: Partial<Readonly<Record<Tone, string>>> = {
  excellent: levelNames.excellence,
  good: levelNames.target,
  fair: levelNames.minimum,
  poor: levelNames.fails,
};

/**
 * The key of bars coloured by steps: each grade with its lower end, and the grade below all; empty without steps.
 * @example stepsLegend([[0.75, "good"]], "score").map(({ label }) => label) // ["Good from 0.75", "Below minimum"]
 */
export function stepsLegend(steps: ToneSteps, format: Metric["format"]): BarsBlock["legend"] {
  if (steps.length === 0) return [];
  return [
    ...steps.map(([from, tone]) => ({
      tone,
      label: `${gradeLabels[tone] ?? tone} from ${tickText(from, format)}`,
    })),
    { tone: "poor", label: levelNames.fails },
  ];
}

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
