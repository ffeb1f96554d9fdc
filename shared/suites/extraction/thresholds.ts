import { z } from "zod";
import type { MetricLimits } from "../../contracts/metric.ts";
import { tiers } from "../../measures/report/tier.ts";

export const tierSchema = z.enum(tiers);

/** A metric's three limits, as reports print them. */
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
