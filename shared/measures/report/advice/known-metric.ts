import type { Estimates, Metric } from "../../../contracts/metric.ts";
import { metricNamed } from "../charts/blocks.ts";
import { figureText } from "../figures/figure-text.ts";
import type { Advice } from "./advice.ts";

/** A measured metric with its interval: a possible basis of advice. */
export interface KnownMetric extends Pick<Advice, "cell" | "format" | "n"> {
  value: number;
  interval: [number, number];
}

/**
 * A metric in the form that advice needs; null without a value or an interval.
 * @example knownMetric("f1", metrics, catalogue)?.cell // "F1"
 */
export function knownMetric(
  id: string,
  metrics: Estimates,
  catalogue: readonly Metric[],
): KnownMetric | null {
  const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
  if (value === null || interval === null) return null;
  const { label, format } = metricNamed(catalogue, id);
  return { cell: label, format, value, interval, n };
}

/**
 * Whether a metric is clearly below a limit, or below another metric: the upper end of its interval is below the
 * limit, or below the lower end of the other's interval. False if either was not measured.
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
 * Whether a metric is clearly above a limit: its interval is. False if it was not measured.
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

/** The text of an advice. */
type Finding = Omit<Advice, keyof KnownMetric>;

/**
 * Advice on a metric that is clearly below a limit; else null.
 * @example adviceBelow(known(facts, "f1"), 0.5, (f1) => ({ finding: `F1 is ${valueText(f1)}.`, … }))
 */
export const adviceBelow = (
  metric: KnownMetric | null,
  limit: number,
  say: (metric: KnownMetric) => Finding,
): Advice | null => (isBelow(metric, limit) ? { ...metric, ...say(metric) } : null);

/**
 * Advice on a metric that is clearly above a limit; else null.
 * @example adviceAbove(known(facts, "avgTime"), 500, (time) => ({ finding: `… ${valueText(time)}.`, … }))
 */
export const adviceAbove = (
  metric: KnownMetric | null,
  limit: number,
  say: (metric: KnownMetric) => Finding,
): Advice | null => (isAbove(metric, limit) ? { ...metric, ...say(metric) } : null);

/** Advice for the case that one of precision and recall is clearly below the other. */
type Side = readonly [finding: string, action: string];

/**
 * Advice if recall is clearly below precision, so that too much is missing, or the reverse; null if neither is.
 * @example balanceAdvice(precision, recall, { missing: ["calls are left out.", "…"], extra: ["…", "…"] })
 */
export function balanceAdvice(
  precision: KnownMetric | null,
  recall: KnownMetric | null,
  { missing, extra }: { missing: Side; extra: Side },
): Advice | null {
  if (precision === null || recall === null) return null;
  const say = (low: KnownMetric, high: KnownMetric, [finding, action]: Side): Advice => ({
    ...low,
    tone: "fair",
    change: "prompt",
    finding: `${low.cell}, ${valueText(low)}, is clearly below ${high.cell.toLowerCase()}, ${valueText(high)}: ${finding}`,
    action,
  });
  if (isBelow(recall, precision)) return say(recall, precision, missing);
  return isBelow(precision, recall) ? say(precision, recall, extra) : null;
}
