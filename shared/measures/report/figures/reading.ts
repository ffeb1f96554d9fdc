import type { Estimate, Metric } from "../../../contracts/metric.ts";
import type { ToneSteps } from "../charts/tone-steps.ts";
import { type GradeScale, type Limits, letterGrade, type Tier, tierOf } from "./tier.ts";

/** How a suite grades one of its metrics: by thresholds, or by letters, of which A+, A and B begin a level. */
export interface Reading {
  metric: string;
  /** The name to show, if it differs from the catalogue. */
  label?: string;
  /** The number format, if it differs from the catalogue. */
  format?: Metric["format"];
  /** Its thresholds; null for a metric with letters. */
  limits: Omit<Limits, "better"> | null;
  /** Lower ends of the letters A+ to F, for a metric without thresholds. */
  letters?: GradeScale["limits"];
  /** Whether it decides the recommendation; other metrics are only shown. */
  decides?: true;
}

/** A metric of a run with its grade. */
export interface MeasuredReading extends Pick<Reading, "metric" | "decides"> {
  label: string;
  format: Metric["format"];
  better: Metric["better"];
  value: number | null;
  interval: readonly [number, number] | null;
  n: number;
  /** Thresholds that count in a recommendation; null for a metric with letters. */
  limits: Limits | null;
  /** Limits of its levels: its thresholds, else those of the letters A+, A and B. */
  scale: Limits | null;
  letter: string | null;
  tier: Tier | null;
}

/**
 * Thresholds at the lower ends of a gauge's zones: the minimum is “fair”, the target “good”, excellence “excellent”.
 * Throws if a zone is missing.
 * @example limitsOf([[0.9, "excellent"], [0.75, "good"], [0.5, "fair"]]).target // 0.75
 */
export function limitsOf(steps: ToneSteps): Omit<Limits, "better"> {
  const from = (tone: string) => {
    const step = steps.find(([, its]) => its === tone);
    if (step === undefined) throw new Error(`no zone is ${tone}`);
    return step[0];
  };
  return { minimum: from("fair"), target: from("good"), excellence: from("excellent") };
}

/**
 * A run's metrics with their grades, in the order of the readings. Omits metrics that the catalogue or the run lacks;
 * a metric that was not measured has neither tier nor letter.
 * @example measureReadings(readings, metrics, catalogue)[0]?.tier // "target"
 */
export function measureReadings(
  readings: readonly Reading[],
  metrics: Readonly<Record<string, Estimate>>,
  catalogue: readonly Metric[],
): MeasuredReading[] {
  return readings.flatMap(({ metric: id, label, format, limits, letters, ...reading }) => {
    const [metric, estimate] = [catalogue.find((one) => one.id === id), metrics[id]];
    if (metric === undefined || estimate === undefined) return [];
    const { better } = metric;
    const { value, interval, n, grade = null } = estimate;
    const own = limits && { better, ...limits };
    const [excellence, target, , minimum] = letters ?? [];
    return [
      {
        ...reading,
        metric: id,
        better,
        label: label ?? metric.label,
        format: format ?? metric.format,
        value,
        interval,
        n,
        limits: own,
        scale: letters
          ? { better, minimum: minimum!, target: target!, excellence: excellence! }
          : own,
        tier: own && tierOf(own, value),
        letter:
          letters === undefined || value === null
            ? grade
            : letterGrade({ better, limits: letters }, value),
      },
    ];
  });
}

/**
 * Readings of the endpoint in every suite: how long it takes, and how often it fails.
 * Source: docs/spec/extraction.md, section 6.
 */
export const serviceReadings: readonly Reading[] = [
  { metric: "latencyP95", limits: { minimum: 5000, target: 2000, excellence: 1000 } },
  { metric: "successRate", limits: { minimum: 0.99, target: 0.995, excellence: 0.999 } },
];
