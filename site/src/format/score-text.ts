import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import { formatInterval, formatValue } from "./number.ts";

/**
 * A score with its interval, for descriptions of pages.
 * @example scoreText({ label: "EQS", format: "score" }, { value: 0.967, interval: [0.93, 0.99] }) // "EQS 0.967 (95% interval 0.930–0.990)"
 */
export function scoreText(
  { label, format }: Pick<Metric, "label" | "format">,
  { value, interval }: Pick<Estimate, "value" | "interval">,
): string {
  if (value === null) return `${label} not measured`;
  const text = `${label} ${formatValue(value, format)}`;
  return interval === null ? text : `${text} (95% interval ${formatInterval(interval, format)})`;
}
