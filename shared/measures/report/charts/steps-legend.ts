import type { Metric } from "../../../contracts/metric.ts";
import type { BarsBlock, Tone } from "../../../contracts/report.ts";
import { tickText } from "../figures/figure-text.ts";
import type { ToneSteps } from "./blocks.ts";

/** What grades are called. */
export const gradeLabels: Partial<Readonly<Record<Tone, string>>> = {
  excellent: "Excellent",
  good: "Good",
  fair: "Fair",
  poor: "Poor",
};

/**
 * The key of bars that are coloured by steps: each grade with where it begins, and what lies below all of them; empty without steps.
 * @example stepsLegend([[0.75, "good"]], "score").map(({ label }) => label) // ["Good from 0.75", "Poor below"]
 */
export function stepsLegend(steps: ToneSteps, format: Metric["format"]): BarsBlock["legend"] {
  if (steps.length === 0) return [];
  return [
    ...steps.map(([from, tone]) => ({
      tone,
      label: `${gradeLabels[tone] ?? tone} from ${tickText(from, format)}`,
    })),
    { tone: "poor", label: "Poor below" },
  ];
}
