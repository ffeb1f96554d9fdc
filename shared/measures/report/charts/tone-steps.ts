import type { Metric } from "../../../contracts/metric.ts";
import type { BarsBlock, Tone } from "../../../contracts/report.ts";
import { tickText } from "../figures/figure-text.ts";
import { atLeast, levelNames } from "../figures/tier.ts";

/** The lowest value of each tone, best first; below all of them is poor. */
export type ToneSteps = readonly (readonly [from: number, tone: Tone])[];

/** Steps of a share, in suites without zones of their own. */
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
export const gradeLabels: Partial<Readonly<Record<Tone, string>>> = {
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
