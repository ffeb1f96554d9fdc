import { z } from "zod";

/** How far a measure gets; `fails` is below the minimum. */
export const tierSchema = z.enum(["excellence", "target", "minimum", "fails"]);
export type Tier = z.infer<typeof tierSchema>;

/** A metric's three limits; `better` says on which side of them it has to be. */
export interface Threshold {
  metric: string;
  label: string;
  better: "higher" | "lower";
  format: "score" | "percent" | "ms";
  minimum: number;
  target: number;
  excellence: number;
}

/** Source: specification of the extraction suite, section 6. */
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

/**
 * The highest tier whose limit `value` meets; null for a value that was not measured.
 * Source: specification of the extraction suite, section 6.
 * @example tierOf(thresholds[0], 0.87) // "target"
 */
export function tierOf(limits: Threshold, value: number | null): Tier | null {
  if (value === null) return null;
  const meets = (limit: number) => (limits.better === "higher" ? value >= limit : value <= limit);
  return (
    (["excellence", "target", "minimum"] as const).find((tier) => meets(limits[tier])) ?? "fails"
  );
}
