import type { Estimate, Metric } from "../../../contracts/metric.ts";
import { figureText } from "../figures/figure-text.ts";
import type { Advice } from "./advice.ts";

/** A metric that was measured with its interval: what advice can rest on. */
export interface KnownMetric extends Pick<Advice, "cell" | "format" | "n"> {
  value: number;
  interval: [number, number];
}

/**
 * A metric as advice names it; null where it has no value or no interval.
 * @example knownMetric("f1", metrics, catalogue)?.cell // "F1"
 */
export function knownMetric(
  id: string,
  metrics: Readonly<Record<string, Estimate>>,
  catalogue: readonly Metric[],
): KnownMetric | null {
  const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
  if (value === null || interval === null) return null;
  const { label = id, format = "score" } = catalogue.find((metric) => metric.id === id) ?? {};
  return { cell: label, format, value, interval, n };
}

/**
 * Whether a metric clearly lies below a limit, or below another metric: its interval does, and that of the
 * other one is above it. False where either was not measured.
 * @example isBelow(recall, precision)
 */
export function isBelow(
  metric: KnownMetric | null,
  limit: KnownMetric | number | null,
): metric is KnownMetric {
  if (metric === null || limit === null) return false;
  return metric.interval[1] < (typeof limit === "number" ? limit : limit.interval[0]);
}

/**
 * Whether a metric clearly lies above a limit. False where it was not measured.
 * @example isAbove(rate, 0.05)
 */
export function isAbove(metric: KnownMetric | null, limit: number): metric is KnownMetric {
  return metric !== null && metric.interval[0] > limit;
}

/**
 * The value of a metric within a sentence.
 * @example valueText({ cell: "F1", format: "score", value: 0.5, interval, n }) // "0.500"
 */
export const valueText = ({ value, format }: KnownMetric): string => figureText(value, format);
