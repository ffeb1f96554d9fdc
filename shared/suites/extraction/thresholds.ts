import { z } from "zod";
import type { MetricLimits } from "../../contracts/metric.ts";
import type { ToneSteps } from "../../measures/report/charts/tone-steps.ts";
import type { Reading } from "../../measures/report/figures/reading.ts";
import {
  atLeast,
  type GradeScale,
  letterGrade,
  tiers,
} from "../../measures/report/figures/tier.ts";

export const tierSchema = z.enum(tiers);

/** A metric's three limits, with their text in reports. */
export interface Threshold extends MetricLimits {
  label: string;
  format: "score" | "percent" | "ms";
}

/** Source: docs/spec/extraction.md, section 6. */
export const thresholds: readonly Threshold[] = [
  threshold("eqs", "EQS", "higher", "score", [0.75, 0.85, 0.9]),
  threshold("validity", "Schema validity", "higher", "percent", [0.95, 0.98, 0.99]),
  threshold("partialF1", "Partial F1", "higher", "score", [0.7, 0.8, 0.9]),
  threshold("hallucinationRate", "Hallucination rate", "lower", "percent", [0.1, 0.05, 0.02]),
  threshold("latencyP95", "Latency p95", "lower", "ms", [5000, 2000, 1000]),
  threshold("successRate", "Success rate", "higher", "percent", [0.99, 0.995, 0.999]),
];

function threshold(
  metric: string,
  label: string,
  better: Threshold["better"],
  format: Threshold["format"],
  [minimum, target, excellence]: [number, number, number],
): Threshold {
  return { metric, label, better, format, minimum, target, excellence };
}

/** Source: docs/spec/extraction.md, section 6. */
const gradeScales: Readonly<Record<string, GradeScale>> = {
  validity: { better: "higher", limits: [0.98, 0.95, 0.9, 0.85, 0.75, 0.6] },
  partialF1: { better: "higher", limits: [0.9, 0.8, 0.75, 0.7, 0.6, 0.5] },
  exactMatch: { better: "higher", limits: [0.8, 0.7, 0.6, 0.5, 0.35, 0.2] },
  hallucinationRate: { better: "lower", limits: [0.05, 0.08, 0.1, 0.15, 0.2, 0.3] },
  latencyP95: { better: "lower", limits: [1000, 2000, 3000, 5000, 8000, 15_000] },
};

/**
 * The letter grade, A+ to F, of a metric's value; undefined for a metric without grades, and for null.
 * Source: docs/spec/extraction.md, section 6.
 * @example gradeOf("validity", 0.97) // "A"
 */
export function gradeOf(metric: string, value: number | null): string | undefined {
  const scale = gradeScales[metric];
  return scale === undefined || value === null ? undefined : letterGrade(scale, value);
}

/** Names of EQS bands in the API; reports use the levels of the thresholds. */
const eqsBands = [
  { label: "Poor", from: 0 },
  { label: "Moderate", from: 0.6 },
  { label: "Good", from: 0.75 },
  { label: "Excellent", from: 0.9 },
] as const;
type EqsBand = (typeof eqsBands)[number]["label"];

/**
 * The band of an EQS value: ≥ 0.90 Excellent, ≥ 0.75 Good, ≥ 0.60 Moderate, else Poor.
 * Source: docs/spec/extraction.md, section 6.
 * @example eqsBand(0.8) // "Good"
 */
export function eqsBand(eqs: number): EqsBand {
  return eqsBands.findLast((band) => atLeast(eqs, band.from))?.label ?? "Poor";
}

/** Recommendations, best first: the minimum EQS, and the hallucination rate to stay below. */
const recommendations = [
  { eqs: 0.9, hallucinationRate: 0.02, advice: "deploy without human review" },
  { eqs: 0.8, hallucinationRate: 0.05, advice: "spot-check" },
  { eqs: 0.7, hallucinationRate: 0.1, advice: "mandatory review" },
] as const;
type Recommendation = (typeof recommendations)[number]["advice"] | "not recommended";

/**
 * The recommendation by a run's EQS and headline hallucination rate.
 * Source: docs/spec/extraction.md, section 6.
 * @example recommend(0.85, 0.03) // "spot-check"
 */
export function recommend(eqs: number, hallucinationRate: number): Recommendation {
  const fits = recommendations.find(
    (one) => atLeast(eqs, one.eqs) && !atLeast(hallucinationRate, one.hallucinationRate),
  );
  return fits?.advice ?? "not recommended";
}

const [eqs] = thresholds as [Threshold];

/** The levels of EQS as steps of a gauge. */
export const eqsSteps = [
  [eqs.excellence, "excellent"],
  [eqs.target, "good"],
  [eqs.minimum, "fair"],
] as const satisfies ToneSteps;

const withThresholds = thresholds.map(
  ({ metric, label, format, minimum, target, excellence }): Reading => ({
    metric,
    label,
    format,
    limits: { minimum, target, excellence },
  }),
);

/**
 * How the suite reads its metrics: metrics with thresholds, and exact match, whose levels are based on its letter
 * grades.
 * Source: docs/spec/extraction.md, section 6.
 */
export const extractionReadings: readonly Reading[] = withThresholds.toSpliced(3, 0, {
  metric: "exactMatch",
  format: "percent",
  limits: null,
  letters: gradeScales["exactMatch"]!.limits,
});
